import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Expectation, type ExpectedDivergence, listCases, readCase, type Step } from './case-file.ts';
import { compareCase, probesOf } from './compare-case.ts';
import type { Outcome, RecordFacts, Rows } from './outcome.ts';

/**
 * The comparison must be able to fail. For every step of every case an outcome is written down that is exactly what the step asks for.
 * Then each compared leaf of the expectation is changed in turn: the same outcome must no longer pass, and the fault must name the leaf.
 */
const cases = listCases(resolve(import.meta.dirname, '../cases'));
const steps = cases.flatMap(({ id, folder }) =>
  readCase(folder).flatMap((story) => story.steps.map((step) => ({ name: `${id} ${step.name}`, step }))),
);

type FindingFacts = RecordFacts['findings'][number];

function finding(one: ExpectedDivergence): FindingFacts {
  return {
    name: [one.kind].flat()[0] ?? '',
    reason: one.reason ?? null,
    severity: 'warning',
    path: one.column ?? null,
    ...(one.position === undefined ? {} : { position: one.position }),
    expected: one.to ?? null,
    actual: one.from ?? null,
    count: one.count ?? 0,
    rows: one.rows ?? null,
    files: one.files ?? [],
    examples: (one.examples ?? []).map((value) => {
      const line = /^line (\d+)$/.exec(value ?? '')?.[1];
      return {
        value: line === undefined ? value : 'the text',
        masked: false,
        file: 'a.csv',
        record: 1,
        line: line === undefined ? null : Number(line),
      };
    }),
  };
}

const severities = { ok: 'remark', divergent: 'warning', failed: 'error' } as const;

function rightOutcome({ spec, expect: wanted }: Step): Outcome {
  const failed = wanted.exit === 'failed';
  const findings = (wanted.divergences ?? []).map(finding);
  const before = spec.target.rows ?? [];
  const after = wanted.target_rows === 'unchanged' || wanted.target_rows === undefined ? before : wanted.target_rows;
  const extra = Object.fromEntries(Object.entries(spec.extra_tables ?? {}).map(([name, table]) => [name, table.rows ?? []]));
  const quarantined = wanted.counts?.quarantined ?? wanted.quarantined ?? 0;
  const loaded = wanted.counts?.loaded ?? 0;
  const superseded = wanted.counts?.superseded ?? 0;
  // A divergent step without listed divergences still needs a warning of a kind that is open.
  const warning: FindingFacts = finding({ kind: 'extra_column', column: 'by the way' });
  return {
    planExit: wanted.exit === 'ok' ? 0 : 1,
    loadExit: failed ? 1 : 0,
    record: {
      committed: !failed,
      status: failed ? 'failed' : 'finished',
      counts: {
        read: wanted.counts?.read ?? loaded + quarantined + superseded,
        loaded,
        inserted: loaded,
        updated: 0,
        unchanged: 0,
        deleted: 0,
        quarantined,
        superseded,
        values_altered: 0,
        values_nulled: 0,
        files_skipped: 0,
        ...wanted.counts,
      },
      findings: [
        ...findings.map((one) => ({ ...one, severity: severities[wanted.exit] })),
        ...(wanted.exit === 'divergent' ? [warning] : []),
      ],
    },
    before: { target: before, extra },
    after: { target: after, extra },
    quarantined: wanted.quarantined ?? 0,
    summary: probesOf(wanted.target_summary).map(({ answer }) => answer),
  };
}

type Path = readonly (string | number)[];

/** Every compared leaf: scalars, empty lists, and a list of kinds as a whole. People's notes are not compared. */
function leavesOf(value: unknown, path: Path = []): Path[] {
  if (path.at(-1) === 'note') return [];
  // Of a probe the answer is compared; its SQL is asked.
  if (path[0] === 'target_summary' && path.length === 2) return [[...path, Object.keys(value as object).at(-1) as string]];
  if (typeof value !== 'object' || value === null || path.at(-1) === 'kind') return [path];
  if (Array.isArray(value) && value.length === 0) return [path];
  return Object.entries(value).flatMap(([name, item]) => leavesOf(item, [...path, Array.isArray(value) ? Number(name) : name]));
}

function mutated(value: unknown, field: string | number): unknown {
  if (field === 'divergences') return [{ kind: 'mutated_kind' }];
  if (Array.isArray(value)) return ['mutated_kind'];
  // Far enough to be another number in every type, and no neighbour's.
  if (typeof value === 'number') return value * 2 + 1001;
  if (typeof value === 'boolean') return !value;
  return value === null ? 'mutated' : `${value}~`;
}

function withMutation(step: Step, path: Path): Step {
  const copy = structuredClone(step.expect) as unknown as Record<string, unknown>;
  const holder = path.slice(0, -1).reduce<Record<string | number, unknown>>((at, name) => at[name] as Record<string, unknown>, copy);
  const last = path.at(-1) as string;
  holder[last] = mutated(holder[last], last);
  return { ...step, expect: copy as unknown as Expectation };
}

