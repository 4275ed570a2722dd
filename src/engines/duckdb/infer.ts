/** Types that hold every value of a source, found by trying the coercion law itself on the rows. */
import { builtInRule } from '../../core/model/policy.ts';
import type { Column } from '../../core/model/schema.ts';
import {
  boolean,
  date,
  decimal,
  float,
  int,
  json,
  list,
  string,
  struct,
  time,
  timestamp,
  timestamptz,
  type LogicalType,
  uuid,
} from '../../core/model/type.ts';
import type { SourceGroup } from '../../core/plan/plan.ts';
import type { Inferred } from '../../run/engine.ts';
import { coerceSql } from './coerce/coerce.ts';
import type { Row, Session } from './driver.ts';

/** Candidate types of text, the narrowest first. A column gets the first that takes every value. */
const textCandidates: readonly LogicalType[] = [boolean, int(64), float(64), date, timestamp, timestamptz, time, uuid];
/** A JSON string is text; only what JSON has no token for is looked for in it. */
const jsonStringCandidates: readonly LogicalType[] = [date, timestamp, timestamptz, uuid];

export interface InferUnit {
  readonly group: SourceGroup;
  /** SELECT with columns r0, r1, … as text or JSON tokens. */
  readonly sql: string;
}

interface Tally {
  rows: number;
  present: number;
  fits: number[];
  zeros: number;
  /** Largest count of significant digits, of digits before the point and after it, of numbers with a fraction. */
  digits: number;
  before: number;
  after: number;
  kinds: { string: number; number: number; whole: number; boolean: number; object: number; array: number };
  structure: string | null;
  nulls: number;
}

/** One pass per unit; the tallies of all units are put together by column name. */
export async function inferTypes(session: Session, units: readonly InferUnit[], sampled: boolean): Promise<Inferred> {
  const order: { name: string; key: string }[] = [];
  const tallies = new Map<string, Tally>();
  const typed = new Map<string, LogicalType>();
  let rows = 0;
  for (const unit of units) {
    const { form, columns } = unit.group;
    const row = await session.one(
      `SELECT count(*) AS n${columns.map((column, i) => tallySql(form, i, column.type)).join('')} FROM (${unit.sql})`,
    );
    rows += Number(row['n']);
    for (const [i, column] of columns.entries()) {
      const key = keyOf(columns, i);
      if (!tallies.has(key)) order.push({ name: column.name, key });
      if (column.type !== undefined && column.type.kind !== 'unknown') typed.set(key, column.type);
      tallies.set(key, addTally(tallies.get(key), readTally(form, row, i)));
    }
  }
  const forms = new Set(units.map((unit) => unit.group.form));
  const columns = order.map(({ name, key }): Column => {
    const tally = tallies.get(key) as Tally;
    const type = typed.get(key) ?? (forms.has('json') ? jsonType(tally) : textType(tally));
    return { name, type, nullable: tally.nulls > 0 || tally.present < rows || rows === 0 };
  });
  return { schema: { columns }, evidence: { rows, sampled } };
}

/** A name that stands twice in one header is two columns. */
function keyOf(columns: SourceGroup['columns'], position: number): string {
  const name = columns[position]?.name ?? '';
  const before = columns.slice(0, position).filter((column) => column.name === name).length;
  return before === 0 ? name : `${name}\0${before}`;
}

const trimmed = (x: string): string => `trim(${x}, ' ' || chr(9) || chr(10) || chr(11) || chr(12) || chr(13))`;

function fitsSql(x: string, candidates: readonly LogicalType[], i: number): string {
  return candidates
    .map((to, c) => {
      const input = { raw: x, text: x, strict: 'NULL' };
      const sql = coerceSql({ path: 'x', from: { form: 'text' }, to, rule: builtInRule, nested: new Map() }, input, { nul: true });
      return `, count(${sql.strict}) AS f${c}_${i}`;
    })
    .join('');
}

