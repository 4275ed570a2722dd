/** What must come out of a run against what came: a pure comparison, so that it can itself be tested. */
import type { CaseSpec, CaseTable, Expectation, Step } from './case-file.ts';
import type { PlainValue } from './case-value.ts';
import { compareDivergences } from './compare-divergences.ts';
import { compareRows, sameRows } from './compare-rows.ts';
import type { Difference, Outcome, RecordFacts, Rows, TableState } from './outcome.ts';

const show = (value: unknown): string => JSON.stringify(value);
/** Exit code of a bug of ours: never a right answer. */
const BUG = 70;

/** Every difference of a run from what its step expects; none when all is right. */
export function compareCase({ spec, expect }: Step, outcome: Outcome): Difference[] {
  return [
    ...unknownFields(expect),
    ...compareExit(spec, expect, outcome),
    ...(expect.divergences === undefined ? [] : compareDivergences(expect.divergences, outcome.record?.findings ?? [])),
    ...compareTarget(spec, expect, outcome),
    ...compareSummary(expect, outcome),
    ...compareQuarantine(expect, outcome),
    ...compareCounts(expect, outcome.record),
    ...compareExtraTables(spec.extra_tables ?? {}, expect.extra_tables ?? {}, outcome),
  ];
}

const fields = new Set(['exit', 'divergences', 'target_rows', 'target_summary', 'quarantined', 'counts', 'extra_tables', 'note']);
const divergenceFields = new Set(['kind', 'column', 'from', 'to', 'position', 'count', 'rows', 'reason', 'files', 'examples', 'note']);

/** A field that nobody compares is a fault of the case or of this file, never a pass. */
function unknownFields(expect: Expectation): Difference[] {
  const strange = (names: string[], known: ReadonlySet<string>, at: string) =>
    names
      .filter((name) => !known.has(name))
      .map((name) => ({ field: `${at}${name}`, expected: 'a field that is known', came: 'unknown field' }));
  return [
    ...strange(Object.keys(expect), fields, ''),
    ...(expect.divergences ?? []).flatMap((one, i) => strange(Object.keys(one), divergenceFields, `divergences[${i}].`)),
  ];
}

function compareExit(spec: CaseSpec, expect: Expectation, outcome: Outcome): Difference[] {
  const load = classOf(spec, outcome);
  const plan = outcome.planExit === 0 ? 'exit 0' : `exit ${outcome.planExit}`;
  const planRight = expect.exit === 'ok' ? outcome.planExit === 0 : outcome.planExit !== 0 && outcome.planExit !== BUG;
  return [
    ...(load === expect.exit ? [] : [{ field: 'exit', expected: expect.exit, came: load }]),
    ...(planRight ? [] : [{ field: 'plan --check', expected: expect.exit === 'ok' ? 'exit 0' : 'not exit 0', came: plan }]),
  ];
}

/** The class of an exit by the table in CONVENTIONS.md, or what is wrong with it. */
function classOf(spec: CaseSpec, { loadExit, record, before, after }: Outcome): string {
  if (record === undefined) return withoutRecord(sameState(spec, before, after), loadExit);
  const errors = record.findings.filter(({ severity }) => severity === 'error').length;
  const warnings = record.findings.filter(({ severity }) => severity === 'warning').length;
  const seen = `exit ${loadExit}, committed ${record.committed}, ${errors} errors, ${warnings} warnings`;
  if (loadExit === BUG) return seen;
  if (loadExit !== 0) {
    if (record.committed) return `${seen}: failed, but committed`;
    return sameState(spec, before, after) ? 'failed' : `${seen}: failed, but the target changed`;
  }
  if (errors > 0) return seen;
  if (warnings === 0) return 'ok';
  return record.committed || record.status === 'skipped' ? 'divergent' : seen;
}

/** A refusal before anything was read, such as of a rule that cannot be right, leaves no record. */
function withoutRecord(unchanged: boolean, exit: number): string {
  return unchanged && exit > 0 && exit !== BUG ? 'failed' : `exit ${exit} without a run record`;
}

function sameState(spec: CaseSpec, a: TableState, b: TableState): boolean {
  return sameRows(spec.target.columns, a.target, b.target);
}

