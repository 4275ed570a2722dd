/** Types that hold every value of a source, found by trying the coercion law itself on the rows. */
import { invariant } from '../../core/fault.ts';
import { builtInRule } from '../../core/model/policy.ts';
import type { Column } from '../../core/model/schema.ts';
import { boolean, decimal, float, int, json, list, type LogicalType, string, struct } from '../../core/model/type.ts';
import type { SourceGroup } from '../../core/plan/plan.ts';
import type { Inferred } from '../../run/engine.ts';
import { coerceSql } from './coerce/coerce.ts';
import type { Row, Session } from './driver.ts';
import { jsonStringCandidates, mayTake, textCandidates } from './infer-candidates.ts';

export interface InferUnit {
  readonly group: SourceGroup;
  /** SELECT with columns r0, r1, … as text or JSON tokens. */
  readonly sql: string;
}

interface Tally {
  rows: number;
  present: number;
  /** Values that the candidate under test takes. */
  fits: number;
  /** Of JSON: the strings, which alone are tried. */
  texts: number | undefined;
  zeros: number;
  /** Largest count of significant digits, of digits before the point and after it, of numbers with a fraction. */
  digits: number;
  before: number;
  after: number;
  kinds: { string: number; number: number; whole: number; boolean: number; object: number; array: number };
  structure: string | null;
  nulls: number;
}

/** A column of the source, in whichever units it occurs. */
interface Sought {
  readonly name: string;
  readonly key: string;
  readonly typed: LogicalType | undefined;
  /** Candidates that are left, the narrowest first; the first one is tried next. */
  candidates: readonly LogicalType[];
  tally: Tally | undefined;
}

/**
 * The narrowest type that takes every value of a column. The first rows rule most candidates out; the rest are tried on all rows, one after
 * the other, as long as a column needs it: mostly once. The tallies of all units are put together by column name.
 */
export async function inferTypes(session: Session, units: readonly InferUnit[], sampled: boolean): Promise<Inferred> {
  const sought = new Map<string, Sought>();
  for (const unit of units) await plausible(session, unit, sought);
  let rows = 0;
  let open = [...sought.values()];
  // Once also where there are no columns: the rows are counted, and a document that breaks off shows.
  do {
    for (const column of open) column.tally = undefined;
    rows = 0;
    for (const unit of units) rows += await tryAll(session, unit, new Set(open.map(({ key }) => key)), sought);
    for (const column of open) if (!isSettled(column)) column.candidates = column.candidates.slice(1);
    open = open.filter((column) => !isSettled(column));
  } while (open.length > 0);
  const forms = new Set(units.map((unit) => unit.group.form));
  const columns = [...sought.values()].map(({ name, typed, tally, candidates }): Column => {
    invariant(tally, 'every column was tried');
    const [fitting] = candidates;
    const type = typed ?? (forms.has('json') ? jsonType(tally, fitting) : textType(tally, fitting));
    return { name, type, nullable: tally.nulls > 0 || tally.present < rows || rows === 0 };
  });
  return { schema: { columns }, evidence: { rows, sampled } };
}

const isSettled = ({ candidates, tally }: Sought): boolean =>
  tally !== undefined && (candidates.length === 0 || tally.fits === (tally.texts ?? tally.present));

/** Adds the columns of a unit, with the candidates that take the texts which its first rows show. */
async function plausible(session: Session, unit: InferUnit, sought: Map<string, Sought>): Promise<void> {
  const { form, columns } = unit.group;
  const texts = columns.map((column, i) => (isTyped(form, column.type) ? undefined : textSql(form, `r${i}`)));
  const shown = texts.flatMap((text, i) =>
    text === undefined ? [] : [`list_filter([min(${text}), max(${text}), any_value(${text})], lambda v: v IS NOT NULL) AS v_${i}`],
  );
  const seen =
    shown.length === 0 ? {} : await session.one(`SELECT ${shown.join(', ')} FROM (SELECT * FROM (${unit.sql}) LIMIT ${firstRows})`);
  for (const [i, column] of columns.entries()) {
    const key = keyOf(columns, i);
    const typed = isTyped(form, column.type) ? column.type : sought.get(key)?.typed;
    const before = sought.get(key)?.candidates ?? (form === 'json' ? jsonStringCandidates : textCandidates);
    const candidates = texts[i] === undefined ? [] : mayTake(before, (seen[`v_${i}`] as string[] | null | undefined) ?? []);
    sought.set(key, { name: column.name, key, typed, candidates, tally: undefined });
  }
}

