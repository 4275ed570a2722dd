import { describe, expect, test } from 'vitest';
import { Fault } from '../fault.ts';
import { columnFormats } from './format-check.ts';
import { epochAlternatives, isoAlternatives, readAlike, shapesMeet } from './format-overlap.ts';
import { type Alternative, type FormatToken, parseFormat, type TemporalKind } from './format.ts';

const shown = (token: FormatToken): string => {
  if (token.kind === 'literal') return JSON.stringify(token.text);
  if (token.kind === 'offset') return `offset(${token.minutes}${token.z ? ',Z' : ''})`;
  if (token.kind === 'name') return `${token.field}(${token.full ? 'full' : 'short'})`;
  return `${token.field}(${token.min === token.max ? token.min : `${token.min}-${token.max}`})`;
};

function alternativesOf(text: string): readonly Alternative[] {
  const format = parseFormat(text);
  return format.kind === 'pattern' ? format.alternatives : [];
}

function faultOf(run: () => unknown): Fault | undefined {
  try {
    run();
  } catch (error) {
    if (error instanceof Fault) return error;
    throw error;
  }
  return undefined;
}

describe('parseFormat', () => {
  const patterns: readonly (readonly [string, readonly string[]])[] = [
    ['dd/MM/yyyy', ['day(2) "/" month(2) "/" year(4)']],
    ['d.M.uuuu', ['day(1-2) "." month(1-2) "." year(4)']],
    ['dd/MM/yy', ['day(2) "/" month(2) "/" year2(2)']],
    ['y-M-d', ['year(1-4) "-" month(1-2) "-" day(1-2)']],
    ['yyyyMMdd', ['year(4) month(2) day(2)']],
    ['LLL dd yyyy', ['month(short) " " day(2) " " year(4)']],
    ['EEEE, d MMMM yyyy', ['weekday(full) ", " day(1-2) " " month(full) " " year(4)']],
    ['E d MMM yyyy', ['weekday(short) " " day(1-2) " " month(short) " " year(4)']],
    [
      "yyyy-MM-dd'T'HH:mm:ss.SSSXXX",
      ['year(4) "-" month(2) "-" day(2) "T" hour(2) ":" minute(2) ":" second(2) "." fraction(3) offset(colon,Z)'],
    ],
    ['H:m:s', ['hour(1-2) ":" minute(1-2) ":" second(1-2)']],
    ['hh:mm a', ['hour12(2) ":" minute(2) " " halfday(short)']],
    ['HHmmX', ['hour(2) minute(2) offset(optional,Z)']],
    ['HHmmXX', ['hour(2) minute(2) offset(plain,Z)']],
    ['HHmmx', ['hour(2) minute(2) offset(optional)']],
    ['HHmmxx', ['hour(2) minute(2) offset(plain)']],
    ['HHmmxxx', ['hour(2) minute(2) offset(colon)']],
    ['HHmmZ', ['hour(2) minute(2) offset(plain)']],
    ["HH'h'mm", ['hour(2) "h" minute(2)']],
    ["HH 'o''clock'", ['hour(2) " o\'clock"']],
    ["HH''mm", ['hour(2) "\'" minute(2)']],
    ['yyyy年MM月dd日', ['year(4) "年" month(2) "月" day(2) "日"']],
    [
      'dd/MM/yyyy[ HH:mm[:ss]]',
      [
        'day(2) "/" month(2) "/" year(4) " " hour(2) ":" minute(2) ":" second(2)',
        'day(2) "/" month(2) "/" year(4) " " hour(2) ":" minute(2)',
        'day(2) "/" month(2) "/" year(4)',
      ],
    ],
    ['HH[:]mm', ['hour(2) ":" minute(2)', 'hour(2) minute(2)']],
  ];
  test.each(patterns)('%s', (text, expected) => {
    expect(alternativesOf(text).map((tokens) => tokens.map(shown).join(' '))).toEqual(expected);
  });

  test('words', () => {
    expect(parseFormat('iso')).toEqual({ kind: 'iso', text: 'iso' });
    expect(parseFormat('epoch_s')).toMatchObject({ kind: 'epoch', unit: 's' });
    expect(parseFormat('epoch_ms')).toMatchObject({ kind: 'epoch', unit: 'ms' });
    expect(parseFormat('epoch_us')).toMatchObject({ kind: 'epoch', unit: 'us' });
  });

  const refused: readonly (readonly [string, string])[] = [
    ['dd/MM/YYYY', 'letter Y'],
    ['D/yyyy', 'letter D'],
    ['yyyy-MM-dd G', 'letter G'],
    ['kk:mm', 'letter k'],
    ['KK:mm', 'letter K'],
    ['yyyy-MM-dd VV', 'letter V'],
    ['yyyy-MM-dd z', 'letter z'],
    ['w', 'letter w'],
    ['Q', 'letter Q'],
    ['A', 'letter A'],
    ['n', 'letter n'],
    ['O', 'letter O'],
    ['e', 'letter e'],
    ['ISO', 'letter I'],
    ['yyyy-MM-ddTHH:mm', 'letter T'],
    ['yyyy-MM-ddp', 'letter p'],
    ['yyy-MM-dd', 'yyy'],
    ['yyyyy', 'yyyyy'],
    ['MMMMM', 'MMMMM'],
    ['ddd', 'ddd'],
    ['HHH', 'HHH'],
    ['EEEEE', 'EEEEE'],
    ['HH:mm:ss.SSSSSSSSSS', 'SSSSSSSSSS'],
    ['XXXX', 'XXXX'],
    ['ZZZZ', 'ZZZZ'],
    ['aa', 'aa'],
    ["dd/MM/yyyy 'at", 'quote'],
    ['[dd', 'not closed'],
    ['dd]', 'no ['],
    ['dd#MM', '#'],
    ['{dd}', '{'],
    ['dd\0MM', 'U+0000'],
    ['dd/dd/yyyy', 'day twice'],
    ['yyyy/yy', 'year twice'],
    ['MM MMM', 'month twice'],
    ['HH hh a', 'hour twice'],
    ['hh:mm', 'halfday'],
    ['HH:mm a', 'hour12'],
    ['mm:ss', 'hour'],
    ['HH:ss', 'minute'],
    ['HH:mm.SSS', 'second'],
    ['E HH:mm', 'weekday'],
    ['dMyyyy', 'open length'],
    ['dMM', 'open length'],
    ['yMMdd', 'open length'],
    ["d'1'", 'open length'],
    ['HH:mm:ss.SSSdd', 'open length'],
    ['[a][a][a][a][a][a]', 'variants'],
  ];
  test.each(refused)('refuses %j', (text, part) => {
    const fault = faultOf(() => parseFormat(text));
    expect(fault?.code).toBe('CONFIG_INVALID');
    expect(fault?.message).toContain(part);
    expect(fault?.message).toContain(JSON.stringify(text));
  });
});

