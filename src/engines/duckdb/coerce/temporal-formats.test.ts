import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ProbeRequest, sessionZones, TemporalProbe } from '../../../../test/harness/temporal-probe.ts';
import type { ColumnRule } from '../../../core/model/policy.ts';
import { literal } from '../quote.ts';
import { dayMonthShape } from './temporal-day-month.ts';

/** Text, then either its value or the code of its refusal; for lossy texts also the value rounded and cut. */
type Row = readonly [text: string, outcome: string, round?: string | null, truncate?: string | null];

let probe: TemporalProbe;
beforeAll(async () => {
  probe = await TemporalProbe.open();
});
afterAll(() => probe.close());

const isCode = (outcome: string): boolean => /^[a-z]/.test(outcome);

async function check(rows: readonly Row[], request: ProbeRequest): Promise<void> {
  const expected = rows.map(([text, outcome, round = null, truncate = null]) =>
    [text, isCode(outcome) ? null : outcome, isCode(outcome) ? outcome : null, round, truncate]);
  for (const zone of sessionZones) {
    const outcomes = await probe.read(rows.map(([text]) => text), request, zone);
    const found = outcomes.map((outcome, i) => [rows[i]?.[0], outcome.value, outcome.reason, outcome.round, outcome.truncate]);
    expect(found, zone).toEqual(expected);
  }
}

const bad = 'invalid_value';
const lossy = 'lossy_value';
const micro = 'lossy_value:sub_microsecond';
const offset = 'invalid_value:offset_without_target_zone';
const range = 'invalid_value:out_of_range';
const noZone = 'invalid_value:missing_timezone';
const undefinedTime = 'invalid_value:local_time_undefined';
const ambiguous = 'ambiguous_format';