/** Rows that are looked at before all are tried. */
const firstRows = 1000;

const isTyped = (form: SourceGroup['form'], type: LogicalType | undefined): boolean =>
  form === 'typed' && type !== undefined && type.kind !== 'unknown';

/** Tries the next candidate of each open column on the rows of a unit; the answer is the number of rows. */
async function tryAll(session: Session, unit: InferUnit, open: ReadonlySet<string>, sought: ReadonlyMap<string, Sought>): Promise<number> {
  const { form, columns } = unit.group;
  const tried = columns.flatMap((column, i) => {
    const found = sought.get(keyOf(columns, i));
    return found !== undefined && open.has(found.key) ? [{ i, found, typed: isTyped(form, column.type) }] : [];
  });
  const sql = tried.map(({ i, found, typed }) => tallySql(form, i, typed ? 'typed' : found.candidates[0]));
  const row = await session.one(`SELECT count(*) AS n${sql.join('')} FROM (${unit.sql})`);
  for (const { i, found } of tried) found.tally = addTally(found.tally, readTally(row, i));
  return Number(row['n']);
}

/** A name that stands twice in one header is two columns. */
function keyOf(columns: SourceGroup['columns'], position: number): string {
  const name = columns[position]?.name ?? '';
  const before = columns.slice(0, position).filter((column) => column.name === name).length;
  return before === 0 ? name : `${name}\0${before}`;
}

const trimmed = (x: string): string => `trim(${x}, ' ' || chr(9) || chr(10) || chr(11) || chr(12) || chr(13))`;

/** Count of the texts that a candidate takes. */
function fitsSql(x: string, to: LogicalType | undefined, i: number): string {
  if (to === undefined) return '';
  const input = { raw: x, text: x, strict: 'NULL' };
  const sql = coerceSql({ path: 'x', from: { form: 'text' }, to, rule: builtInRule, nested: new Map() }, input, { nul: true });
  return `, count(${sql.strict}) AS f_${i}`;
}

/** The text of a raw value that is no JSON token, or is a JSON string. */
function textSql(form: SourceGroup['form'], x: string): string {
  return form === 'json' ? `CASE WHEN ${x} < '#' THEN json_extract_string(${x}, '$') END` : x;
}

function tallySql(form: SourceGroup['form'], i: number, candidate: LogicalType | 'typed' | undefined): string {
  const x = `r${i}`;
  if (candidate === 'typed') return `, count(${x}) AS p_${i}`;
  if (form === 'json') return jsonTallySql(x, i, candidate);
  const fits = `, count(${x}) AS p_${i}${fitsSql(x, candidate, i)}`;
  if (candidate?.kind !== 'int' && candidate?.kind !== 'float') return fits;
  const number = `CASE WHEN regexp_full_match(${trimmed(x)}, '[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)') THEN ${trimmed(x)} END`;
  const zeros = `, count(*) FILTER (regexp_full_match(${trimmed(x)}, '[+-]?0[0-9]+')) AS z_${i}`;
  return `${fits}${zeros}${candidate.kind === 'float' ? digitsSql(number, i) : ''}`;
}

function digitsSql(number: string, i: number): string {
  return (
    `, coalesce(max(length(ltrim(regexp_replace(${number}, '[^0-9]', '', 'g'), '0'))), 0) AS d_${i}` +
    `, coalesce(max(length(ltrim(regexp_extract(${number}, '([0-9]*)', 1), '0'))), 0) AS b_${i}` +
    `, coalesce(max(length(rtrim(regexp_extract(${number}, '[.]([0-9]*)', 1), '0'))), 0) AS a_${i}`
  );
}