describe('columnFormats', () => {
  const wrong: readonly (readonly [TemporalKind, readonly string[], readonly [number, number] | undefined, string])[] = [
    ['date', ['dd/MM/yy'], undefined, 'two_digit_year_range'],
    ['date', ['dd/MM/yy'], [1925, 2025], 'two_digit_year_range'],
    ['date', ['dd/MM/yy'], [2000, 1990], 'two_digit_year_range'],
    ['date', ['iso'], [0, 50], 'two_digit_year_range'],
    ['date', ['iso'], [1990.5, 2000], 'two_digit_year_range'],
    ['date', ['MM/yyyy'], undefined, 'without a day'],
    ['timestamp', ['HH:mm'], undefined, 'without a year'],
    ['timestamp', ['yyyy[-MM-dd]'], undefined, 'without a month'],
    ['timestamptz', ['yyyy-MM-ddX'], undefined, 'no hour'],
    ['time', ['yyyy-MM-dd HH:mm'], undefined, 'no year'],
    ['time', ['HH:mmX'], undefined, 'no offset'],
    ['time', ['[HH]'], undefined, 'no hour'],
    ['time', ['epoch_s'], undefined, 'time of day'],
    ['date', [], undefined, 'empty'],
    ['date', ['', 'iso'], undefined, 'without a year'],
  ];
  test.each(wrong)('%s %j %j', (to, formats, range, part) => {
    const fault = faultOf(() => columnFormats({ formats, ...(range === undefined ? {} : { twoDigitYearRange: range }) }, to));
    expect(fault?.code).toBe('CONFIG_INVALID');
    expect(fault?.message).toContain(part);
  });

  test('no formats mean the built-in grammar', () => {
    expect(columnFormats({}, 'time')).toEqual([{ kind: 'iso', text: 'iso' }]);
  });

  test('order is kept, ranges of 100 years are allowed', () => {
    const formats = columnFormats({ formats: ['dd/MM/yy', 'iso'], twoDigitYearRange: [1925, 2024] }, 'date');
    expect(formats.map((format) => format.text)).toEqual(['dd/MM/yy', 'iso']);
  });
});

describe('shapes that meet', () => {
  const only = (text: string): Alternative => alternativesOf(text)[0] ?? [];
  const pairs: readonly (readonly [string, string, boolean, boolean])[] = [
    ['dd/MM/yyyy', 'MM/dd/yyyy', true, false],
    ['dd/MM/yyyy', 'd/M/yyyy', true, true],
    ['dd/MM/yyyy', 'dd-MM-yyyy', false, true],
    ['dd/MM/yyyy', 'dd/MM/yy', false, true],
    ['d/M/y', 'M/d/yy', true, false],
    ['ddMMyyyy', 'yyyyMMdd', true, false],
    ['yyyyMMddHHmmssS', 'yyMMddHHmmssSSS', true, false],
    ['d MMM yyyy', 'd MMMM yyyy', true, true],
    ['dd MMM yyyy', 'dd/MM/yyyy', false, false],
    ["dd'1'MM'1'yyyy", "MM'1'dd'1'yyyy", true, false],
    ['yyyy-MM-dd HH:mm', 'yyyy-MM-dd', false, false],
  ];
  test.each(pairs)('%s and %s', (a, b, meet, alike) => {
    expect(shapesMeet(only(a), only(b))).toBe(meet);
    expect(shapesMeet(only(b), only(a))).toBe(meet);
    if (meet) expect(readAlike(only(a), only(b))).toBe(alike);
  });

  test('the built-in grammar', () => {
    const iso = isoAlternatives('timestamp', false);
    const meets = (text: string): readonly Alternative[] => iso.filter((one) => shapesMeet(one, only(text)));
    expect(meets('yyyy-MM-dd')).toHaveLength(1);
    expect(meets("yyyy-MM-dd'T'HH:mm:ss.SSS").every((one) => readAlike(one, only("yyyy-MM-dd'T'HH:mm:ss.SSS")))).toBe(true);
    expect(meets('yyyy-dd-MM').some((one) => readAlike(one, only('yyyy-dd-MM')))).toBe(false);
    expect(epochAlternatives.some((number) => iso.some((one) => shapesMeet(one, number)))).toBe(false);
    expect(epochAlternatives.some((number) => shapesMeet(only('yyyyMMdd'), number))).toBe(true);
  });
});