describe('date patterns', () => {
  const years: readonly [number, number] = [1925, 2024];
  const tables: readonly (readonly [readonly string[], Partial<ColumnRule>, readonly Row[]])[] = [
    [['dd/MM/yyyy'], {}, [
      ['03/04/2024', '2024-04-03'], ['29/02/2024', '2024-02-29'], ['31/12/9999', '9999-12-31'], ['01/01/0001', '0001-01-01'],
      [' 03/04/2024\t', '2024-04-03'], ['04/13/2024', bad], ['31/02/2024', bad], ['29/02/2023', bad], ['01/01/0000', bad], ['00/01/2024', bad],
      ['01/00/2024', bad], ['2024-04-05', bad], ['3/4/2024', bad], ['03/04/24', bad], ['03-04-2024', bad], ['03/04/2024x', bad],
      ['03/04/2024 10:00', bad], ['０3/04/2024', bad], ['03/ 4/2024', bad], ['', bad], ['03/04/20244', bad], ['+3/04/2024', bad],
    ]],
    [['d.M.yyyy'], {}, [['3.4.2024', '2024-04-03'], ['03.04.2024', '2024-04-03'], ['13.12.2024', '2024-12-13'], ['003.4.2024', bad], ['3.13.2024', bad], ['3..2024', bad]]],
    [['y-M-d'], {}, [['24-1-2', '0024-01-02'], ['2024-01-2', '2024-01-02'], ['0-1-2', bad], ['0000-1-2', bad], ['00001-1-2', bad]]],
    [['dd/MM/yy'], { twoDigitYearRange: years }, [
      ['01/02/68', '1968-02-01'], ['31/12/69', '1969-12-31'], ['29/02/00', '2000-02-29'], ['15/08/24', '2024-08-15'], ['15/08/55', '1955-08-15'],
      ['29/02/99', bad], ['15/08/25', '1925-08-15'], [' 15/08/25 ', '1925-08-15'], ['15/08/2025', bad], ['15/8/25', bad],
    ]],
    [['yyMMdd'], { twoDigitYearRange: [1890, 1910] }, [
      ['900101', '1890-01-01'], ['991231', '1899-12-31'], ['000228', '1900-02-28'], ['000229', bad], ['100101', '1910-01-01'], ['110101', bad], ['890101', bad],
      [' 100101 ', '1910-01-01'], ['\f110101', bad],
    ]],
    [['d-MMM-yy'], { twoDigitYearRange: [95, 105] }, [['1-Jan-95', '0095-01-01'], ['1-Jan-05', '0105-01-01'], ['1-Jan-94', bad]]],
    [['MMM d yyyy', 'MMMM d, yyyy'], {}, [
      ['Jun 12 1998', '1998-06-12'], ['JUN 12 1998', '1998-06-12'], ['May 1 2000', '2000-05-01'], ['May 1, 2000', '2000-05-01'],
      ['September 30, 2001', '2001-09-30'], ['june 1, 2001', '2001-06-01'], ['Sept 1 2001', bad], ['Juni 1, 2001', bad], ['Feb 30 2001', bad],
      ['Jun  12 1998', bad], ['Jun12 1998', bad],
    ]],
    [['EEE, dd MMM yyyy', 'EEEE dd.MM.yyyy'], {}, [
      ['Tue, 02 Jan 2024', '2024-01-02'], ['tue, 02 jan 2024', '2024-01-02'], ['Wed, 02 Jan 2024', bad], ['Tuesday 02.01.2024', '2024-01-02'],
      ['Monday 02.01.2024', bad], ['Tue 02.01.2024', bad], ['Thu, 29 Feb 2024', '2024-02-29'],
    ]],
    [['yyyy年MM月dd日'], {}, [['2024年01月02日', '2024-01-02'], ['2024年13月02日', bad], [' 2024年01月02日 ', '2024-01-02']]],
    [["'day' dd'%'MM*yyyy?"], {}, [['day 02%01*2024?', '2024-01-02'], ['day 02x01*2024?', bad], ['day 02%01x2024?', bad]]],
    [["dd[/][.][^][\\]MM''yyyy"], {}, [["02/01'2024", '2024-01-02'], ["02^01'2024", '2024-01-02'], ["02\\01'2024", '2024-01-02'], ["0201'2024", '2024-01-02']]],
    [[' dd/MM/yyyy '], {}, [['02/01/2024', '2024-01-02'], [' 02/01/2024 ', '2024-01-02']]],
    [[' dd/MM/yyyy'], { trim: 'never' }, [['02/01/2024', bad], [' 02/01/2024', '2024-01-02']]],
    [['dd/MM/yyyy'], { trim: 'never' }, [['02/01/2024', '2024-01-02'], [' 02/01/2024', bad], ['02/01/2024 ', bad]]],
    [['dd/MM/yyyy[ HH:mm[:ss]]'], {}, [
      ['02/01/2024', '2024-01-02'], ['02/01/2024 00:00', '2024-01-02'], ['02/01/2024 00:00:00', '2024-01-02'],
      ['02/01/2024 10:00', lossy, '2024-01-02', '2024-01-02'], ['02/01/2024 12:00:00', lossy, '2024-01-03', '2024-01-02'], ['02/01/2024 24:00', bad],
      ['31/12/9999 12:00', lossy, null, '9999-12-31'],
    ]],
    [['iso', 'dd/MM/yyyy'], {}, [['2024-01-02', '2024-01-02'], ['02/01/2024', '2024-01-02'], ['2024-01-02T00:00', '2024-01-02'], ['2024/01/02', bad]]],
    [['dd/MM/yyyy', 'MM/dd/yyyy'], {}, [
      ['03/04/2024', ambiguous], ['04/04/2024', '2024-04-04'], ['13/04/2024', '2024-04-13'], ['04/13/2024', '2024-04-13'], ['13/13/2024', bad],
      [' 03/04/2024 ', ambiguous], ['31/02/2024', bad], ['02/29/2024', '2024-02-29'], ['02/29/2023', bad],
    ]],
    [['dd/MM/yyyy', 'd/M/yyyy', 'iso'], {}, [['03/04/2024', '2024-04-03'], ['3/4/2024', '2024-04-03'], ['2024-04-03', '2024-04-03']]],
    [['dd/MM/yyyy HH:mm', 'MM/dd/yyyy HH:mm'], {}, [
      ['03/04/2024 00:00', ambiguous], ['03/04/2024 10:00', ambiguous], ['13/04/2024 10:00', lossy, '2024-04-13', '2024-04-13'],
      ['04/13/2024 12:00', lossy, '2024-04-14', '2024-04-13'],
    ]],
    [['ddMMyyyy', 'yyyyMMdd'], {}, [['01022024', '2024-02-01'], ['20240201', '2024-02-01'], ['10101010', '1010-10-10'], ['11121112', ambiguous], ['20102010', '2010-10-20'], ['99999999', bad]]],
    [['yyyyMMdd', 'epoch_s'], {}, [['20240201', ambiguous], ['99999999', lossy, '1973-03-03', '1973-03-03'], ['86400', '1970-01-02']]],
    [['dd/MM/yy', 'yy/MM/dd', 'MM/dd/yy'], { twoDigitYearRange: years }, [
      ['13/01/31', ambiguous], ['13/01/32', '1932-01-13'], ['31/01/32', '1932-01-31'], ['01/31/99', '1999-01-31'], ['05/05/05', '2005-05-05'],
    ]],
  ];
  test.each(tables)('%j %j', (formats, rule, rows) => check(rows, { to: 'date', rule: { ...rule, formats } }));
});

