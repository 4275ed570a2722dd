import { describe, expect, it } from 'vitest';
import { parseTableName, tableSql } from './table-name.ts';

describe('parseTableName', () => {
  it.each([
    ['orders', '`default`.`orders`'],
    ['shop.orders', '`shop`.`orders`'],
    ['lake.shop.orders', '`lake`.`shop`.`orders`'],
    ['`a.b`.`c``d`', '`a.b`.`c``d`'],
    ['"a.b"."c""`d"', '`a.b`.`c"``d`'],
    ['delta.`/lake/orders`', '`delta`.`/lake/orders`'],
  ])('%s', (text, sql) => {
    expect(tableSql(parseTableName(text, 'default'))).toBe(sql);
  });

  it.each(['', 'a..b', 'a.b.c.d', '`a', 'a`b', '.a', 'schemalign_stage_x', 'x.SCHEMALIGN_y'])('refuses %j', (text) => {
    expect(() => parseTableName(text, 'default')).toThrow(/\[USAGE\]/);
  });
});
