/** Counts and examples of what staging found. Each look at the staged rows is a job at the server, so nothing is asked that the totals rule out. */
import type { Plan } from '../../core/plan/plan.ts';
import type { DayMonthEffect, Effects, FileEffect, IssueCount, Malformed, PathCount, PlacedExample } from '../../run/effects.ts';
import { dayMonthShape } from './coerce/temporal-day-month.ts';
import type { Cell, Row, Session } from './driver.ts';
import type { Fates } from './fates.ts';
import { literal } from './quote.ts';
import { type Bit, bitSet, fateTable, stageTable } from './stage-columns.ts';
import type { Staged } from './stage.ts';

export interface EffectsRequest {
  readonly session: Session;
  readonly plan: Plan;
  readonly staged: Staged;
  readonly fates: Fates;
  readonly maxExamples: number;
}

/** An example that still names its staged row. */
interface RowExample {
  readonly path: string | null;
  readonly code: string;
  readonly value: string | null;
  readonly row: number;
}

export async function countEffects(request: EffectsRequest): Promise<Effects> {
  const { staged, fates } = request;
  const files = fileEffects(staged);
  const issues = await countIssues(request);
  const bits = await countBits(request);
  const found = [...issues.examples, ...(await noteExamples(request)), ...(await outsideExamples(request))];
  const read = files.reduce((sum, file) => sum + file.read, 0);
  const setAside = fates.duplicates.tied + fates.outside;
  const { rejected } = staged.totals;
  return {
    files,
    read,
    loaded: read - staged.malformed.length - rejected - setAside - fates.duplicates.superseded,
    quarantined: rejected + staged.malformed.length + setAside,
    superseded: fates.duplicates.superseded,
    malformed: staged.malformed,
    broken: staged.broken,
    issues: issues.counts,
    examples: found.map((example) => placeExample(example, staged)),
    ...bits,
    unknown: await countUnknown(request),
    dayMonth: await dayMonthOrder(request, issues.counts),
    duplicates: fates.duplicates,
    outside: fates.outside,
  };
}

/** Numbers of the malformed records of a file, in order. */
export function malformedOf(malformed: readonly Malformed[], file: number): readonly number[] {
  return malformed
    .filter((record) => record.file === file)
    .map(({ record }) => record)
    .sort((a, b) => a - b);
}

/** Record number of a staged row in its file: its own number among the good ones, and the malformed ones before it. */
function recordOf({ files, malformed }: Staged, row: number): { file: number; record: number } | null {
  for (const [file, { first, rows }] of files) {
    if (row < first || row >= first + rows) continue;
    let record = row - first + 1;
    for (const bad of malformedOf(malformed, file)) if (bad <= record) record += 1;
    return { file, record };
  }
  return null;
}

function placeExample({ path, code, value, row }: RowExample, staged: Staged): PlacedExample {
  const place = recordOf(staged, row);
  return { path, code, value, file: place?.file ?? null, record: place?.record ?? null, line: null };
}

function fileEffects({ files, malformed }: Staged): readonly FileEffect[] {
  const read = new Map<number, number>();
  for (const [file, { rows }] of files) read.set(file, rows);
  for (const { file } of malformed) read.set(file, (read.get(file) ?? 0) + 1);
  return [...read].map(([file, count]) => ({ file, read: count })).sort((a, b) => a.file - b.file);
}

interface Issues {
  readonly counts: readonly IssueCount[];
  readonly examples: readonly RowExample[];
}

