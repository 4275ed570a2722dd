/** Counts and examples of what staging found. Everything is an aggregate over flagged rows or over single bits. */
import type { Plan } from '../../core/plan/plan.ts';
import type { DayMonthEffect, Effects, FileEffect, IssueCount, Malformed, PathCount, PlacedExample } from '../../run/effects.ts';
import { dayMonthShape } from './coerce/temporal-day-month.ts';
import type { Session } from './driver.ts';
import { literal } from './quote.ts';
import { batchSql, type Fates } from './fates.ts';
import { type Bit, bitSet, fateTable, flaggedTable, type StagedNote, stageTable } from './stage-columns.ts';
import { fetchKept, fetchRows, isJson } from './fetch-rows.ts';
import type { Staged } from './stage.ts';
import { noteKey, stagedText } from './stage-sql.ts';
import { storedTexts } from './stored-values.ts';

export interface EffectsRequest {
  readonly session: Session;
  readonly plan: Plan;
  readonly staged: Staged;
  readonly fates: Fates;
  readonly origins: Origins;
  readonly maxExamples: number;
}

/** An example that still names its staged row. */
interface RowExample {
  readonly path: string | null;
  readonly code: string;
  readonly value: string | null;
  readonly row: number;
  /** What is stored in its place, where a rule has altered it. */
  readonly stored?: string | null;
}

export async function countEffects(request: EffectsRequest): Promise<Effects> {
  const { session, staged, fates, origins: origin } = request;
  const totals = await session.one(
    `SELECT count(*) FILTER (reject) AS rejected, (SELECT count(*) FROM ${batchSql(fates)}) AS loaded FROM ${stageTable}`,
  );
  const files = fileEffects(origin, staged.malformed);
  const found = [...(await issueExamples(request)), ...(await noteExamples(request)), ...(await outsideExamples(request))];
  const malformed = staged.malformed.map((record) => ({ ...record, reason: record.reason }));
  return {
    files,
    read: files.reduce((sum, file) => sum + file.read, 0),
    loaded: Number(totals['loaded']),
    quarantined: Number(totals['rejected']) + malformed.length + fates.duplicates.tied + fates.outside,
    superseded: fates.duplicates.superseded,
    malformed,
    broken: staged.broken,
    issues: await countIssues(request),
    examples: found.map((example) => placeExample(example, origin)),
    ...(await countMarks(request)),
    unknown: await countUnknown(session),
    dayMonth: await dayMonthOrder(request),
    duplicates: fates.duplicates,
    outside: fates.outside,
  };
}

/** Where the rows of each file begin in the staging table, and which record numbers malformed records take up between them. */
export interface Origins {
  readonly files: ReadonlyMap<number, { readonly first: number; readonly rows: number }>;
  readonly malformed: ReadonlyMap<number, readonly number[]>;
}

export async function readOrigins(session: Session, staged: Staged): Promise<Origins> {
  const rows = await session.rows(`SELECT file, min(rowid) AS first, count(*) AS n FROM ${stageTable} GROUP BY file`);
  const malformed = new Map<number, number[]>();
  for (const { file, record } of staged.malformed) malformed.set(file, [...(malformed.get(file) ?? []), record]);
  for (const list of malformed.values()) list.sort((a, b) => a - b);
  return { files: new Map(rows.map((row) => [Number(row['file']), { first: Number(row['first']), rows: Number(row['n']) }])), malformed };
}

/** Record number of a staged row in its file. */
function recordOf(origins: Origins, row: number): { file: number; record: number } | null {
  for (const [file, { first, rows }] of origins.files) {
    if (row < first || row >= first + rows) continue;
    let record = row - first + 1;
    for (const bad of origins.malformed.get(file) ?? []) if (bad <= record) record += 1;
    return { file, record };
  }
  return null;
}

function placeExample({ path, code, value, row, stored }: RowExample, origins: Origins): PlacedExample {
  const place = recordOf(origins, row);
  const placed = { path, code, value, file: place?.file ?? null, record: place?.record ?? null, line: null };
  return stored === undefined ? placed : { ...placed, stored };
}

function fileEffects(origins: Origins, malformed: readonly Malformed[]): readonly FileEffect[] {
  const read = new Map<number, number>();
  for (const [file, { rows }] of origins.files) read.set(file, rows);
  for (const { file } of malformed) read.set(file, (read.get(file) ?? 0) + 1);
  return [...read].map(([file, count]) => ({ file, read: count })).sort((a, b) => a.file - b.file);
}