describe('timestamp patterns', () => {
  const tables: readonly (readonly [readonly string[], Partial<ColumnRule>, readonly Row[]])[] = [
    [['iso', 'dd/MM/yyyy HH:mm:ss'], {}, [
      ['2024-04-03 10:20:30', '2024-04-03 10:20:30'], ['03/04/2024 10:20:30', '2024-04-03 10:20:30'], ['03/04/2024 20:20:30', '2024-04-03 20:20:30'],
      ['03/04/2024 24:00:00', bad], ['03/04/2024 25:00:00', bad], ['03/04/2024 10:20:60', bad], ['03/04/2024T10:20:30', bad],
      ['03/04/2024 10:20', bad], ['03/04/2024 10:20:30.5', bad], ['03/04/2024 10:20:30Z', bad], [' 03/04/2024 10:20:30 ', '2024-04-03 10:20:30'],
      ['03/04/0999 10:20:30', '0999-04-03 10:20:30'], ['03/04/3024 10:20:30', '3024-04-03 10:20:30'], ['03/04/2024  1:20:30', bad],
    ]],
    [['yyyy/MM/dd HH:mm'], {}, [['2001/01/01 06:55', '2001-01-01 06:55:00'], ['2001/01/01 23:60', bad], ['2001/13/01 06:55', bad]]],
    [['yyyyMMddHHmmssSSS'], {}, [['20240403102030123', '2024-04-03 10:20:30.123'], ['2024040310203012', bad], ['20240403242030123', bad]]],
    [['d/M/yyyy h:mm:ss a'], {}, [
      ['1/2/2024 12:00:00 am', '2024-02-01 00:00:00'], ['1/2/2024 12:00:00 PM', '2024-02-01 12:00:00'], ['1/2/2024 11:59:59 Pm', '2024-02-01 23:59:59'],
      ['1/2/2024 13:00:00 PM', bad], ['1/2/2024 00:00:00 AM', bad], ['1/2/2024 1:00:00', bad],
    ]],
    [['dd.MM.yyyy HH'], {}, [['02.01.2024 10', '2024-01-02 10:00:00']]],
    [["yyyy-MM-dd'T'HH:mm:ss.SSSSSSSSSXXX"], { toTimezone: 'UTC' }, [
      ['2024-01-02T10:00:00.123456000Z', '2024-01-02 10:00:00.123456'], ['2024-01-02T10:00:00.123456000+05:45', '2024-01-02 04:15:00.123456'],
      ['2024-01-02T10:00:00.123456500-01:00', micro, '2024-01-02 11:00:00.123457', '2024-01-02 11:00:00.123456'],
      ['2024-01-02T10:00:00.123456000+0545', bad], ['2024-01-02T10:00:00.123456000', bad], ['2024-01-02T24:00:00.123456000Z', bad],
      ['0001-01-01T00:00:00.000000000+01:00', range], ['9999-12-31T23:59:59.999999999Z', micro, null, '9999-12-31 23:59:59.999999'],
    ]],
    [["yyyy-MM-dd'T'HH:mmX"], {}, [['2024-01-02T10:00Z', offset], ['2024-02-30T10:00Z', bad], ['2024-01-02T10:00', bad]]],
    [['dd/MM/yy HH:mm'], { twoDigitYearRange: [1950, 2049] }, [['03/04/49 10:20', '2049-04-03 10:20:00'], ['03/04/50 10:20', '1950-04-03 10:20:00'], [' 03/04/50 10:20', '1950-04-03 10:20:00']]],
    [['yyyy-MM-dd HH:mm:ss', 'iso'], { toTimezone: 'UTC' }, [['2024-01-02 10:00:00', '2024-01-02 10:00:00'], ['2024-01-02T10:00:00+01:00', '2024-01-02 09:00:00']]],
    [['EEE, d MMM yyyy HH:mm:ss Z'], { toTimezone: 'America/New_York' }, [
      ['Tue, 2 Jan 2024 10:00:00 +0000', '2024-01-02 05:00:00'], ['Tue, 02 Jul 2024 10:00:00 -0330', '2024-07-02 09:30:00'],
      ['Mon, 2 Jan 2024 10:00:00 +0000', bad], ['Tue, 2 Jan 2024 10:00:00 Z', bad],
    ]],
    [['epoch_s'], {}, [['0', '1970-01-01 00:00:00'], ['1704189600', '2024-01-02 10:00:00'], ['-1', '1969-12-31 23:59:59']]],
    [['iso', 'epoch_ms'], { toTimezone: 'Europe/Berlin' }, [['1704189600000', '2024-01-02 11:00:00'], ['2024-01-02T10:00Z', '2024-01-02 11:00:00']]],
  ];
  test.each(tables)('%j %j', (formats, rule, rows) => check(rows, { to: 'timestamp', rule: { ...rule, formats } }));
});

