import { describe, expect, it } from 'vitest';
import { rowAfterKey, rowsInView } from './virtual-list.ts';

describe('the windowed list', () => {
  it.each([
    [0, 580, 58, 10_000, [0, 18]],
    [58_000, 580, 58, 10_000, [992, 1018]],
    [579_420, 580, 58, 10_000, [9982, 10_000]],
    [0, 580, 58, 3, [0, 3]],
    [0, 580, 58, 0, [0, 0]],
  ])('at %i px of a window of %i px keeps few of the rows', (top, height, rowHeight, count, rows) => {
    expect(rowsInView(top, height, rowHeight, count)).toEqual(rows);
  });

  it.each([
    ['ArrowDown', 4, 5],
    ['ArrowUp', 4, 3],
    ['PageDown', 4, 9],
    ['PageUp', 4, 0],
    ['Home', 4, 0],
    ['End', 4, 9],
    ['ArrowDown', 9, 9],
    ['ArrowUp', 0, 0],
    ['ArrowDown', -1, 0],
    ['a', 4, undefined],
    ['constructor', 4, undefined],
  ])('%s from row %i leads to %s', (key, active, next) => {
    expect(rowAfterKey(key, active, 10, 6)).toBe(next);
  });

  it('goes nowhere when it is empty', () => {
    expect(rowAfterKey('End', -1, 0, 6)).toBeUndefined();
  });
});