async function countIssues({ session, fates }: EffectsRequest): Promise<readonly IssueCount[]> {
  const kept = fates.any ? `AND r NOT IN (SELECT "row" FROM ${fateTable})` : '';
  const rows = await session.rows(`
    SELECT file, i.path AS path, i.code AS code, i.outcome AS outcome, count(DISTINCT r) AS records, count(DISTINCT r) FILTER (NOT reject ${kept}) AS loaded
    FROM (SELECT "row" AS r, file, reject, unnest(issues) AS i FROM ${flaggedTable})
    GROUP BY ALL ORDER BY ALL`);
  return rows.map((row) => ({
    file: Number(row['file']),
    path: row['path'] as string | null,
    code: String(row['code']),
    outcome: row['outcome'] as IssueCount['outcome'],
    records: Number(row['records']),
    loaded: Number(row['loaded']),
  }));
}

async function issueExamples(request: EffectsRequest): Promise<readonly RowExample[]> {
  const { session, staged, fates, maxExamples } = request;
  const rows = await session.rows(`
    SELECT i.path AS path, i.code AS code, i.value AS value, i.outcome AS outcome, r FROM (SELECT "row" AS r, unnest(issues) AS i FROM ${flaggedTable})
    QUALIFY row_number() OVER (PARTITION BY i.path, i.code ORDER BY r) <= ${maxExamples} ORDER BY r`);
  const examples = rows.map((row) => ({
    path: row['path'] as string | null,
    code: String(row['code']),
    value: row['value'] as string | null,
    outcome: String(row['outcome']),
    row: Number(row['r']),
  }));
  const stored = await storedTexts(session, { staged, someLost: fates.any }, examples);
  return withTokens(
    request,
    examples.map((example) => (stored.has(example) ? { ...example, stored: stored.get(example) ?? null } : example)),
  );
}

/** A JSON number that went through a double on its way to a column of numbers: `1.5` may have been written `1.50`. */
const doubleText = /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i;
const isDouble = (value: string | null): boolean => value !== null && /[.e]/i.test(value) && doubleText.test(value);

/** The same examples with JSON numbers as they are written, from what was kept of their rows. */
async function withTokens({ session, staged }: EffectsRequest, examples: readonly RowExample[]): Promise<readonly RowExample[]> {
  const mine = examples.filter(({ path, value }) => path !== null && isDouble(value));
  if (mine.length === 0 || !staged.units.some(isJson)) return examples;
  const places = staged.layout.columns.flatMap(({ planned }, i) => (mine.some(({ path }) => path === planned.target.name) ? [i] : []));
  const texts = await fetchKept(session, staged, [...new Set(mine.map(({ row }) => row))], places.map(stagedText));
  const tokens = new Map<RowExample, string | null>();
  for (const example of mine) {
    const at = places.findIndex((place) => staged.layout.columns[place]?.planned.target.name === example.path);
    tokens.set(example, texts.get(example.row)?.[at] ?? null);
  }
  return examples.map((example) => ({ ...example, value: tokens.get(example) ?? example.value }));
}

interface NamedBit {
  readonly list: 'notes' | 'extras' | 'absent';
  readonly path: string;
  readonly from?: string;
  readonly extra?: number;
  readonly bit: Bit;
}

/** Rows per file in which each remark, extra column and absent column occurs; those of no row are not listed. */
async function countMarks({ session, plan, staged }: EffectsRequest): Promise<Pick<Effects, 'notes' | 'extras' | 'absent'>> {
  const { layout, notes } = staged;
  const bits: readonly NamedBit[] = [
    ...notes.notes.map(({ path, from, bit }) => ({ list: 'notes' as const, path, from, bit })),
    ...layout.extras.map((bit, i) => ({ list: 'extras' as const, path: plan.extras[i]?.name ?? '', extra: i, bit })),
    ...layout.columns.flatMap(({ absent, planned }) =>
      absent === null ? [] : [{ list: 'absent' as const, path: planned.target.name, bit: absent }],
    ),
  ];
  const counts = await countBits(session, bits);
  const of = (list: NamedBit['list']): readonly PathCount[] =>
    counts.flatMap(({ list: own, ...count }) => (own === list ? [count] : [])).toSorted((a, b) => a.file - b.file);
  return { notes: of('notes'), extras: of('extras'), absent: of('absent') };
}

type MarkCount = PathCount & Pick<NamedBit, 'list'>;

/** Two passes over the masks: which bits occur at all, and how often these do. */
async function countBits(session: Session, bits: readonly NamedBit[]): Promise<readonly MarkCount[]> {
  if (bits.length === 0) return [];
  const masks = [...new Set(bits.map((entry) => entry.bit.mask))];
  const used = await session.one(
    `SELECT ${masks.map((mask) => `coalesce(bit_or(${mask}), 0)::VARCHAR AS ${mask}`).join(', ')} FROM ${stageTable}`,
  );
  const set = bits.filter(({ bit }) => (BigInt(String(used[bit.mask])) >> BigInt(bit.bit)) & 1n);
  const counts: MarkCount[] = [];
  for (let i = 0; i < set.length; i += bitsAtOnce) counts.push(...(await countSetBits(session, set.slice(i, i + bitsAtOnce))));
  return counts;
}

/** The engine's planner takes time that grows with the square of the aggregates in one query. */
const bitsAtOnce = 63;