/** Every issue of every flagged row, counted, with the first of each kind. */
async function countIssues({ session, staged, fates, maxExamples }: EffectsRequest): Promise<Issues> {
  if (staged.totals.flagged === 0) return { counts: [], examples: [] };
  const left = fates.any ? ` LEFT JOIN ${fateTable} f ON f.n = s.n` : '';
  const each =
    `SELECT s.n, s.file, NOT s.reject${fates.any ? ' AND f.n IS NULL' : ''} AS loaded, explode(s.issues) AS i ` +
    `FROM ${stageTable} s${left} WHERE s.issues IS NOT NULL`;
  const ranked =
    `SELECT n, file, loaded, i.path AS path, i.code AS code, i.outcome AS outcome, i.value AS value, ` +
    `row_number() OVER (PARTITION BY i.path, i.code ORDER BY n) AS place FROM (${each})`;
  const rows = await session.rows(
    `SELECT file, path, code, outcome, count(DISTINCT n) AS records, count(DISTINCT CASE WHEN loaded THEN n END) AS kept, ` +
      `sort_array(collect_list(CASE WHEN place <= ${maxExamples} THEN struct(place, n, value) END)) AS examples ` +
      `FROM (${ranked}) GROUP BY file, path, code, outcome ORDER BY file, path, code, outcome`,
  );
  return {
    counts: rows.map((row) => ({
      file: Number(row['file']),
      path: row['path'] as string | null,
      code: String(row['code']),
      outcome: row['outcome'] as IssueCount['outcome'],
      records: Number(row['records']),
      loaded: Number(row['kept']),
    })),
    examples: rows.flatMap(examplesOf).sort((a, b) => a.row - b.row),
  };
}

function examplesOf(row: Row): RowExample[] {
  const listed = (row['examples'] ?? []) as { readonly [key: string]: Cell }[];
  return listed.map((one) => ({
    path: row['path'] as string | null,
    code: String(row['code']),
    value: one['value'] as string | null,
    row: Number(one['n']),
  }));
}

interface NamedBit {
  readonly kind: 'notes' | 'extras' | 'absent';
  readonly count: Omit<PathCount, 'file' | 'records'>;
  readonly bit: Bit;
}

const isSet = ({ totals }: Staged, { mask, bit }: Bit): boolean => (((totals.bits.get(mask) ?? 0n) >> BigInt(bit)) & 1n) === 1n;

function namedBits({ staged, plan }: EffectsRequest): readonly NamedBit[] {
  const { layout, notes } = staged;
  return [
    ...notes.notes.map(({ path, from, bit }): NamedBit => ({ kind: 'notes', count: { path, from }, bit })),
    ...layout.extras.map((bit, i): NamedBit => ({ kind: 'extras', count: { path: plan.extras[i]?.name ?? '', extra: i }, bit })),
    ...layout.columns.flatMap((column): NamedBit[] =>
      column.absent ? [{ kind: 'absent', count: { path: column.planned.target.name }, bit: column.absent }] : [],
    ),
  ];
}

/** Rows per file in which each bit is set; bits that no row has set are not counted. */
async function countBits(request: EffectsRequest): Promise<Pick<Effects, 'notes' | 'extras' | 'absent'>> {
  const set = namedBits(request).filter(({ bit }) => isSet(request.staged, bit));
  const found = { notes: [] as PathCount[], extras: [] as PathCount[], absent: [] as PathCount[] };
  if (set.length === 0) return found;
  const rows = await request.session.rows(
    `SELECT file, ${set.map(({ bit }, i) => `count_if(${bitSet(bit)}) AS n${i}`).join(', ')} FROM ${stageTable} GROUP BY file ORDER BY file`,
  );
  for (const row of rows) {
    for (const [i, { kind, count }] of set.entries()) {
      const records = Number(row[`n${i}`]);
      if (records > 0) found[kind].push({ file: Number(row['file']), ...count, records });
    }
  }
  return found;
}

async function countUnknown({ session, staged }: EffectsRequest): Promise<readonly PathCount[]> {
  if (staged.totals.unknown === 0) return [];
  const rows = await session.rows(`
    SELECT file, k, count(DISTINCT n) AS records FROM (SELECT file, n, explode(unknown) AS k FROM ${stageTable} WHERE unknown IS NOT NULL)
    GROUP BY file, k ORDER BY k, file`);
  return rows.map((row) => ({ file: Number(row['file']), path: String(row['k']), records: Number(row['records']) }));
}

