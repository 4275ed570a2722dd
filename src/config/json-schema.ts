/** The published JSON Schema of schemalign.yaml, made from the tables of keys: completion and hints in editors. */
import { rootShape } from './file-keys.ts';
import { anyCount, type Key, type Shape } from './shape.ts';

type JsonSchema = Readonly<Record<string, unknown>>;

/** Where a value may come from the environment, any text with `${env:…}` is right too. */
const fromEnvironment: JsonSchema = { type: 'string', pattern: String.raw`\$\{env:[A-Za-z_][A-Za-z0-9_]*\}` };

const writers: { readonly [K in Shape['kind']]: (shape: Extract<Shape, { kind: K }>) => JsonSchema } = {
  text: () => ({ type: ['string', 'number', 'boolean'] }),
  choice: ({ values }) => ({ anyOf: [{ enum: values }, fromEnvironment] }),
  flag: () => ({ anyOf: [{ type: 'boolean' }, fromEnvironment] }),
  number: ({ min, max, integer }) => ({
    anyOf: [
      { type: integer === true ? 'integer' : 'number', minimum: min, ...(max === anyCount ? {} : { maximum: max }) },
      fromEnvironment,
    ],
  }),
  list: ({ of, min = 0, max = anyCount }) => ({
    type: 'array',
    items: schemaOf(of),
    ...(min > 0 ? { minItems: min } : {}),
    ...(max === anyCount ? {} : { maxItems: max }),
  }),
  object: ({ keys }) => objectSchema(keys),
  map: ({ of }) => ({ type: ['object', 'null'], additionalProperties: schemaOf(of) }),
  either: ({ single, list }) => ({ anyOf: [schemaOf(single), schemaOf(list)] }),
};

function schemaOf(shape: Shape): JsonSchema {
  return (writers[shape.kind] as (shape: Shape) => JsonSchema)(shape);
}

function objectSchema(keys: readonly Key[]): JsonSchema {
  const required = keys.filter((key) => key.required === true).map((key) => key.name);
  return {
    type: required.length > 0 ? 'object' : ['object', 'null'],
    additionalProperties: false,
    properties: Object.fromEntries(keys.map((key) => [key.name, { description: described(key), ...schemaOf(key.shape) }])),
    ...(required.length > 0 ? { required } : {}),
  };
}

function described(key: Key): string {
  return key.builtIn === undefined ? key.meaning : `${key.meaning}. Built-in: ${key.builtIn}`;
}

export function configurationSchema(): JsonSchema {
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    $id: 'schemalign.schema.json',
    title: 'schemalign.yaml',
    description: 'Configuration of Schemalign, version 1',
    ...schemaOf(rootShape),
  };
}
