/** What is checked after a load beside the engine's own look at the rows, and what a failed check means. */
import type { Job, Mask } from '../core/model/policy.ts';
import type { Schema } from '../core/model/schema.ts';
import { printType } from '../core/model/type-text.ts';
import type { RunCheck } from '../core/record/run-record.ts';
import type { Draft } from './draft.ts';
import type { Effects } from './effects.ts';
import type { Applied } from './engine.ts';
import { auditTarget } from './ledger.ts';
import { hiddenText, maskOfPath, shownText } from './mask.ts';
import type { Run } from './run.ts';

/** Each column of the target is there, with the type and nullability that the plan reckoned with. */
export function schemaChecks(expected: Schema, actual: Schema | null): readonly RunCheck[] {
  return expected.columns.map((column): RunCheck => {
    const found = actual?.columns.find((candidate) => candidate.name === column.name);
    const text = (one: Schema['columns'][number] | undefined): string =>
      one === undefined ? 'absent' : `${printType(one.type)}${one.nullable ? '' : ' not null'}`;
    return { name: 'schema', path: column.name, expected: text(column), actual: text(found), ok: text(column) === text(found) };
  });
}

/** For verify: the columns have the types that the last committed run of this target left. Nothing to say when there was none. */
export async function recordedChecks({ engine, job, options }: Run, actual: Schema | null): Promise<readonly RunCheck[]> {
  if (options.verb !== 'verify') return [];
  const table = auditTarget(engine, job.target.table);
  const last = (await engine.runs(job.audit)).find((run) => run.committed && run.target.table === table && run.columns.length > 0);
  return (last?.columns ?? []).map(({ path, target_type: expected }): RunCheck => {
    const found = actual?.columns.find((column) => column.name === path);
    const type = found === undefined ? 'absent' : printType(found.type);
    return { name: 'schema', path, expected, actual: type, ok: type === expected };
  });
}

/** No row is lost between the steps. */
export function accountingChecks(effects: Effects, applied: Applied, rows: { before: number; after: number }): readonly RunCheck[] {
  const check = (name: string, expected: number, actual: number): RunCheck => ({
    name,
    path: null,
    expected: String(expected),
    actual: String(actual),
    ok: expected === actual,
  });
  return [
    check('read = loaded + quarantined + superseded', effects.read, effects.loaded + effects.quarantined + effects.superseded),
    check('loaded = inserted + updated + unchanged', effects.loaded, applied.inserted + applied.updated + applied.unchanged),
    check('rows after = before + inserted - deleted', rows.before + applied.inserted - applied.deleted, rows.after),
  ];
}

/** What a plan can tell of the checks after a merge: a row that would find several rows of its key. */
export function predictedChecks(job: Job, effects: Effects, applied: Applied): readonly RunCheck[] {
  const rows = applied.inserted + applied.updated + applied.unchanged;
  if (job.mode !== 'merge' || rows <= effects.loaded) return [];
  return [{ name: 'rows', path: null, expected: String(effects.loaded), actual: String(rows), ok: false }];
}

const checkKinds: Readonly<Record<string, Draft['name']>> = {
  schema: 'schema_after_load',
  'equal rows': 'column_content',
  nulls: 'column_content',
  min: 'column_content',
  max: 'column_content',
  content: 'column_content',
  'partition rows': 'partition_count',
};

/** Checks of a column whose texts are types and counts; whatever else a check says may be a value, or a hash of values. */
const withoutValues: ReadonlySet<string> = new Set(['schema', 'equal rows', 'nulls']);

/** The checks as they may be shown: least and greatest values, hashes of contents and names of partitions follow the masks of their columns. */
export function maskedChecks(checks: readonly RunCheck[], job: Job): readonly RunCheck[] {
  return checks.map((check) => {
    const mask = check.path === null || withoutValues.has(check.name) ? 'none' : strongestOf(job, check.path);
    if (mask === 'none') return check;
    if (check.name === 'partition rows') return maskedTexts(check, (text) => text.replace(/^.*(?=: \d+$)/s, hiddenText));
    const isValue = check.name === 'min' || check.name === 'max';
    return maskedTexts(check, (text) => (isValue && text === 'NULL' ? text : shownText(text, isValue ? mask : 'drop')));
  });
}

/** A check of partitions names their columns, joined by commas. */
const strongestOf = (job: Job, path: string): Mask =>
  [path, ...path.split(',')].map((one) => maskOfPath(job, one)).find((mask) => mask !== 'none') ?? 'none';

const maskedTexts = (check: RunCheck, mask: (text: string) => string): RunCheck => ({
  ...check,
  expected: mask(check.expected),
  actual: mask(check.actual),
});

export function verifyDrafts(found: readonly RunCheck[], job: Job): readonly Draft[] {
  return maskedChecks(found, job)
    .filter((check) => !check.ok)
    .map((check): Draft => {
      const tooMany = check.name === 'rows' && job.mode === 'merge' && Number(check.actual) > Number(check.expected);
      return {
        name: tooMany ? 'key_not_unique' : (checkKinds[check.name] ?? 'row_accounting'),
        severity: 'error',
        path: tooMany ? job.key.join(',') : check.path,
        expected: check.expected,
        actual: check.actual,
        count: 1,
        outcome: 'failed',
        consequence: tooMany
          ? 'the target already holds several rows of a key, so a merge cannot say which to update'
          : `${check.name}: expected ${check.expected}, found ${check.actual}`,
      };
    });
}