/** Texts of values that came in another type, from the records as they came: the staged value no longer has its leading zeros. */
async function noteExamples({ session, staged, maxExamples }: EffectsRequest): Promise<readonly RowExample[]> {
  const notes = staged.notes.notes.filter(({ bit }) => isSet(staged, bit));
  if (notes.length === 0) return [];
  const first = notes.map(
    (note, i) => `SELECT ${i} AS note, n FROM (SELECT n FROM ${stageTable} WHERE ${bitSet(note.bit)} ORDER BY n LIMIT ${maxExamples})`,
  );
  const rows = await session.rows(first.join(' UNION ALL '));
  const texts: string[] = [];
  for (const [i, note] of notes.entries()) {
    const numbers = rows.filter((row) => Number(row['note']) === i).map((row) => Number(row['n']));
    for (const group of staged.groups) {
      const select = group.noteText(note, numbers);
      if (select !== undefined) texts.push(`SELECT ${i} AS note, n, x FROM (${select})`);
    }
  }
  const found = texts.length === 0 ? [] : await session.rows(texts.join(' UNION ALL '));
  const textOf = new Map(found.map((row) => [`${row['note']} ${row['n']}`, row['x'] as string | null]));
  return rows.flatMap((row): RowExample[] => {
    const note = notes[Number(row['note'])];
    const value = textOf.get(`${row['note']} ${row['n']}`) ?? null;
    return note === undefined ? [] : [{ path: note.path, code: `type_mismatch:${note.from}`, value, row: Number(row['n']) }];
  });
}

async function outsideExamples({ session, plan, staged, fates, maxExamples }: EffectsRequest): Promise<readonly RowExample[]> {
  const { partition } = plan;
  if (fates.outside === 0 || partition === null) return [];
  const columns = partition.columns.map(
    (name) => staged.layout.columns.find((column) => column.planned.target.name === name)?.name ?? 'NULL',
  );
  const rows = await session.rows(`
    SELECT s.n AS n, concat_ws(',', ${columns.map((column) => `CAST(s.${column} AS STRING)`).join(', ')}) AS v
    FROM ${stageTable} s JOIN ${fateTable} f ON f.n = s.n WHERE f.fate = 'outside' ORDER BY n LIMIT ${maxExamples}`);
  return rows.map((row) => ({
    path: partition.columns.join(','),
    code: 'outside_partition',
    value: String(row['v']),
    row: Number(row['n']),
  }));
}

const dated = new Set(['date', 'timestamp', 'timestamptz']);

/** Whether refused dates without a declared format read as day and month, or as month and day. */
async function dayMonthOrder({ session, plan }: EffectsRequest, issues: readonly IssueCount[]): Promise<readonly DayMonthEffect[]> {
  const paths = plan.columns
    .filter((column) => dated.has(column.target.type.kind) && column.rule.formats === undefined)
    .map((column) => column.target.name)
    .filter((name) => issues.some(({ path, code }) => path === name && code === 'invalid_value'));
  if (paths.length === 0) return [];
  const shape = dayMonthShape('v');
  const rows = await session.rows(`
    SELECT path, count(*) AS n, count_if(looks) AS looks, count_if(looks AND d) AS d, count_if(looks AND m) AS m,
      slice(sort_array(collect_set(CASE WHEN looks AND d <> m THEN v END)), 1, 3) AS deciding
    FROM (SELECT path, v, ${shape.looks} AS looks, ${shape.dayFirst} AS d, ${shape.monthFirst} AS m FROM (
      SELECT i.path AS path, i.value AS v FROM (SELECT explode(issues) AS i FROM ${stageTable} WHERE issues IS NOT NULL)
      WHERE i.code = 'invalid_value' AND i.path IN (${paths.map(literal).join(', ')})))
    GROUP BY path`);
  return rows.map((row) => ({
    path: String(row['path']),
    values: Number(row['n']),
    looks: Number(row['looks']),
    dayFirst: Number(row['d']),
    monthFirst: Number(row['m']),
    deciding: (row['deciding'] as string[] | null) ?? [],
  }));
}