/** The leaf as the comparison names it. Values inside nested values are named by their place in the row. */
function nameOf(path: Path): string {
  const depth = { target_rows: 3, target_summary: 2 }[String(path[0])];
  const named = path.slice(0, depth);
  return named
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${part}`))
    .join('')
    .slice(1);
}

describe('every compared leaf of every expectation', () => {
  it('is found in all cases', () => {
    expect(cases.length).toBeGreaterThanOrEqual(14);
    expect(steps.length).toBeGreaterThan(cases.length);
  });

  it.each(steps)('$name: the right outcome passes', ({ step }) => {
    expect(compareCase(step, rightOutcome(step))).toEqual([]);
  });

  const leaves = steps.flatMap(({ name, step }) => leavesOf(step.expect).map((path) => ({ name, step, path, leaf: nameOf(path) })));

  it('is a scalar in every field that is compared', () => {
    const compared = new Set(leaves.map(({ path }) => (path[0] === 'divergences' ? `divergences.${path[2]}` : String(path[0]))));
    const known = ['exit', 'divergences.kind', 'divergences.column', 'divergences.count', 'divergences.from', 'divergences.to'];
    const further = ['divergences.position', 'divergences.rows', 'divergences.reason', 'divergences.files', 'divergences.examples'];
    const tables = ['target_rows', 'quarantined', 'counts', 'extra_tables'];
    expect([...compared]).toEqual(expect.arrayContaining([...known, ...further, ...tables]));
  });

  it.each(leaves)('$name: a change of $leaf fails and is named', ({ step, path, leaf }) => {
    const named = compareCase(withMutation(step, path), rightOutcome(step)).map(({ field }) => field);
    expect(named.some((field) => field === leaf || field.startsWith(`${leaf}[`))).toBe(true);
  });
});

describe('what no expectation lists', () => {
  const step: Step = {
    name: 'a step',
    spec: {
      id: 'x',
      source: { file: 'a.csv' },
      target: { table: 't', columns: [{ name: 'id', type: 'bigint' }] },
      mode: 'append',
      extra_tables: { canary: { columns: [{ name: 'n', type: 'int' }], rows: [[1]] } },
    },
    expect: { exit: 'divergent', divergences: [{ kind: 'extra_column', column: 'b' }], target_rows: [['1'], ['1']], quarantined: 0 },
  };
  const right = rightOutcome(step);
  const record = right.record as RecordFacts;
  const fieldsOf = (outcome: Partial<Outcome>, changes: Partial<Expectation> = {}) =>
    compareCase({ ...step, expect: { ...step.expect, ...changes } }, { ...right, ...outcome }).map(({ field }) => field);
  const further = (kind: string) => ({ record: { ...record, findings: [...record.findings, finding({ kind, column: 'id', count: 1 })] } });

  it.each(['invalid_value', 'lossy_value', 'malformed_record', 'duplicate_key', 'null_key'])('a further %s fails', (kind) => {
    expect(fieldsOf(further(kind))).toEqual(['divergences']);
  });

  it.each(['type_mismatch', 'name_variant', 'missing_column'])('a further %s is fine', (kind) => {
    expect(fieldsOf(further(kind))).toEqual([]);
  });

  it('rows are a multiset: one of two equal rows less, or one more, fails', () => {
    const rows = (target: Rows) => ({ after: { ...right.after, target } });
    expect(fieldsOf(rows([['1']]))).toEqual(['target_rows[1]']);
    expect(fieldsOf(rows([['1'], ['1'], ['1']]))).toEqual(['target_rows']);
  });

  it('a changed or dropped bystander table fails', () => {
    expect(fieldsOf({ after: { ...right.after, extra: { canary: [] } } })).toEqual(['extra_tables.canary[0]']);
    expect(fieldsOf({ after: { ...right.after, extra: {} } })).toEqual(['extra_tables.canary']);
  });

  it('counts that do not add up fail', () => {
    expect(fieldsOf({ record: { ...record, counts: { ...record.counts, read: 5 } } })).toEqual(['counts']);
  });

  it('a quarantine table that disagrees with the count fails', () => {
    expect(fieldsOf({ quarantined: 1 })).toContain('quarantined');
    expect(fieldsOf({ record: { ...record, counts: { ...record.counts, read: 1, quarantined: 1 } } })).toContain('quarantined');
  });

  it('a plan that says less than the load fails', () => {
    expect(fieldsOf({ planExit: 0 })).toEqual(['plan --check']);
    expect(fieldsOf({ planExit: 70 })).toEqual(['plan --check']);
  });

  it('a load that prints no run record fails', () => {
    expect(fieldsOf({ record: undefined })).toContain('exit');
  });

  it('a failed load that touched the target fails', () => {
    const failed = { loadExit: 1, record: { ...record, committed: false } };
    const [field] = fieldsOf({ ...failed, before: { ...right.before, target: [] } }, { exit: 'failed' });
    expect(field).toBe('exit');
  });

  it('an error that did not stop the load fails', () => {
    const findings = [...record.findings, { ...finding({ kind: 'extra_column' }), severity: 'error' as const }];
    expect(fieldsOf({ record: { ...record, findings } })).toEqual(['exit']);
  });

  it('counts of several findings of one kind and column are summed, their examples and files united', () => {
    const listed = { kind: 'invalid_value', column: 'id', count: 3, files: ['a.csv', 'b.csv'], examples: ['x', 'y'] };
    const parts = [
      { ...listed, count: 1, files: ['a.csv'], examples: ['x'] },
      { ...listed, count: 2, files: ['b.csv'], examples: ['y'] },
    ];
    expect(fieldsOf({ record: { ...record, findings: parts.map(finding) } }, { divergences: [listed] })).toEqual([]);
    expect(fieldsOf({ record: { ...record, findings: parts.slice(1).map(finding) } }, { divergences: [listed] })).toEqual([
      'divergences[0].count',
      'divergences[0].files[0]',
      'divergences[0].examples[0]',
    ]);
  });

  it('a field that nobody compares fails', () => {
    expect(fieldsOf({}, { colour: 'red' } as Partial<Expectation>)).toEqual(['colour']);
  });

  it('a probe whose answer differs fails', () => {
    const probes = { target_summary: [['select count(*) from t', '2'], { sql: 'select 1', result: 1 }] };
    expect(fieldsOf({ summary: ['2', '1'] }, probes)).toEqual([]);
    expect(fieldsOf({ summary: ['3', '1'] }, probes)).toEqual(['target_summary[0]']);
  });
});
