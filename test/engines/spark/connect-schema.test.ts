import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openSpark, type SparkClient } from '../../../src/engines/spark/connect/client.ts';
import { schemaName, sparkServer } from '../../harness/spark-server.ts';

const server = await sparkServer();

describe.skipIf(server === undefined)('questions that run nothing', () => {
  const schema = schemaName('ask');
  let spark: SparkClient;
  beforeAll(async () => {
    spark = await openSpark(server!.url);
    await spark.run(`CREATE SCHEMA ${schema}`);
  });
  afterAll(async () => {
    await spark.run(`DROP SCHEMA ${schema} CASCADE`);
    await spark.close();
  });

  test('the columns of a table: types, nullability at every level, comments, defaults, lengths', async () => {
    await spark.run(`CREATE TABLE ${schema}.t (
      id BIGINT NOT NULL COMMENT 'the "key"', code VARCHAR(5), fixed CHAR(2), amount DECIMAL(12,4) DEFAULT 1.5,
      who STRUCT<name: STRING NOT NULL COMMENT 'inner', age: SMALLINT>, tags ARRAY<STRING>, by MAP<STRING, DOUBLE>, at TIMESTAMP, local TIMESTAMP_NTZ, v VARIANT
    ) USING delta TBLPROPERTIES ('delta.feature.allowColumnDefaults' = 'supported')`);
    const { kind, fields } = await spark.schema(`SELECT * FROM ${schema}.t`);
    expect(kind).toBe('struct');
    expect(fields).toEqual([
      { name: 'id', type: { kind: 'long' }, nullable: false, metadata: { comment: 'the "key"' } },
      { name: 'code', type: { kind: 'string' }, nullable: true, metadata: { __CHAR_VARCHAR_TYPE_STRING: 'varchar(5)' } },
      { name: 'fixed', type: { kind: 'string' }, nullable: true, metadata: { __CHAR_VARCHAR_TYPE_STRING: 'char(2)' } },
      {
        name: 'amount',
        type: { kind: 'decimal', precision: 12, scale: 4 },
        nullable: true,
        metadata: expect.objectContaining({ CURRENT_DEFAULT: '1.5' }),
      },
      {
        name: 'who',
        type: {
          kind: 'struct',
          fields: [
            { name: 'name', type: { kind: 'string' }, nullable: false, metadata: { comment: 'inner' } },
            { name: 'age', type: { kind: 'short' }, nullable: true, metadata: {} },
          ],
        },
        nullable: true,
        metadata: {},
      },
      { name: 'tags', type: { kind: 'array', element: { kind: 'string' }, containsNull: true }, nullable: true, metadata: {} },
      {
        name: 'by',
        type: { kind: 'map', key: { kind: 'string' }, value: { kind: 'double' }, valueContainsNull: true },
        nullable: true,
        metadata: {},
      },
      { name: 'at', type: { kind: 'timestamp' }, nullable: true, metadata: {} },
      { name: 'local', type: { kind: 'timestamp_ntz' }, nullable: true, metadata: {} },
      { name: 'v', type: { kind: 'variant' }, nullable: true, metadata: {} },
    ]);
  });

  test.each([
    ['decimal(38,10)', { kind: 'decimal', precision: 38, scale: 10 }],
    ['tinyint', { kind: 'byte' }],
    ['int', { kind: 'integer' }],
    ['float', { kind: 'float' }],
    ['binary', { kind: 'binary' }],
    ['date', { kind: 'date' }],
    ['boolean', { kind: 'boolean' }],
    ['string', { kind: 'string' }],
    ['string collate UTF8_LCASE', { kind: 'string', collation: 'UTF8_LCASE' }],
    ['varchar(7)', { kind: 'varchar', length: 7 }],
    ['char(3)', { kind: 'char', length: 3 }],
    ['void', { kind: 'void' }],
    ['interval', { kind: 'interval' }],
    ['interval year to month', { kind: 'interval year to month' }],
    ['interval day to second', { kind: 'interval day to second' }],
    ['time(3)', { kind: 'time', precision: 3 }],
    ['array<int>', { kind: 'array', element: { kind: 'integer' }, containsNull: true }],
  ])('the type %s', async (ddl, type) => {
    // A bare word would be taken for the name of a column.
    const parsed = await spark.parseType(`c ${ddl}`);
    expect(parsed.kind === 'struct' ? parsed.fields[0]?.type : undefined).toEqual(type);
  });

  test('a list of columns, and what is none', async () => {
    expect(await spark.parseType('a int not null, b struct<x: long>')).toEqual({
      kind: 'struct',
      fields: [
        { name: 'a', type: { kind: 'integer' }, nullable: false, metadata: {} },
        {
          name: 'b',
          type: { kind: 'struct', fields: [{ name: 'x', type: { kind: 'long' }, nullable: true, metadata: {} }] },
          nullable: true,
          metadata: {},
        },
      ],
    });
    expect(await spark.parseType('decimal(10,2)')).toEqual({ kind: 'decimal', precision: 10, scale: 2 });
    await expect(spark.parseType('a wurst')).rejects.toThrow('[ENGINE_REJECTED] spark: [');
  });

  test('a schema is asked for without running anything', async () => {
    await spark.run(`CREATE TABLE ${schema}.untouched (id INT) USING delta`);
    await spark.schema(`INSERT INTO ${schema}.untouched VALUES (1)`);
    expect(await spark.one(`SELECT count(*) AS n FROM ${schema}.untouched`)).toEqual({ n: '0' });
  });

  test('settings', async () => {
    expect(await spark.config(['spark.sql.ansi.enabled', 'spark.sql.session.timeZone', 'no.such.key'])).toEqual(
      new Map([
        ['spark.sql.ansi.enabled', 'true'],
        ['spark.sql.session.timeZone', 'UTC'],
      ]),
    );
    await spark.setConfig({ 'spark.databricks.delta.commitInfo.userMetadata': '{"run":1}' });
    expect(
      (await spark.config(['spark.databricks.delta.commitInfo.userMetadata'])).get('spark.databricks.delta.commitInfo.userMetadata'),
    ).toBe('{"run":1}');
    await spark.unsetConfig(['spark.databricks.delta.commitInfo.userMetadata']);
    expect(await spark.config(['spark.databricks.delta.commitInfo.userMetadata'])).toEqual(new Map());
    await expect(spark.setConfig({ 'spark.sql.extensions': 'x' })).rejects.toThrow('CANNOT_MODIFY_STATIC_CONFIG');
  });

  test('the files that a query reads, and its plan', async () => {
    await spark.run(`CREATE TABLE ${schema}.files (id INT) USING delta`);
    await spark.run(`INSERT INTO ${schema}.files VALUES (1)`);
    const files = await spark.inputFiles(`SELECT * FROM ${schema}.files`);
    expect(files).toHaveLength(1);
    expect(files[0]).toMatch(/^file:.*\.parquet$/);
    expect(await spark.explain(`SELECT id + 1 FROM ${schema}.files`)).toContain('Physical Plan');
  });

  test('Delta is there', async () => {
    expect(await spark.hasDelta()).toBe(true);
  });
});
