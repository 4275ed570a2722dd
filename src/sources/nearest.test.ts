import { expect, it } from 'vitest';
import { nearest } from './nearest.ts';

it.each([
  ['orders.csv', ['order.csv', 'ORDERS.csv', 'customers.csv', 'zzz'], ['ORDERS.csv', 'order.csv']],
  ['a', ['b', 'abcdef'], ['b']],
  ['orders', [], []],
])('%s among %j: %j', (wanted, names, near) => {
  expect(nearest(wanted, names)).toEqual(near);
});