function tallySql(form: SourceGroup['form'], i: number, type: LogicalType | undefined): string {
  const x = `r${i}`;
  if (form === 'typed' && type !== undefined) return `, count(${x}) AS p_${i}`;
  if (form === 'json') return jsonTallySql(x, i);
  const number = `CASE WHEN regexp_full_match(${trimmed(x)}, '[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)') THEN ${trimmed(x)} END`;
  return (
    `, count(${x}) AS p_${i}${fitsSql(x, textCandidates, i)}` +
    `, count(*) FILTER (regexp_full_match(${trimmed(x)}, '[+-]?0[0-9]+')) AS z_${i}${digitsSql(number, i)}`
  );
}

function digitsSql(number: string, i: number): string {
  return (
    `, coalesce(max(length(ltrim(regexp_replace(${number}, '[^0-9]', '', 'g'), '0'))), 0) AS d_${i}` +
    `, coalesce(max(length(ltrim(regexp_extract(${number}, '([0-9]*)', 1), '0'))), 0) AS b_${i}` +
    `, coalesce(max(length(rtrim(regexp_extract(${number}, '[.]([0-9]*)', 1), '0'))), 0) AS a_${i}`
  );
}

function jsonTallySql(x: string, i: number): string {
  const isString = `${x}[1] = '"'`;
  const text = `CASE WHEN ${isString} THEN json_extract_string(${x}, '$') END`;
  const number = `CASE WHEN ${x}[1] IN ('-','0','1','2','3','4','5','6','7','8','9') THEN ${x} END`;
  return (
    `, count(${x}) AS p_${i}, count(*) FILTER (${isString}) AS ks_${i}, count(${number}) AS kn_${i}` +
    `, count(*) FILTER (regexp_full_match(${number}, '-?[0-9]{1,18}')) AS kw_${i}, count(*) FILTER (${x} IN ('true','false')) AS kb_${i}` +
    `, count(*) FILTER (${x}[1] = '{') AS ko_${i}, count(*) FILTER (${x}[1] = '[') AS ka_${i}` +
    `, json_group_structure(CASE WHEN ${x}[1] IN ('{','[') THEN ${x}::JSON END)::VARCHAR AS st_${i}${fitsSql(text, jsonStringCandidates, i)}${digitsSql(number, i)}`
  );
}

function readTally(form: SourceGroup['form'], row: Row, i: number): Tally {
  const n = (name: string): number => Number(row[`${name}_${i}`] ?? 0);
  const candidates = form === 'json' ? jsonStringCandidates : textCandidates;
  const rows = Number(row['n']);
  return {
    rows,
    present: n('p'),
    nulls: rows - n('p'),
    fits: candidates.map((_, c) => n(`f${c}`)),
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
    fits: a.fits.map((count, i) => count + (b.fits[i] ?? 0)),
    zeros: a.zeros + b.zeros,
    digits: Math.max(a.digits, b.digits),
    before: Math.max(a.before, b.before),
    after: Math.max(a.after, b.after),
    kinds,
    structure: a.structure === null || b.structure === null || a.structure === b.structure ? (a.structure ?? b.structure) : '"JSON"',
  };
}

function textType(tally: Tally): LogicalType {
  if (tally.present === 0 || tally.zeros > 0) return string();
  const index = tally.fits.findIndex((count) => count === tally.present);
  const type = textCandidates[index] ?? string();
  return type.kind === 'float' ? fraction(tally) : type;
}

/** A double holds fifteen significant digits; longer numbers become decimals. */
function fraction(tally: Tally): LogicalType {
  return tally.digits > 15 ? wideNumber(tally) : float(64);
}

function wideNumber(tally: Tally): LogicalType {
  return tally.before + tally.after > 38 ? string() : decimal(38, Math.min(tally.after, 38 - Math.min(tally.before, 38)));
}

function jsonType(tally: Tally): LogicalType {
  const { kinds, present } = tally;
  if (present === 0) return string();
  if (kinds.boolean === present) return boolean;
  if (kinds.number === present) return kinds.whole === present ? int(64) : fraction(tally);
  if (kinds.string === present) return jsonStringCandidates[tally.fits.findIndex((count) => count === present)] ?? string();
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