describe('timestamptz patterns', () => {
  const tables: readonly (readonly [readonly string[], Partial<ColumnRule>, readonly Row[]])[] = [
    [['dd/MM/yyyy HH:mm'], {}, [['03/04/2024 10:20', noZone], ['31/02/2024 10:20', bad]]],
    [['dd/MM/yyyy HH:mm[ X]'], { timezone: 'America/New_York' }, [
      ['03/04/2024 10:20', '2024-04-03 14:20:00Z'], ['10/03/2024 02:30', undefinedTime], ['03/11/2024 01:30', undefinedTime],
      ['03/04/2024 10:20 Z', '2024-04-03 10:20:00Z'], ['03/04/2024 10:20 +02', '2024-04-03 08:20:00Z'], ['03/04/2024 10:20 -0230', '2024-04-03 12:50:00Z'],
      ['03/04/2024 10:20 +02:30', bad], ['03/04/2024 10:20 +18', '2024-04-02 16:20:00Z'], ['03/04/2024 10:20 +1801', bad],
    ]],
    [['yyyyMMddHHmmx'], {}, [['202401021000+00', '2024-01-02 10:00:00Z'], ['202401021000-00', '2024-01-02 10:00:00Z'], ['202401021000Z', bad], ['000101010000-0100', '0001-01-01 01:00:00Z'], ['000101010000+0100', range]]],
    [['iso', 'dd/MM/yyyy HH:mm', 'epoch_ms'], { timezone: 'Europe/Lisbon' }, [
      ['1704189600000', '2024-01-02 10:00:00Z'], ['01/07/2024 10:20', '2024-07-01 09:20:00Z'], ['2024-07-01T10:20', '2024-07-01 09:20:00Z'],
      ['2024-07-01T10:20Z', '2024-07-01 10:20:00Z'], ['31/03/2024 01:30', undefinedTime],
    ]],
    [['dd/MM/yyyy HH:mm', 'MM/dd/yyyy HH:mm'], { timezone: 'UTC' }, [['03/04/2024 10:20', ambiguous], ['13/04/2024 10:20', '2024-04-13 10:20:00Z']]],
  ];
  test.each(tables)('%j %j', (formats, rule, rows) => check(rows, { to: 'timestamptz', rule: { ...rule, formats } }));
});

