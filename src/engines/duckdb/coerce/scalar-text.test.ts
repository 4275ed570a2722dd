import { describe, expect, test } from 'vitest';
import { type Setting, connection, evaluate, printed, render } from '../../../../test/harness/evaluate-scalar.ts';
import { Fault } from '../../../core/fault.ts';
import { type LogicalType, binary, boolean, date, decimal, float, int, json, string, uuid } from '../../../core/model/type.ts';
import { builtInRule } from '../../../core/model/policy.ts';
import { scalarText } from './scalar-text.ts';

const ways: readonly (readonly [name: string, to: LogicalType, setting: Setting])[] = [
  ['boolean', boolean, {}],
  ['boolean by lists', boolean, { rule: { trueValues: ['1'], falseValues: ['0'] } }],
  ['int', int(64), {}],
  ['int of 8 bits', int(8), { number: true }],
  ['int with exponents', int(32), { rule: { exponent: true, decimal: ',', group: '.' } }],
  ['decimal', decimal(12, 2), {}],
  ['wide decimal', decimal(38, 18), { rule: { exponent: true } }],
  ['grouped decimal', decimal(38, 2), { rule: { decimal: ',', group: '.' } }],
  ['double', float(64), {}],
  ['float', float(32), { rule: { decimal: ',' } }],
  ['string', string(3), {}],
  ['trimmed string', string(), { rule: { trim: 'always' } }],
  ['hex', binary, { rule: { binary: 'hex' } }],
  ['base64', binary, { rule: { binary: 'base64' } }],
  ['uuid', uuid, {}],
  ['json', json, {}],
];

/** Texts that have broken parsers before, and a value for every kind. */
const hostile: readonly string[] = [
  '',
  ' ',
  '\u0000',
  '\u0000\u0000',
  '1\u0000',
  '\ufffd',
  '\ufeff',
  '\u{10ffff}',
  '\u{1f600}',
  '\u202e',
  '\u001b[31m',
  "'",
  '"',
  '\\',
  '%',
  "'); DROP TABLE canary; --",
  '{{',
  '{}',
  '(',
  '[',
  '+',
  '-',
  '.',
  ',',
  'e',
  'E',
  '-e',
  'e-',
  '.e1',
  '1e',
  '1e99999999999999999999',
  '-1e-99999999999999999999',
  '0e99999999999999999999',
  'nan',
  '-nan',
  'inf',
  'e-inf',
  'enan',
  '1enan',
  '1einf',
  '9'.repeat(5000),
  `0.${'0'.repeat(5000)}1`,
  `1e${'9'.repeat(5000)}`,
  `1e-${'9'.repeat(5000)}`,
  '1',
  '1.5',
  '1,5',
  '00ff',
  'AAE=',
  'true',
  '0f8fad5b-d9cb-469f-a165-70867728950e',
  '{"a":[1,]}',
  '[NaN]',
  '"'.repeat(1001),
  '['.repeat(2000),
  'a'.repeat(100_000),
];

describe.each(ways)('text to %s', (_name, to, setting) => {
  test('never raises, and always has a reason', async () => {
    const results = await evaluate(to, [...hostile, null], setting);
    expect(results).toHaveLength(hostile.length + 1);
    for (const { reason } of results) expect(reason).toMatch(/^(invalid|lossy)_value(:[a-z_]+)?$/);
    expect(results.at(-1)?.value).toBeNull();
    expect(results.at(-1)?.round).toBeNull();
  });

  test('means the same inside a lambda', async () => {
    const plain = await evaluate(to, hostile, setting);
    const { value, reason } = render(to, 'element', setting);
    const engine = await connection();
    const each = (sql: string) => `list_transform(list(x ORDER BY position), lambda element: '=' || ${sql})`;
    const [row] = (await engine.runAndReadAll(`SELECT ${each(printed(to, value))}, ${each(`(${reason})`)} FROM given`)).getRowsJson();
    const [values, reasons] = row as unknown as (string | null)[][];
    expect(values?.map((text) => text?.slice(1) ?? null)).toEqual(plain.map((result) => result.value));
    expect(reasons?.map((text) => text?.slice(1))).toEqual(plain.map((result) => result.reason));
  });

  test('needs no subquery and no lambda of its own', () => {
    for (const sql of Object.values(render(to, '"x"', setting))) expect(sql).not.toMatch(/\bselect\b|\blambda\b|->/i);
  });
});

test('a renderer refuses the wrong kind of target', () => {
  for (const renderer of Object.values(scalarText)) {
    expect(() => renderer('x', { to: date, rule: builtInRule, context: { nul: true }, number: false })).toThrow(Fault);
  }
});

test('a value of the declared type comes out', async () => {
  const engine = await connection();
  const types = ways.map(([, to, setting]) => `typeof(${render(to, 'x', setting).value})`);
  const rows = (await engine.runAndReadAll(`SELECT ${types.join(', ')} FROM (SELECT ''::VARCHAR AS x)`)).getRowsJson();
  expect(rows[0]).toEqual([
    'BOOLEAN',
    'BOOLEAN',
    'BIGINT',
    'TINYINT',
    'INTEGER',
    'DECIMAL(12,2)',
    'DECIMAL(38,18)',
    'DECIMAL(38,2)',
    'DOUBLE',
    'FLOAT',
    'VARCHAR',
    'VARCHAR',
    'BLOB',
    'BLOB',
    'UUID',
    'JSON',
  ]);
});
