/** The coercion law as data: reads and checks the files of `coercions/`, whose form README.md describes. */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parse } from 'yaml';
import type { SourceForm } from '../../src/core/coercions/coercion.ts';
import type { ColumnRule } from '../../src/core/model/policy.ts';
import type { LogicalType } from '../../src/core/model/type.ts';
import { parseType, printType } from '../../src/core/model/type-text.ts';
import type { PlainValue } from '../harness/case-value.ts';

/** One refusal: its code (`invalid_value:out_of_range`) and the path of the value below the column `v`. */
export interface Fault {
  readonly code: string;
  readonly path: string;
}

export type Expected =
  | { readonly kind: 'value'; readonly value: PlainValue }
  /** Stored by a rule as something else than was given. */
  | { readonly kind: 'altered'; readonly value: PlainValue }
  | { readonly kind: 'refused'; readonly faults: readonly Fault[] };

export interface Row {
  /** Unique and stable: target, group and given value. */
  readonly id: string;
  /** Text, JSON token, or a typed value as CONVENTIONS.md writes it; null is NULL. */
  readonly given: PlainValue;
  readonly expected: Expected;
  readonly note: string | undefined;
}

/** What one query may hold: rows with the same source form, target type and rules. */
export interface Question {
  readonly from: SourceForm;
  readonly to: LogicalType;
  readonly rule: Partial<ColumnRule>;
  /** Rules of paths below the column `v`. */
  readonly paths: Readonly<Record<string, Partial<ColumnRule>>>;
}

export interface Group extends Question {
  /** Name of the file: `int8`. */
  readonly target: string;
  readonly name: string;
  /** Where the expected values come from. */
  readonly source: string;
  /** The rule as it is written in `schemalign.yaml`. */
  readonly written: Readonly<Record<string, unknown>>;
  readonly rows: readonly Row[];
}

interface RawGroup {
  readonly name: string;
  readonly from: 'text' | 'json' | { readonly typed: string };
  readonly to: string;
  readonly rule?: Readonly<Record<string, unknown>>;
  readonly paths?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly source: string;
  readonly rows: readonly (readonly [given: PlainValue, expected: PlainValue, note?: string])[];
}

const folder = join(import.meta.dirname, 'coercions');

/** All groups, file by file in the order of `targets`, which must name every file. */
export function readCorpus(): readonly Group[] {
  const found = readdirSync(folder).filter((name) => name.endsWith('.yaml'));
  const strange = found.filter((name) => !targets.includes(basename(name, '.yaml')));
  if (strange.length > 0) throw new Error(`no target is named like ${strange.join(', ')}`);
  return targets.flatMap((target) => {
    const groups = parse(readFileSync(join(folder, `${target}.yaml`), 'utf8'), { version: '1.2' }) as readonly RawGroup[];
    return groups.map((raw) => groupOf(target, raw));
  });
}

/** One file each, in the order of the reference. */
export const targets: readonly string[] = [
  'boolean',
  'int8',
  'int16',
  'int32',
  'int64',
  'decimal',
  'float32',
  'float64',
  'string',
  'varchar',
  'date',
  'time',
  'timestamp',
  'timestamptz',
  'binary',
  'uuid',
  'json',
  'struct',
  'list',
  'map',
];

const groupKeys = ['name', 'from', 'to', 'rule', 'paths', 'source', 'rows'];

function groupOf(target: string, raw: RawGroup): Group {
  const strange = Object.keys(raw).filter((key) => !groupKeys.includes(key));
  if (strange.length > 0) throw new Error(`${target}, ${raw.name}: unknown ${strange.join(', ')}`);
  const spelled = typeof raw.from === 'string' ? raw.rows.filter(([given]) => given !== null && typeof given !== 'string') : [];
  if (spelled.length > 0) throw new Error(`${target}, ${raw.name}: text must be quoted: ${JSON.stringify(spelled[0])}`);
  return {
    target,
    name: raw.name,
    source: raw.source,
    from: formOf(raw.from),
    to: parseType(raw.to),
    rule: ruleOf(raw.rule ?? {}),
    paths: Object.fromEntries(Object.entries(raw.paths ?? {}).map(([path, rule]) => [path, ruleOf(rule)])),
    written: { ...raw.rule, ...raw.paths },
    rows: raw.rows.map(([given, expected, note]) => ({
      id: `${target}/${raw.name}/${given === null ? 'a NULL' : typeof given === 'string' ? given : JSON.stringify(given)}`,
      given,
      expected: expectedOf(expected),
      note,
    })),
  };
}

function formOf(from: RawGroup['from']): SourceForm {
  return typeof from === 'string' ? { form: from } : { form: 'typed', type: parseType(from.typed) };
}

/** Keys of `schemalign.yaml` and of a rule in code. */
const ruleKeys: Readonly<Record<string, keyof ColumnRule>> = {
  on_invalid: 'onInvalid',
  on_lossy: 'onLossy',
  trim: 'trim',
  formats: 'formats',
  timezone: 'timezone',
  to_timezone: 'toTimezone',
  two_digit_year_range: 'twoDigitYearRange',
  decimal: 'decimal',
  group: 'group',
  exponent: 'exponent',
  null_values: 'nullValues',
  true_values: 'trueValues',
  false_values: 'falseValues',
  binary: 'binary',
};

function ruleOf(written: Readonly<Record<string, unknown>>): Partial<ColumnRule> {
  return Object.fromEntries(
    Object.entries(written).map(([key, value]) => {
      const name = ruleKeys[key];
      if (name === undefined) throw new Error(`unknown rule ${key}`);
      return [name, value];
    }),
  );
}

const refusals = { invalid: 'invalid_value', lossy: 'lossy_value', ambiguous: 'ambiguous_format' } as const;
const refusalOf = (object: object) => Object.keys(refusals).find((key) => Object.hasOwn(object, key)) as keyof typeof refusals | undefined;

function expectedOf(raw: PlainValue): Expected {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) return { kind: 'value', value: raw };
  const object = raw as { readonly [name: string]: PlainValue };
  if (Array.isArray(object.faults)) return { kind: 'refused', faults: object.faults.map(faultOf) };
  if (refusalOf(object) !== undefined) return { kind: 'refused', faults: [faultOf(object)] };
  if (Object.hasOwn(object, 'altered')) return { kind: 'altered', value: object.altered ?? null };
  return { kind: 'value', value: raw };
}

function faultOf(raw: PlainValue): Fault {
  const object = raw as { readonly [name: string]: string | null };
  const kind = refusalOf(object);
  if (kind === undefined) throw new Error(`no refusal: ${JSON.stringify(raw)}`);
  const reason = object[kind];
  const code = refusals[kind];
  return { code: reason === null || reason === undefined ? code : `${code}:${reason}`, path: object.at ?? 'v' };
}

/** What makes two groups one query. */
export function questionKey({ from, to, rule, paths }: Question): string {
  return JSON.stringify([from.form === 'typed' ? `typed ${printType(from.type)}` : from.form, printType(to), sorted(rule), sorted(paths)]);
}

const sorted = (object: object): readonly unknown[] => Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1));