describe('epochs', () => {
  const seconds: readonly Row[] = [
    ['0', '1970-01-01 00:00:00Z'], ['1704189600', '2024-01-02 10:00:00Z'], ['+1704189600', '2024-01-02 10:00:00Z'], ['-1', '1969-12-31 23:59:59Z'],
    ['1704189600.5', '2024-01-02 10:00:00.5Z'], ['1704189600.123456', '2024-01-02 10:00:00.123456Z'], ['1704189600.1234560000', '2024-01-02 10:00:00.123456Z'],
    ['-0.5', '1969-12-31 23:59:59.5Z'], [' 0001704189600 ', '2024-01-02 10:00:00Z'], ['1.0', '1970-01-01 00:00:01Z'], [`${'0'.repeat(40)}1`, '1970-01-01 00:00:01Z'], [`1.${'0'.repeat(40)}`, '1970-01-01 00:00:01Z'],
    ['-62135596800', '0001-01-01 00:00:00Z'], ['253402300799', '9999-12-31 23:59:59Z'], ['-62135596801', range], ['253402300800', range],
    ['9223372036854775808', range], ['99999999999999999999999999', range],
    ['0.1234565', micro, '1970-01-01 00:00:00.123457Z', '1970-01-01 00:00:00.123456Z'],
    ['-0.0000005', micro, '1969-12-31 23:59:59.999999Z', '1970-01-01 00:00:00Z'], ['-0.0000004', micro, '1970-01-01 00:00:00Z', '1970-01-01 00:00:00Z'],
    ['253402300799.9999999', micro, null, '9999-12-31 23:59:59.999999Z'],
    ['1e3', bad], ['0x10', bad], ['1_000', bad], ['1,000', bad], ['.5', bad], ['5.', bad], ['--1', bad], ['1 000', bad], ['', bad], ['nan', bad],
    ['１704189600', bad], ['2024-01-02', bad], ['2024-01-02T10:00Z', bad],
  ];
  test('seconds', () => check(seconds, { to: 'timestamptz', rule: { formats: ['epoch_s'] } }));
  test('milliseconds', () => check([
    ['1704189600123', '2024-01-02 10:00:00.123Z'], ['-1', '1969-12-31 23:59:59.999Z'], ['1.5', '1970-01-01 00:00:00.0015Z'],
    ['0.0005', micro, '1970-01-01 00:00:00.000001Z', '1970-01-01 00:00:00Z'], ['253402300799999', '9999-12-31 23:59:59.999Z'], ['253402300800000', range],
  ], { to: 'timestamptz', rule: { formats: ['epoch_ms'] } }));
  test('microseconds', () => check([
    ['1704189600123456', '2024-01-02 10:00:00.123456Z'], ['1', '1970-01-01 00:00:00.000001Z'], ['1.000', '1970-01-01 00:00:00.000001Z'],
    ['1.5', micro, '1970-01-01 00:00:00.000002Z', '1970-01-01 00:00:00.000001Z'], ['-1.5', micro, '1969-12-31 23:59:59.999998Z', '1969-12-31 23:59:59.999999Z'],
    ['253402300799999999', '9999-12-31 23:59:59.999999Z'], ['253402300800000000', range],
  ], { to: 'timestamptz', rule: { formats: ['epoch_us'] } }));
  test('dates', () => check([
    ['86400', '1970-01-02'], ['-86400', '1969-12-31'], ['1', lossy, '1970-01-01', '1970-01-01'], ['43200', lossy, '1970-01-02', '1970-01-01'],
    ['-43201', lossy, '1969-12-31', '1969-12-31'],
  ], { to: 'date', rule: { formats: ['epoch_s'] } }));
  test('two units', () => check([
    ['0', '1970-01-01 00:00:00Z'], ['1704189600', ambiguous], ['1704189600000', '2024-01-02 10:00:00Z'], ['99999999999999999', range],
  ], { to: 'timestamptz', rule: { formats: ['epoch_s', 'epoch_ms'] } }));

  test('JSON numbers', async () => {
    await check([
      ['1704189600', '2024-01-02 10:00:00Z'], ['1.7041896e9', '2024-01-02 10:00:00Z'], ['1.7041896E+09', '2024-01-02 10:00:00Z'],
      ['1704189600.5', '2024-01-02 10:00:00.5Z'], ['17041896005e-1', '2024-01-02 10:00:00.5Z'], ['-1e0', '1969-12-31 23:59:59Z'], ['0e5', '1970-01-01 00:00:00Z'],
      ['0.0e-999', '1970-01-01 00:00:00Z'], ['1e-6', '1970-01-01 00:00:00.000001Z'], ['1000e-9', '1970-01-01 00:00:00.000001Z'], ['1e20', range],
      ['1e999999999999', range], ['5e-7', micro, '1970-01-01 00:00:00.000001Z', '1970-01-01 00:00:00Z'], ['1e-999999999999', micro, '1970-01-01 00:00:00Z', '1970-01-01 00:00:00Z'],
    ], { to: 'timestamptz', rule: { formats: ['iso', 'epoch_s'] }, number: true });
    for (const to of ['date', 'time', 'timestamp', 'timestamptz'] as const) {
      await check([['20240102', bad], ['1704189600', bad]], { to, number: true });
    }
    await check([['20240102', bad]], { to: 'date', rule: { formats: ['yyyyMMdd'] }, number: true });
  });
});