async function countSetBits(session: Session, set: readonly NamedBit[]): Promise<readonly MarkCount[]> {
  const counts = await session.rows(
    `SELECT file, ${set.map(({ bit }, i) => `count(*) FILTER (${bitSet(bit)}) AS n${i}`).join(', ')} FROM ${stageTable} GROUP BY file ORDER BY file`,
  );
  return counts.flatMap((row) =>
    set.flatMap(({ bit: _bit, ...named }, i): MarkCount[] => {
      const records = Number(row[`n${i}`]);
      return records === 0 ? [] : [{ file: Number(row['file']), ...named, records }];
    }),
  );
}

async function countUnknown(session: Session): Promise<readonly PathCount[]> {
  const rows = await session.rows(`
    SELECT file, k, count(*) AS n FROM (SELECT file, rowid AS r, unnest(list_distinct(unknown)) AS k FROM ${stageTable} WHERE unknown IS NOT NULL)
    GROUP BY file, k ORDER BY k, file`);
  return rows.map((row) => ({ file: Number(row['file']), path: String(row['k']), records: Number(row['n']) }));
}

/** Texts of values that came in another type, read again from the source: the staged value no longer has its leading zeros. */
async function noteExamples(request: EffectsRequest): Promise<readonly RowExample[]> {
  const { session, staged } = request;
  const noted = await notedRows(request);
  if (noted.length === 0) return [];
  const texts = await fetchRows(session, staged, [...new Set(noted.flatMap(({ rows }) => rows))], (unit) =>
    noted.map(({ note }) => unit.sql.noteValues.get(noteKey(note.path, note.from))?.value ?? 'NULL'),
  );
  return noted.flatMap(({ note, rows }, i) =>
    rows.map((row): RowExample => ({ path: note.path, code: `type_mismatch:${note.from}`, value: texts.get(row)?.[i] ?? null, row })),
  );
}

interface Noted {
  readonly note: StagedNote;
  readonly rows: readonly number[];
}

/** The first rows of each remark. */
async function notedRows({ session, staged, maxExamples }: EffectsRequest): Promise<readonly Noted[]> {
  if (maxExamples === 0) return [];
  const { notes } = staged.notes;
  const noted: Noted[] = [];
  for (let start = 0; start < notes.length; start += bitsAtOnce) {
    const part = notes.slice(start, start + bitsAtOnce);
    const lists = part.map(({ bit }, i) => `min(rowid, ${maxExamples}) FILTER (${bitSet(bit)}) AS n${i}`);
    const found = await session.one(`SELECT ${lists.join(', ')} FROM ${stageTable}`);
    part.forEach((note, i) => {
      const rows = (found[`n${i}`] as readonly string[] | null) ?? [];
      if (rows.length > 0) noted.push({ note, rows: rows.map(Number) });
    });
  }
  return noted;
}

async function outsideExamples({ session, plan, staged, fates, maxExamples }: EffectsRequest): Promise<readonly RowExample[]> {
  if (fates.outside === 0 || plan.partition === null) return [];
  const columns = plan.partition.columns.map(
    (name) => staged.layout.columns.find((column) => column.planned.target.name === name)?.name ?? 'NULL',
  );
  const rows = await session.rows(`
    SELECT s.rowid AS r, concat_ws(',', ${columns.map((column) => `${column}::VARCHAR`).join(', ')}) AS v
    FROM ${stageTable} s WHERE s.rowid IN (SELECT "row" FROM ${fateTable} WHERE fate = 'outside') ORDER BY s.rowid LIMIT ${maxExamples}`);
  return rows.map((row) => ({
    path: plan.partition?.columns.join(',') ?? null,
    code: 'outside_partition',
    value: String(row['v']),
    row: Number(row['r']),
  }));
}

const dated = new Set(['date', 'timestamp', 'timestamptz']);

/** Whether refused dates without a declared format read as day and month, or as month and day. */
async function dayMonthOrder({ session, plan }: EffectsRequest): Promise<readonly DayMonthEffect[]> {
  const paths = plan.columns
    .filter((column) => dated.has(column.target.type.kind) && column.rule.formats === undefined)
    .map((column) => column.target.name);
  if (paths.length === 0) return [];
  const shape = dayMonthShape('v');
  const rows = await session.rows(`
    SELECT path, count(*) AS n, count(*) FILTER (looks) AS looks, count(*) FILTER (looks AND d) AS d, count(*) FILTER (looks AND m) AS m,
      list_slice(list(DISTINCT v ORDER BY v) FILTER (looks AND d <> m), 1, 3) AS deciding
    FROM (SELECT path, v, ${shape.looks} AS looks, ${shape.dayFirst} AS d, ${shape.monthFirst} AS m FROM (
      SELECT i.path AS path, i.value AS v FROM (SELECT unnest(issues) AS i FROM ${flaggedTable})
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