function compareTarget(spec: CaseSpec, { target_rows: rows }: Expectation, { before, after }: Outcome): Difference[] {
  if (rows === undefined) return [];
  if (rows === 'unchanged') return compareRows('target_rows', spec.target.columns, before.target, after.target);
  if (!Array.isArray(rows)) return [{ field: 'target_rows', expected: show(rows), came: 'neither a list of rows nor unchanged' }];
  return compareRows('target_rows', spec.target.columns, rows, after.target);
}

export interface Probe {
  readonly sql: string;
  readonly answer: string | null;
}

/** The probes of a summary: `[sql, text]`, `{sql: …, result: …}` or `{<sql>: text}`. */
export function probesOf(summary: Expectation['target_summary']): Probe[] {
  return (summary ?? []).map((entry: PlainValue): Probe => {
    const values = Array.isArray(entry) ? (entry as readonly PlainValue[]) : probeValues(entry as Readonly<Record<string, PlainValue>>);
    const [sql, answer] = values;
    if (typeof sql !== 'string' || values.length !== 2) throw new Error(`target_summary: not a probe: ${show(entry)}`);
    return { sql, answer: answer === null || answer === undefined ? null : String(answer) };
  });
}

function probeValues(entry: Readonly<Record<string, PlainValue>>): readonly PlainValue[] {
  const name = ['sql', 'query', 'probe'].find((key) => Object.hasOwn(entry, key));
  if (name === undefined) return Object.entries(entry).flat();
  return [entry[name] as PlainValue, ...Object.entries(entry).flatMap(([key, value]) => (key === name || key === 'note' ? [] : [value]))];
}

function compareSummary({ target_summary: summary }: Expectation, outcome: Outcome): Difference[] {
  return probesOf(summary).flatMap(({ sql, answer }, i) => {
    const came = outcome.summary[i] ?? null;
    return came === answer ? [] : [{ field: `target_summary[${i}]`, expected: `${show(answer)} from ${sql}`, came: show(came) }];
  });
}

function compareQuarantine({ quarantined }: Expectation, outcome: Outcome): Difference[] {
  if (quarantined === undefined) return [];
  const came = `${outcome.quarantined} rows`;
  const counted = outcome.record?.committed === true ? Number(outcome.record.counts.quarantined) : outcome.quarantined;
  return [
    ...(outcome.quarantined === quarantined ? [] : [{ field: 'quarantined', expected: `${quarantined} rows`, came }]),
    ...(counted === outcome.quarantined ? [] : [{ field: 'quarantined', expected: `${counted} rows, as counted`, came }]),
  ];
}

function compareCounts({ counts }: Expectation, record: RecordFacts | undefined): Difference[] {
  const { values_altered: altered, values_nulled: nulled } = { ...record?.counts };
  const came: Readonly<Record<string, number | undefined>> = { ...record?.counts, altered, nulled };
  const differences = Object.entries(counts ?? {}).filter(([name, count]) => Number(came[name]) !== count);
  return [
    ...differences.map(([name, count]) => ({ field: `counts.${name}`, expected: String(count), came: String(came[name]) })),
    ...accounting(record),
  ];
}

/** Promise 1: rows read = loaded + quarantined + superseded, for every committed run. */
function accounting(record: RecordFacts | undefined): Difference[] {
  if (record === undefined || !record.committed) return [];
  const { read, loaded, quarantined, superseded } = record.counts;
  if (Number(read) === Number(loaded) + Number(quarantined) + Number(superseded)) return [];
  return [
    { field: 'counts', expected: 'read = loaded + quarantined + superseded', came: `${read} = ${loaded} + ${quarantined} + ${superseded}` },
  ];
}

function compareExtraTables(
  tables: Readonly<Record<string, CaseTable>>,
  expected: Readonly<Record<string, Rows>>,
  { before, after }: Outcome,
): Difference[] {
  const strange = Object.keys(expected).filter((name) => !Object.hasOwn(tables, name));
  const unknown = strange.map((name) => ({
    field: `extra_tables.${name}`,
    expected: 'a table of extra_tables',
    came: 'no such table in the case',
  }));
  const compared = Object.entries(tables).flatMap(([name, { columns }]) => {
    const field = `extra_tables.${name}`;
    const now = after.extra[name];
    if (now === undefined) return [{ field, expected: 'the table', came: 'the table is gone' }];
    const changed = compareRows(field, columns, before.extra[name] ?? [], now);
    return expected[name] === undefined || changed.length > 0 ? changed : compareRows(field, columns, expected[name], now);
  });
  return [...unknown, ...compared];
}