test('texts of day and month', async () => {
  const rows: readonly (readonly [string | null, boolean, boolean, boolean])[] = [
    ['03/04/2024', true, true, true], ['13/04/2024', true, true, false], ['04/13/2024', true, false, true], ['13/13/2024', true, false, false],
    ['3.4.24', true, true, true], ['31-12-99', true, true, false], ['29/02/24', true, true, false], ['29/02/23', true, false, false],
    ['29/02/00', true, true, false], ['2/29/2023', true, false, false], [' 3/4/2024 ', true, true, true], ['0/4/2024', true, false, false],
    ['2024-04-03', false, false, false], ['3/4-2024', false, false, false], ['3/4/202', false, false, false], ['3/4', false, false, false],
    ['3/4/2024x', false, false, false], ['x', false, false, false], ['', false, false, false], [null, false, false, false], ['３/4/2024', false, false, false],
  ];
  const instance = await DuckDBInstance.create(':memory:', { autoinstall_known_extensions: 'false', autoload_known_extensions: 'false' });
  const connection = await instance.connect();
  const { looks, dayFirst, monthFirst } = dayMonthShape('x');
  const values = rows.map(([text], i) => `(${i}, ${text === null ? 'NULL' : literal(text)})`).join(', ');
  const result = await connection.runAndReadAll(`SELECT x, ${looks}, ${dayFirst}, ${monthFirst} FROM (VALUES ${values}) t(i, x) ORDER BY i`);
  expect(result.getRows()).toEqual(rows);
  connection.closeSync();
});
