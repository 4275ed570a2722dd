/** Counts and examples of what staging found. Everything is an aggregate over flagged rows or over single bits. */
import type { Plan } from '../../core/plan/plan.ts';
import type { DayMonthEffect, Effects, FileEffect, IssueCount, Malformed, PathCount, PlacedExample } from '../../run/effects.ts';
import { dayMonthShape } from './coerce/temporal-day-month.ts';
import type { Row, Session } from './driver.ts';
import type { Fates } from './fates.ts';
import { literal } from './quote.ts';
import { type Bit, bitSet, fateTable, flaggedTable, stageTable } from './stage-columns.ts';
import { bitKey, type Staged } from './stage.ts';
import { noteKey } from './stage-sql.ts';

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
  const found = [...(await issueExamples(request)), ...(await noteExamples(request)), ...(await outsideExamples(request))];
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
    issues: await countIssues(request),
    examples: found.map((example) => placeExample(example, staged)),
    notes: countBits(
      request,
      staged.notes.notes.map((note) => ({ path: note.path, from: note.from, bit: note.bit })),
    ),
    extras: countBits(
      request,
      staged.layout.extras.map((bit, i) => ({ path: request.plan.extras[i]?.name ?? '', extra: i, bit })),
    ),
    unknown: await countUnknown(request),
    absent: countBits(
      request,
      staged.layout.columns.flatMap((column) => (column.absent ? [{ path: column.planned.target.name, bit: column.absent }] : [])),
    ),
    dayMonth: await dayMonthOrder(request),
    duplicates: fates.duplicates,
    outside: fates.outside,
  };
}

/** Texts for people: where U+0000 was, its symbol. */
const shown = (text: string | null | undefined, { nulMark }: Staged): string | null =>
  text === null || text === undefined ? null : nulMark === undefined ? text : text.replaceAll(nulMark, '\u2400');

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
  return { path, code, value: shown(value, staged), file: place?.file ?? null, record: place?.record ?? null, line: null };
}

function fileEffects({ files, malformed }: Staged): readonly FileEffect[] {
  const read = new Map<number, number>();
  for (const [file, { rows }] of files) read.set(file, rows);
  for (const { file } of malformed) read.set(file, (read.get(file) ?? 0) + 1);
  return [...read].map(([file, count]) => ({ file, read: count })).sort((a, b) => a.file - b.file);
}

/** Every issue of every flagged row. */
const issuesSql = `(SELECT w.n, w.file, w.reject, i.issue ->> 'path' AS path, i.issue ->> 'code' AS code, i.issue ->> 'outcome' AS outcome, i.issue ->> 'value' AS value
  FROM ${flaggedTable} w CROSS JOIN LATERAL jsonb_array_elements(w.issues) i(issue)) i`;

async function countIssues({ session, fates, staged }: EffectsRequest): Promise<readonly IssueCount[]> {
  if (staged.totals.flagged === 0) return [];
  const kept = fates.any ? `AND NOT EXISTS (SELECT 1 FROM ${fateTable} f WHERE f.n = i.n)` : '';
  const rows = await session.rows(`
    SELECT file, path, code, outcome, count(DISTINCT n) AS records, count(DISTINCT n) FILTER (WHERE NOT reject ${kept}) AS loaded
    FROM ${issuesSql} GROUP BY file, path, code, outcome ORDER BY file, path COLLATE "C", code COLLATE "C", outcome`);
  return rows.map((row) => ({
    file: Number(row['file']),
    path: row['path'] ?? null,
    code: String(row['code']),
    outcome: row['outcome'] as IssueCount['outcome'],
    records: Number(row['records']),
    loaded: Number(row['loaded']),
  }));
}

async function issueExamples({ session, maxExamples, staged }: EffectsRequest): Promise<readonly RowExample[]> {
  if (staged.totals.flagged === 0) return [];
  const rows = await session.rows(`
    SELECT path, code, value, n FROM (SELECT *, row_number() OVER (PARTITION BY path, code ORDER BY n) AS place FROM ${issuesSql}) x
    WHERE place <= ${maxExamples} ORDER BY n`);
  return rows.map((row) => ({ path: row['path'] ?? null, code: String(row['code']), value: row['value'] ?? null, row: Number(row['n']) }));
}

interface NamedBit {
  readonly path: string;
  readonly from?: string;
  readonly extra?: number;
  readonly bit: Bit;
}

const isSet = ({ totals }: Staged, bit: Bit): boolean => totals.bits.has(bitKey(bit));

