/** Values of cases and of tables, brought to one written form per type, by the conventions of CONVENTIONS.md, "Fields". */
import type { CaseType } from './case-type.ts';

/** A value as YAML or a reader gives it: bigint and decimal as text, nested values as arrays and objects. */
export type PlainValue = null | boolean | number | string | readonly PlainValue[] | { readonly [name: string]: PlainValue };

/** The written form: equal values, and only those, have equal forms. */
export type Canonical = null | string | readonly Canonical[];

/** The written form of a value that stands for the given type. Text that does not fit keeps its own form, marked, and so equals nothing right. */
export function canonical(type: CaseType, value: PlainValue | undefined): Canonical {
  if (value === null || value === undefined) return null;
  if (type.kind === 'struct') return canonicalStruct(type, value);
  if (type.kind === 'list') return Array.isArray(value) ? value.map((item) => canonical(type.element, item)) : misfit(value);
  if (type.kind === 'map') return canonicalMap(type, value);
  const written = scalarForms[type.name]?.(value);
  return written === undefined ? misfit(value) : written;
}

const misfit = (value: PlainValue): string => `misfit:${JSON.stringify(value)}`;

function canonicalStruct(type: Extract<CaseType, { kind: 'struct' }>, value: PlainValue): Canonical {
  if (!isObject(value)) return misfit(value);
  const known = type.fields.map(({ name, type: fieldType }) => canonical(fieldType, Object.hasOwn(value, name) ? value[name] : null));
  const strange = Object.keys(value).filter((name) => !type.fields.some((field) => field.name === name));
  return [...known, ...strange.map((name) => `strange field ${name}`)];
}

function canonicalMap(type: Extract<CaseType, { kind: 'map' }>, value: PlainValue): Canonical {
  const entries = Array.isArray(value) ? (value as readonly PlainValue[][]) : isObject(value) ? Object.entries(value) : undefined;
  if (entries === undefined) return misfit(value);
  const written = entries.map(([key, item]) => [canonical(type.key, key), canonical(type.value, item)]);
  return written.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}

function isObject(value: PlainValue): value is { readonly [name: string]: PlainValue } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

type Form = (value: PlainValue) => string | undefined;

const integer: Form = (value) => (/^[+-]?\d+$/.test(String(value)) ? String(BigInt(String(value).replace(/^\+/, ''))) : undefined);

const decimal: Form = (value) => {
  const match = /^(-?)0*(\d*)(?:\.(\d*?)0*)?$/.exec(String(value));
  if (match === null || String(value) === '') return undefined;
  const [, sign = '', whole = '', fraction = ''] = match;
  const digits = `${whole === '' ? '0' : whole}${fraction === '' ? '' : `.${fraction}`}`;
  return digits === '0' ? '0' : sign + digits;
};

const words: Readonly<Record<string, number>> = {
  nan: Number.NaN,
  inf: Number.POSITIVE_INFINITY,
  infinity: Number.POSITIVE_INFINITY,
  '-inf': Number.NEGATIVE_INFINITY,
  '-infinity': Number.NEGATIVE_INFINITY,
};

const double: Form = (value) => {
  if (typeof value === 'number') return String(value === 0 ? 0 : value);
  const text = String(value).trim().toLowerCase();
  if (Object.hasOwn(words, text)) return String(words[text]);
  return text === '' || Number.isNaN(Number(text)) ? undefined : double(Number(text));
};

const single: Form = (value) => {
  const written = double(value);
  return written === undefined ? undefined : String(Math.fround(Number(written)));
};

const micros = (fraction: string | undefined): string | undefined => {
  const digits = (fraction ?? '').replace(/0+$/, '');
  return digits.length > 6 ? undefined : digits.padEnd(6, '0');
};

function clock(value: PlainValue, pattern: RegExp): string | undefined {
  const match = pattern.exec(String(value));
  const fraction = micros(match?.groups?.fraction);
  if (match === null || fraction === undefined) return undefined;
  const { day, minute, second } = match.groups as { readonly [part: string]: string | undefined };
  return `${day === undefined ? '' : `${day} `}${minute}:${second ?? '00'}.${fraction}`;
}

const time = '(?<minute>\\d{2}:\\d{2})(?::(?<second>\\d{2})(?:\\.(?<fraction>\\d+))?)?';
const timePattern = new RegExp(`^${time}$`);
const timestampPattern = new RegExp(`^(?<day>\\d{4}-\\d{2}-\\d{2})[T ]${time}$`);
const instantPattern = new RegExp(`^(?<day>\\d{4}-\\d{2}-\\d{2})[T ]${time}(?:Z|\\+00(?::?00)?)$`);

const text: Form = (value) => (typeof value === 'object' ? undefined : `text:${String(value)}`);
const matching =
  (pattern: RegExp): Form =>
  (value) =>
    pattern.test(String(value)) ? String(value).toLowerCase() : undefined;

/** JSON text without the blanks between its tokens; the tokens, and so the digits, stay as they are. */
const json: Form = (value) => {
  const written = typeof value === 'string' ? value : JSON.stringify(value);
  return written.replace(/("(?:[^"\\]|\\.)*")|\s+/gs, (_, quoted: string | undefined) => quoted ?? '');
};

const scalarForms: Readonly<Record<string, Form>> = {
  boolean: (value) => (typeof value === 'boolean' ? String(value) : undefined),
  int8: integer,
  int16: integer,
  int32: integer,
  int64: integer,
  decimal,
  float32: single,
  float64: double,
  string: text,
  date: matching(/^\d{4}-\d{2}-\d{2}$/),
  time: (value) => clock(value, timePattern),
  timestamp: (value) => clock(value, timestampPattern),
  timestamptz: (value) => clock(value, instantPattern),
  binary: matching(/^(?:[0-9a-f]{2})*$/i),
  uuid: matching(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i),
  json,
};
