import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sparkServer } from '../../../../test/harness/spark-server.ts';
import type { SourceForm } from '../../../core/coercions/coercion.ts';
import { builtInRule, type ColumnRule } from '../../../core/model/policy.ts';
import { type LogicalType, unknown } from '../../../core/model/type.ts';
import { parseType } from '../../../core/model/type-text.ts';
import { openSpark, type SparkClient } from '../connect/client.ts';
import { literal } from '../quote.ts';
import { coerceSql, constantValue } from './coerce.ts';
import { tokenOf } from './json-tokens.ts';

const server = await sparkServer();

const input = { raw: '`raw`', text: '`text`', strict: '`strict`' };
const names = ['value', 'rejects', 'issues', 'notes'] as const;

interface Asked {
  readonly from?: SourceForm;
  readonly to: string;
  readonly rule?: Partial<ColumnRule>;
  readonly paths?: Readonly<Record<string, Partial<ColumnRule>>>;
  readonly defaultSql?: string;
  readonly texts: readonly string[];
}

describe.skipIf(server === undefined)('what is stored of a value, and said of it', () => {
  let spark: SparkClient;
  beforeAll(async () => {
    spark = await openSpark(server?.url ?? '');
  });
  afterAll(() => spark.close());

  async function coerced({ from = { form: 'text' }, to, rule = {}, paths = {}, defaultSql, texts }: Asked) {
    const whole = { ...builtInRule, ...rule };
    const nested = new Map(Object.entries(paths).map(([path, own]) => [path, { ...whole, ...own }]));
    const base = { path: 'v', from, to: parseType(to), rule: whole, nested };
    const sql = coerceSql(defaultSql === undefined ? base : { ...base, defaultSql }, input, { nul: true });
    const values = texts.map((text, n) => `(${n}, ${literal(text)})`).join(', ');
    const raw = from.form === 'json' ? tokenOf('x') : 'x';
    const notes = sql.notes.map(({ when, from: kind, value }) => `CASE WHEN ${when} THEN concat(${literal(`${kind}: `)}, ${value}) END`);
    const { rows } = await spark.table(
      `SELECT n, CASE WHEN ${sql.refused} THEN ${sql.relaxed} ELSE \`strict\` END, CASE WHEN ${sql.refused} THEN ${sql.rejects} ELSE false END,
        CASE WHEN ${sql.refused} THEN ${sql.issues} END, array_compact(array(${notes.join(', ')}))
      FROM (SELECT *, ${sql.strict} AS \`strict\` FROM (SELECT *, ${sql.text} AS \`text\` FROM (SELECT n, ${raw} AS \`raw\` FROM VALUES ${values} AS given(n, x))))
      ORDER BY n`,
    );
    return rows.map(([, ...cells]) => Object.fromEntries(names.map((name, i) => [name, cells[i]])));
  }

  const issue = (code: string, outcome: string, value: string, path = 'v') => ({ path, code, outcome, value });

  test('a default in place of a refused value', async () => {
    const rule: Partial<ColumnRule> = { onInvalid: 'default', default: '7' };
    const defaultSql = constantValue('7', parseType('int'), builtInRule);
    expect(await coerced({ to: 'int', rule, defaultSql, texts: ['5', 'x'] })).toEqual([
      { value: 5, rejects: false, issues: null, notes: [] },
      { value: 7, rejects: false, issues: [issue('invalid_value', 'defaulted', 'x')], notes: [] },
    ]);
  });

  test('a default inside of a struct', async () => {
    const paths: Asked['paths'] = { 'v.d': { onInvalid: 'default', default: '2020-02-29' } };
    const [row] = await coerced({ from: { form: 'json' }, to: 'struct<d:date>', paths, texts: ['{"d":"2021-02-29"}'] });
    expect(row).toEqual({
      value: { d: '2020-02-29' },
      rejects: false,
      issues: [issue('invalid_value', 'defaulted', '2021-02-29', 'v.d')],
      notes: [],
    });
  });

  test('a default that does not fit is NULL', async () => {
    const { value } = await spark.one(`SELECT ${constantValue('2021-02-29', parseType('date'), builtInRule)} AS value`);
    expect(value).toBeNull();
  });

  test('digits with leading zeros are remarked on', async () => {
    const found = await coerced({ to: 'int', texts: ['007', '0', '-01', '10', 'x'] });
    expect(found.map(({ notes }) => notes)).toEqual([['string: 007'], [], ['string: -01'], [], []]);
  });

  test('JSON of another kind than the target is remarked on', async () => {
    const numbers = await coerced({ from: { form: 'json' }, to: 'int', texts: ['1', '"1"', '"x"'] });
    expect(numbers.map(({ notes }) => notes)).toEqual([[], ['string: 1'], []]);
    const texts = await coerced({ from: { form: 'json' }, to: 'string', texts: ['1.50', 'true', '"a"', '{"a":1.50}'] });
    expect(texts.map(({ notes }) => notes)).toEqual([['number: 1.50'], ['boolean: true'], [], []]);
    expect(texts.map(({ value }) => value)).toEqual(['1.50', 'true', 'a', null]);
    expect(texts[3]?.['issues']).toEqual([issue('invalid_value:structure', 'rejected', '{"a":1.50}')]);
    const parts = await coerced({ from: { form: 'json' }, to: 'struct<a:int,b:struct<c:string>>', texts: ['{"a":"1","b":{"c":2}}'] });
    expect(parts[0]?.['notes']).toEqual(['string: 1', 'number: 2']);
  });

  test('types of other engines are refused at once', () => {
    const to: LogicalType = unknown('MONEY');
    expect(() => coerceSql({ path: 'v', from: { form: 'text' }, to, rule: builtInRule, nested: new Map() }, input, { nul: true })).toThrow(
      'cannot be turned into MONEY',
    );
  });
});