/** Rows per file in which each bit is set. */
function countBits({ staged }: EffectsRequest, bits: readonly NamedBit[]): readonly PathCount[] {
  const counts = bits.flatMap(({ bit, ...named }) =>
    [...(staged.totals.bits.get(bitKey(bit)) ?? [])].map(([file, records]): PathCount => ({ file, ...named, records })),
  );
  return counts.toSorted((a, b) => a.file - b.file);
}

async function countUnknown({ session, plan, staged }: EffectsRequest): Promise<readonly PathCount[]> {
  const mayHold = plan.groups.some((group) => group.form !== 'text');
  if (!mayHold) return [];
  const rows = await session.rows(`
    SELECT file, k, count(DISTINCT n) AS records FROM (
      SELECT file, n, json_array_elements_text(unknown::json) AS k FROM ${stageTable} WHERE unknown IS NOT NULL) x
    GROUP BY file, k ORDER BY k COLLATE "C", file`);
  const original = (name: string): string => (staged.nulMark === undefined ? name : name.replaceAll(staged.nulMark, '\0'));
  return rows.map((row) => ({ file: Number(row['file']), path: original(String(row['k'])), records: Number(row['records']) }));
}

/** Texts of values that came in another type, from the records as they came: the staged value no longer has its leading zeros. */
async function noteExamples({ session, staged, maxExamples }: EffectsRequest): Promise<readonly RowExample[]> {
  const examples: RowExample[] = [];
  for (const note of staged.notes.notes.filter(({ bit }) => isSet(staged, bit))) {
    const rows = await session.rows(`SELECT n FROM ${stageTable} WHERE ${bitSet(note.bit)} ORDER BY n LIMIT ${maxExamples}`);
    const numbers = rows.map((row) => Number(row['n']));
    const texts = new Map<number, string | null>();
    for (const group of staged.groups) {
      const select = group.noteTexts(numbers).get(noteKey(note.path, note.from));
      const found: readonly Row[] = select === undefined ? [] : await session.rows(select);
      for (const row of found) texts.set(Number(row['n']), row['x'] ?? null);
    }
    examples.push(...numbers.map((row) => ({ path: note.path, code: `type_mismatch:${note.from}`, value: texts.get(row) ?? null, row })));
  }
  return examples;
}

async function outsideExamples({ session, plan, staged, fates, maxExamples }: EffectsRequest): Promise<readonly RowExample[]> {
  if (fates.outside === 0 || plan.partition === null) return [];
  const columns = plan.partition.columns.map(
    (name) => staged.layout.columns.find((column) => column.planned.target.name === name)?.name ?? 'NULL',
  );
  const rows = await session.rows(`
    SELECT s.n, concat_ws(',', ${columns.map((column) => `${column}::text`).join(', ')}) AS v
    FROM ${stageTable} s WHERE s.n IN (SELECT n FROM ${fateTable} WHERE fate = 'outside') ORDER BY s.n LIMIT ${maxExamples}`);
  return rows.map((row) => ({
    path: plan.partition?.columns.join(',') ?? null,
    code: 'outside_partition',
    value: String(row['v']),
    row: Number(row['n']),
  }));
}

const dated = new Set(['date', 'timestamp', 'timestamptz']);

/** Whether refused dates without a declared format read as day and month, or as month and day. */
async function dayMonthOrder({ session, plan, staged }: EffectsRequest): Promise<readonly DayMonthEffect[]> {
  const paths = plan.columns
    .filter((column) => dated.has(column.target.type.kind) && column.rule.formats === undefined)
    .map((column) => column.target.name);
  if (paths.length === 0 || staged.totals.flagged === 0) return [];
  const shape = dayMonthShape('v');
  const rows = await session.rows(`
    SELECT path, count(*) AS n, count(*) FILTER (WHERE looks) AS looks, count(*) FILTER (WHERE looks AND d) AS d, count(*) FILTER (WHERE looks AND m) AS m,
      to_json((array_agg(DISTINCT v) FILTER (WHERE looks AND d <> m))[1:3]) AS deciding
    FROM (SELECT path, v, ${shape.looks} AS looks, ${shape.dayFirst} AS d, ${shape.monthFirst} AS m FROM (
      SELECT path, value COLLATE "C" AS v FROM ${issuesSql} WHERE code = 'invalid_value' AND path IN (${paths.map(literal).join(', ')}) OFFSET 0) x) y
    GROUP BY path`);
  return rows.map((row) => ({
    path: String(row['path']),
    values: Number(row['n']),
    looks: Number(row['looks']),
    dayFirst: Number(row['d']),
    monthFirst: Number(row['m']),
    deciding: JSON.parse(row['deciding'] ?? '[]') as string[],
  }));
}
