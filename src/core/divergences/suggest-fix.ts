import type { KindName } from './divergence.ts';
import { reasonOf } from './reasons.ts';

/** What is known of the values beyond their kind and reason; it makes the advice more exact. */
export interface Seen {
  /** The target type as text, `decimal(12,2)`. */
  readonly expected?: string | null;
  /** What the source says: its type, or its column name for name divergences. */
  readonly actual?: string | null;
  /** Refused values as they stand in the source. */
  readonly examples?: readonly (string | null)[];
}

/**
 * The YAML that would settle a finding: one key of the column, the job or its source on one line (two keys, two lines).
 * Empty when no configuration settles it. Words in capitals stand for a name that only the user knows.
 */
export function suggestFix(kind: KindName, reason: string | null, path: string, seen: Seen = {}): string {
  const byReason = reason === null ? undefined : reasonOf(reason);
  if (kind === 'lossy_value' && reason === null) return isNumeric(seen.expected ?? 'decimal') ? 'on_lossy: round' : 'on_lossy: truncate';
  if (byReason !== undefined) return byReason.fix;
  return byKind[kind](path, seen);
}

const none = () => '';
const always = (yaml: string) => () => yaml;

const byKind: Record<KindName, (path: string, seen: Seen) => string> = {
  missing_column: always('from: [NAME_IN_SOURCE]'),
  extra_column: always('on_extra: rescue'),
  type_mismatch: (path) => `ignore: [{ code: SA103, column: ${scalar(path)}, reason: intended }]`,
  name_variant: (_, { actual }) => `from: [${actual == null ? 'NAME_IN_SOURCE' : scalar(actual)}]`,
  name_collision: none,
  column_order: none,
  nullability_mismatch: always('on_null: default'),
  invalid_value: (_, seen) => fixOfValues(seen) ?? 'on_invalid: quarantine',
  lossy_value: always('on_lossy: round'),
  nullability: always('on_invalid: quarantine'),
  ambiguous_format: (_, seen) => `formats: [${dayFirst(seen.examples ?? [])}]`,
  null_budget: always('on_invalid: quarantine'),
  malformed_record: always('on_malformed: quarantine'),
  malformed_file: none,
  duplicate_key: always('merge: { on_duplicate_key: keep_latest, order_by: COLUMN }'),
  null_key: always('merge: { on_null_key: quarantine }'),
  empty_source: always('allow_empty: true'),
  outside_partition: always('on_invalid: quarantine'),
  file_skipped: none,
  key_not_unique: (path) =>
    `key: [${[
      ...path
        .split(',')
        .filter((name) => name !== '')
        .map(scalar),
      'ANOTHER_COLUMN',
    ].join(', ')}]`,
  schema_after_load: always('schema_changes: [add_column, widen]'),
  row_accounting: none,
  column_content: none,
  partition_count: none,
  ignore_expired: always('until: LATER_DAY'),
};

/** A text as a YAML scalar inside a flow collection: plain where that is safe, else double-quoted as JSON (YAML 1.2 reads JSON). */
function scalar(text: string): string {
  const plain = /^[A-Za-z_][A-Za-z0-9_.-]*$/.test(text) && !/^(?:true|false|null|yes|no|on|off|y|n)$/i.test(text);
  return plain ? text : JSON.stringify(text).replace(/[\u007f-\u009f\u2028\u2029\ufeff]/g, escapeUnit);
}

