import { describe, expect, it } from 'vitest';
import type { LogicalType } from '../../../core/model/type.ts';
import * as t from '../../../core/model/type.ts';
import { nullOf, sqlType } from './sql-type.ts';

describe('sqlType', () => {
  const rows: [LogicalType, string][] = [
    [t.int(8), 'TINYINT'],
    [t.int(64), 'BIGINT'],
    [t.float(32), 'FLOAT'],
    [t.decimal(12, 2), 'DECIMAL(12,2)'],
    [t.string(10), 'VARCHAR'],
    [t.timestamptz, 'TIMESTAMPTZ'],
    [t.list(t.list(t.date)), 'DATE[][]'],
    [t.map(t.string(), t.list(t.uuid)), 'MAP(VARCHAR, UUID[])'],
    [
      t.struct([
        { name: 'a"b', type: t.json },
        { name: 'select', type: t.int(32) },
      ]),
      'STRUCT("a""b" JSON, "select" INTEGER)',
    ],
  ];
  it.each(rows)('%j is %s', (type, text) => {
    expect(sqlType(type)).toBe(text);
  });

  it('refuses what DuckDB does not have', () => {
    expect(() => sqlType(t.struct([]))).toThrow(/\[GAP\]/);
    expect(() => sqlType(t.list(t.unknown('x"; DROP TABLE canary; --')))).toThrow(/\[GAP\]/);
    expect(nullOf(t.unknown('x'))).toBe('NULL');
  });
});
