/** What a value of the configuration may look like. One table of shapes serves the reader, the flags, the JSON Schema and the reference. */

/** Says what is expected when a text is not acceptable, undefined when it is. Never repeats the text: it may be a secret. */
export type TextCheck = (text: string) => string | undefined;

export type Shape =
  | { readonly kind: 'choice'; readonly values: readonly string[] }
  | { readonly kind: 'text'; readonly means: string; readonly check?: TextCheck; readonly secret?: boolean }
  | { readonly kind: 'flag' }
  | { readonly kind: 'number'; readonly min: number; readonly max: number; readonly integer?: boolean; readonly means: string }
  | { readonly kind: 'list'; readonly of: Shape; readonly means: string; readonly min?: number; readonly max?: number }
  | { readonly kind: 'object'; readonly keys: readonly Key[]; readonly means: string }
  /** A mapping whose keys the user chooses. */
  | { readonly kind: 'map'; readonly of: Shape; readonly means: string }
  /** A single value of one shape, or a list of another. */
  | { readonly kind: 'either'; readonly single: Shape; readonly list: Shape };

export interface Key {
  readonly name: string;
  readonly shape: Shape;
  /** One sentence for people, without a full stop. */
  readonly meaning: string;
  /** The value that holds when the key is left out, as shown to people. */
  readonly builtIn?: string;
  readonly required?: boolean;
}

/** Any whole number a person would write. */
export const anyCount = Number.MAX_SAFE_INTEGER;

export const choice = (...values: readonly string[]): Shape => ({ kind: 'choice', values });
export const text = (means: string, check?: TextCheck): Shape => ({ kind: 'text', means, ...(check === undefined ? {} : { check }) });
export const flag: Shape = { kind: 'flag' };
export const share: Shape = { kind: 'number', min: 0, max: 1, means: 'a number from 0 to 1' };
export const listOf = (of: Shape, means: string, min = 0, max = anyCount): Shape => ({ kind: 'list', of, means, min, max });
export const object = (keys: readonly Key[], means: string): Shape => ({ kind: 'object', keys, means });
export const mapOf = (of: Shape, means: string): Shape => ({ kind: 'map', of, means });

/** In words, what a value of this shape looks like. */
export function expectation(shape: Shape): string {
  switch (shape.kind) {
    case 'choice':
      return shape.values.length === 1 ? quoted(shape.values[0] as string) : `one of ${shape.values.map(quoted).join(', ')}`;
    case 'flag':
      return 'true or false';
    case 'either':
      return `${expectation(shape.single)}, or ${expectation(shape.list)}`;
    default:
      return shape.means;
  }
}

/** A choice as it must be written in YAML: the word null needs quotes. */
function quoted(value: string): string {
  return value === 'null' ? '"null"' : value;
}