function jsonTallySql(x: string, i: number, candidate: LogicalType | undefined): string {
  const isString = `${x} < '#'`;
  const text = textSql('json', x);
  const number = `CASE WHEN ${x}[1] IN ('-','0','1','2','3','4','5','6','7','8','9') THEN ${x} END`;
  return (
    `, count(${x}) AS p_${i}, count(*) FILTER (${isString}) AS ks_${i}, count(${number}) AS kn_${i}` +
    `, count(*) FILTER (regexp_full_match(${number}, '-?[0-9]{1,18}')) AS kw_${i}, count(*) FILTER (${x} IN ('true','false')) AS kb_${i}` +
    `, count(*) FILTER (${x}[1] = '{') AS ko_${i}, count(*) FILTER (${x}[1] = '[') AS ka_${i}` +
    `, json_group_structure(CASE WHEN ${x}[1] IN ('{','[') THEN ${x}::JSON END)::VARCHAR AS st_${i}${fitsSql(text, candidate, i)}${digitsSql(number, i)}`
  );
}

function readTally(row: Row, i: number): Tally {
  const n = (name: string): number => Number(row[`${name}_${i}`] ?? 0);
  const rows = Number(row['n']);
  return {
    rows,
    present: n('p'),
    nulls: rows - n('p'),
    fits: n('f'),
    texts: row[`ks_${i}`] === undefined ? undefined : n('ks'),
    zeros: n('z'),
    digits: n('d'),
    before: n('b'),
    after: n('a'),
    kinds: { string: n('ks'), number: n('kn'), whole: n('kw'), boolean: n('kb'), object: n('ko'), array: n('ka') },
    structure: (row[`st_${i}`] as string | null | undefined) ?? null,
  };
}

function addTally(a: Tally | undefined, b: Tally): Tally {
  if (a === undefined) return b;
  const kinds = { ...b.kinds };
  for (const kind of Object.keys(kinds) as (keyof Tally['kinds'])[]) kinds[kind] += a.kinds[kind];
  return {
    rows: a.rows + b.rows,
    present: a.present + b.present,
    nulls: a.nulls + b.nulls,
    fits: a.fits + b.fits,
    texts: a.texts === undefined && b.texts === undefined ? undefined : (a.texts ?? 0) + (b.texts ?? 0),
    zeros: a.zeros + b.zeros,
    digits: Math.max(a.digits, b.digits),
    before: Math.max(a.before, b.before),
    after: Math.max(a.after, b.after),
    kinds,
    structure: a.structure === null || b.structure === null || a.structure === b.structure ? (a.structure ?? b.structure) : '"JSON"',
  };
}

function textType(tally: Tally, fitting: LogicalType | undefined): LogicalType {
  if (tally.present === 0 || tally.zeros > 0) return string();
  return fitting?.kind === 'float' ? fraction(tally) : (fitting ?? string());
}

/** A double holds fifteen significant digits; longer numbers become decimals. */
function fraction(tally: Tally): LogicalType {
  return tally.digits > 15 ? wideNumber(tally) : float(64);
}

function wideNumber(tally: Tally): LogicalType {
  return tally.before + tally.after > 38 ? string() : decimal(38, Math.min(tally.after, 38 - Math.min(tally.before, 38)));
}

function jsonType(tally: Tally, fitting: LogicalType | undefined): LogicalType {
  const { kinds, present } = tally;
  if (present === 0) return string();
  if (kinds.boolean === present) return boolean;
  if (kinds.number === present) return kinds.whole === present ? int(64) : fraction(tally);
  if (kinds.string === present) return fitting ?? string();
  if (kinds.object === present || kinds.array === present) return structureType(tally.structure === null ? '"JSON"' : tally.structure);
  return kinds.object + kinds.array === 0 ? string() : json;
}

const structureScalars: Readonly<Record<string, LogicalType>> = {
  BOOLEAN: boolean,
  BIGINT: int(64),
  UBIGINT: int(64),
  HUGEINT: decimal(38, 0),
  DOUBLE: float(64),
  VARCHAR: string(),
  NULL: string(),
  JSON: json,
};

/** DuckDB's `json_group_structure` text as a type. */
function structureType(text: string): LogicalType {
  const read = (value: unknown): LogicalType => {
    if (typeof value === 'string') return structureScalars[value] ?? json;
    if (Array.isArray(value)) return list(value.length === 0 ? json : read(value[0]));
    const fields = Object.entries(value as Record<string, unknown>);
    return fields.length === 0 ? json : struct(fields.map(([name, type]) => ({ name, type: read(type) })));
  };
  return read(JSON.parse(text));
}
