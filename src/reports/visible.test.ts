import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { columnsOf, cut, cutMiddle, pad } from './terminal-width.ts';
import { formatDuration, formatSize } from './measures.ts';
import { visible, visibleParts } from './visible.ts';

describe('visible', () => {
  it.each([
    ['\u001b[31m', '\\x1b[31m'],
    ['\u0000', '\\x00'],
    ['\u007f', '\\x7f'],
    ['\u009b', '\\u009b'],
    ['a\r\n\tb', 'a\\r\\n\\tb'],
    ['\u202e', '\\u202e'],
    ['\u2066\u2069\u200f\u061c', '\\u2066\\u2069\\u200f\\u061c'],
    ['\u200b\ufeff', '\\u200b\\ufeff'],
    ['1\u00a0234\u202f5', '1\\u00a0234\\u202f5'],
    ['\u2028', '\\u2028'],
    ['\ud800', '\\ud800'],
    ['\u{e0041}', '\\u{e0041}'],
    ['é ü ñ 漢 שלום', 'é ü ñ 漢 שלום'],
    ['👍🏽', '👍🏽'],
    ['C:\\temp', 'C:\\temp'],
    ['\ufffd', '\ufffd'],
  ])('%j → %s', (text, shown) => {
    expect(visible(text)).toBe(shown);
  });

  it('leaves nothing that is not seen, for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(visible(text)).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
        expect(
          visibleParts(text)
            .map((part) => part.text)
            .join(''),
        ).toBe(visible(text));
      }),
    );
  });

  it('every invisible character is written out', () => {
    const missed: string[] = [];
    for (let code = 0; code <= 0x10ffff; code += 1) {
      const text = String.fromCodePoint(code);
      if (
        /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]|\p{Default_Ignorable_Code_Point}|(?! )\p{Zs}/u.test(text) &&
        code !== 0xfe0f &&
        visible(text) === text
      )
        missed.push(code.toString(16));
    }
    expect(missed).toEqual([]);
  });
});

describe('widths', () => {
  it.each([
    ['abc', 3],
    ['漢字', 4],
    ['e\u0301', 1],
    ['👍', 2],
    ['é', 1],
    ['', 0],
  ])('%s takes %i columns', (text, width) => {
    expect(columnsOf(text)).toBe(width);
  });

  it('cuts to the room there is', () => {
    expect(cut('abcdef', 4)).toBe('abc…');
    expect(cut('漢字漢字', 4)).toBe('漢…');
    expect(cutMiddle('abcdefghij', 5)).toBe('ab…ij');
    expect(cutMiddle('abc', 5)).toBe('abc');
    expect(pad('漢', 4)).toBe('漢  ');
    expect(pad('1', 3, 'end')).toBe('  1');
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 3, max: 30 }), (text, width) => {
        expect(columnsOf(cut(visible(text), width))).toBeLessThanOrEqual(width);
        expect(columnsOf(cutMiddle(visible(text), width))).toBeLessThanOrEqual(width);
      }),
    );
  });
});

describe('measures', () => {
  it.each([
    [0, '0 ms'],
    [812, '812 ms'],
    [1000, '1.0 s'],
    [59_999, '59.9 s'],
    [125_000, '2 min 05 s'],
  ])('%i ms is %s', (ms, text) => {
    expect(formatDuration(ms)).toBe(text);
  });
  it.each([
    [0, '0 B'],
    [999, '999 B'],
    [1200, '1.2 KB'],
    [482113, '482 KB'],
    [5_000_000, '5 MB'],
    [2.5e15, '2.5 PB'],
  ])('%i bytes are %s', (bytes, text) => {
    expect(formatSize(bytes)).toBe(text);
  });
});
