/** The type texts of case.yaml: a small grammar of its own, so that a fault in the product's parser cannot hide itself. */

export type CaseType =
  | { readonly kind: 'scalar'; readonly name: string; readonly args: readonly number[] }
  | { readonly kind: 'struct'; readonly fields: readonly { readonly name: string; readonly type: CaseType }[] }
  | { readonly kind: 'list'; readonly element: CaseType }
  | { readonly kind: 'map'; readonly key: CaseType; readonly value: CaseType };

/** Other spellings of the scalar names; every name that is not here must be a value of this table. */
const aliases: Readonly<Record<string, string>> = {
  bool: 'boolean',
  tinyint: 'int8',
  byte: 'int8',
  smallint: 'int16',
  short: 'int16',
  int: 'int32',
  integer: 'int32',
  bigint: 'int64',
  long: 'int64',
  numeric: 'decimal',
  real: 'float32',
  float: 'float32',
  double: 'float64',
  varchar: 'string',
  char: 'string',
  text: 'string',
  timestamp_ntz: 'timestamp',
  blob: 'binary',
  bytes: 'binary',
};
const scalars = new Set([...Object.values(aliases), 'date', 'time', 'timestamp', 'timestamptz', 'uuid', 'json']);

/** Reads a type text; throws an Error that shows the text. */
export function parseCaseType(text: string): CaseType {
  const inner = (pattern: RegExp) => pattern.exec(text.trim())?.[1];
  const struct = inner(/^struct<(.*)>$/is);
  if (struct !== undefined) return { kind: 'struct', fields: splitTop(struct).map(parseField) };
  const list = inner(/^(?:list|array)<(.*)>$/is);
  if (list !== undefined) return { kind: 'list', element: parseCaseType(list) };
  const map = inner(/^map<(.*)>$/is);
  if (map !== undefined) {
    const [key, value] = splitTop(map);
    return { kind: 'map', key: parseCaseType(key ?? ''), value: parseCaseType(value ?? '') };
  }
  return parseScalar(text);
}

function parseScalar(text: string): CaseType {
  const match = /^([a-z_][a-z_0-9]*)\s*(?:\(([\d\s,]*)\))?$/i.exec(text.trim());
  const word = match?.[1]?.toLowerCase() ?? '';
  const name = Object.hasOwn(aliases, word) ? (aliases[word] as string) : word;
  if (match === null || !scalars.has(name)) throw new Error(`unknown type ${JSON.stringify(text)}`);
  return { kind: 'scalar', name, args: match[2] === undefined ? [] : match[2].split(',').map(Number) };
}

function parseField(text: string): { readonly name: string; readonly type: CaseType } {
  const colon = text.indexOf(':');
  if (colon < 0) throw new Error(`a struct field without a type: ${JSON.stringify(text)}`);
  return { name: text.slice(0, colon).trim(), type: parseCaseType(text.slice(colon + 1)) };
}

/** Splits at the commas that no bracket encloses. */
function splitTop(text: string): string[] {
  const parts = [''];
  let depth = 0;
  for (const char of text) {
    if ('<('.includes(char)) depth += 1;
    if ('>)'.includes(char)) depth -= 1;
    if (char === ',' && depth === 0) parts.push('');
    else parts[parts.length - 1] += char;
  }
  return parts.map((part) => part.trim()).filter((part) => part !== '');
}

/** Whether two texts mean the same type; texts that are no types are compared as they stand. */
export function sameTypeText(a: string, b: string): boolean {
  return a === b || normalised(a) === normalised(b);
}

function normalised(text: string): string {
  try {
    return JSON.stringify(parseCaseType(text));
  } catch {
    return text;
  }
}