const escapeUnit = (c: string) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`;

const isNumeric = (type: string) => /^(?:int|decimal|float|double|real|bigint|smallint|tinyint)/i.test(type);
const isMoment = (type: string) => /^(?:date|timestamp)/i.test(type);

function fixOfValues({ expected, examples = [] }: Seen): string | undefined {
  const texts = examples.filter((text): text is string => text !== null).map((text) => text.trim());
  if (expected == null || texts.length === 0) return undefined;
  const token = texts.find((text) => /^(?:n\/?a|null|none|nil|nan|-+|\?|\\N|#N\/A)$/i.test(text));
  const special = isNumeric(expected) ? fixOfNumbers(texts) : isMoment(expected) ? fixOfMoments(texts) : undefined;
  if (special !== undefined) return special;
  if (/^bool/i.test(expected)) return fixOfBooleans(texts);
  return token === undefined || /^(?:string|varchar|text|json)/i.test(expected) ? undefined : `null_values: [${JSON.stringify(token)}]`;
}

const numberShapes: readonly (readonly [RegExp, string])[] = [
  [/^[+-]?\d{1,3}(?:,\d{3})+\.\d+$|^[+-]?\d{1,3}(?:,\d{3}){2,}$/, 'group: ","'],
  [/^[+-]?\d{1,3}(?:\.\d{3})+,\d+$/, 'decimal: ","\ngroup: "."'],
  [/^[+-]?\d{1,3}(?: \d{3})+,\d+$/, 'decimal: ","\ngroup: " "'],
  [/^[+-]?\d+,(?!\d{3}$)\d+$/, 'decimal: ","'],
];

function fixOfNumbers(texts: readonly string[]): string | undefined {
  return numberShapes.find(([shape]) => texts.some((text) => shape.test(text)))?.[1];
}

const truths = new Set(['yes', 'y', 't', '1', 'on']);
const lies = new Set(['no', 'n', 'f', '0', 'off']);

function fixOfBooleans(texts: readonly string[]): string | undefined {
  const lower = [...new Set(texts.map((text) => text.toLowerCase()))];
  const list = (first: string, words: ReadonlySet<string>) => {
    const found = lower.filter((text) => words.has(text));
    return found.length === 0 ? [] : [[first, ...found].map((word) => JSON.stringify(word)).join(', ')];
  };
  const lines = [
    ...list('true', truths).map((words) => `true_values: [${words}]`),
    ...list('false', lies).map((words) => `false_values: [${words}]`),
  ];
  return lines.length === 0 ? undefined : lines.join('\n');
}

const momentShapes: readonly (readonly [RegExp, string])[] = [
  [/^\d{4}\/\d{2}\/\d{2}$/, 'yyyy/MM/dd'],
  [/^\d{4}\/\d{2}\/\d{2} \d{2}:\d{2}$/, 'yyyy/MM/dd HH:mm'],
  [/^\d{4}\/\d{2}\/\d{2} \d{2}:\d{2}:\d{2}$/, 'yyyy/MM/dd HH:mm:ss'],
  [/^[A-Z][a-z]{2} \d{1,2} \d{4}$/, 'MMM d yyyy'],
  [/^[A-Z][a-z]{2} \d{1,2}, \d{4}$/, 'MMM d, yyyy'],
  [/^\d{1,2} [A-Z][a-z]{2} \d{4}$/, 'd MMM yyyy'],
  [/^\d{1,2}-[A-Z][a-z]{2}-\d{4}$/, 'd-MMM-yyyy'],
  [/^\d{8}$/, 'yyyyMMdd'],
  [/^\d{10}$/, 'epoch_s'],
  [/^\d{13}$/, 'epoch_ms'],
  [/^\d{16}$/, 'epoch_us'],
];

function fixOfMoments(texts: readonly string[]): string | undefined {
  const known = momentShapes.find(([shape]) => texts.some((text) => shape.test(text)))?.[1] ?? decidedOrder(texts);
  if (known === undefined) return undefined;
  return `formats: [iso, ${/[ ,]/.test(known) ? JSON.stringify(known) : known}]`;
}

const dayMonth = /^(\d{2})([/.-])(\d{2})\2\d{4}( \d{2}:\d{2}(?::\d{2})?)?$/;

/** Day-month or month-day, when the values leave only one of them; undefined when both or neither fit. */
function decidedOrder(texts: readonly string[]): string | undefined {
  const parts = texts.map((text) => dayMonth.exec(text)).filter((match) => match !== null);
  const first = parts[0];
  if (first === undefined) return undefined;
  const dayFirstFits = parts.every((match) => Number(match[3]) <= 12);
  const monthFirstFits = parts.every((match) => Number(match[1]) <= 12);
  if (dayFirstFits === monthFirstFits) return undefined;
  const mark = first[2] ?? '/';
  const time = first[4] === undefined ? '' : first[4].length > 6 ? ' HH:mm:ss' : ' HH:mm';
  return [...(dayFirstFits ? ['dd', 'MM'] : ['MM', 'dd']), 'yyyy'].join(mark) + time;
}

/** The day-month format with the separator of the examples: the line shows the shape, the user decides the order. */
function dayFirst(examples: readonly (string | null)[]): string {
  const mark = examples.map((text) => (text === null ? null : dayMonth.exec(text.trim()))).find((match) => match != null)?.[2] ?? '/';
  return ['dd', 'MM', 'yyyy'].join(mark);
}
