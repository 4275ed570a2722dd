import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { codes, fullRow, type ProbeRequest, type Row, sessionZones, TemporalProbe } from '../../../../test/harness/temporal-probe.ts';
import type { ColumnRule } from '../../../core/model/policy.ts';

const { bad, micro, offset, range, noZone, undefinedTime, ambiguous } = codes;

let probe: TemporalProbe;
beforeAll(async () => {
  probe = await TemporalProbe.open();
});
afterAll(() => probe.close());

async function check(rows: readonly Row[], request: ProbeRequest): Promise<void> {
  for (const zone of sessionZones) expect(await probe.rows(rows, request, zone), zone).toEqual(rows.map(fullRow));
}

describe('timestamp patterns', () => {
  const tables: readonly (readonly [readonly string[], Partial<ColumnRule>, readonly Row[]])[] = [
    [
      ['iso', 'dd/MM/yyyy HH:mm:ss'],
      {},
      [
        ['2024-04-03 10:20:30', '2024-04-03 10:20:30'],
        ['03/04/2024 10:20:30', '2024-04-03 10:20:30'],
        ['03/04/2024 20:20:30', '2024-04-03 20:20:30'],
        ['03/04/2024 24:00:00', bad],
        ['03/04/2024 25:00:00', bad],
        ['03/04/2024 10:20:60', bad],
        ['03/04/2024T10:20:30', bad],
        ['03/04/2024 10:20', bad],
        ['03/04/2024 10:20:30.5', bad],
        ['03/04/2024 10:20:30Z', bad],
        [' 03/04/2024 10:20:30 ', '2024-04-03 10:20:30'],
        ['03/04/0999 10:20:30', '0999-04-03 10:20:30'],
        ['03/04/3024 10:20:30', '3024-04-03 10:20:30'],
        ['03/04/2024  1:20:30', bad],
      ],
    ],
    [
      ['yyyy/MM/dd HH:mm'],
      {},
      [
        ['2001/01/01 06:55', '2001-01-01 06:55:00'],
        ['2001/01/01 23:60', bad],
        ['2001/13/01 06:55', bad],
      ],
    ],
    [
      ['yyyyMMddHHmmssSSS'],
      {},
      [
        ['20240403102030123', '2024-04-03 10:20:30.123'],
        ['2024040310203012', bad],
        ['20240403242030123', bad],
      ],
    ],
    [
      ['d/M/yyyy h:mm:ss a'],
      {},
      [
        ['1/2/2024 12:00:00 am', '2024-02-01 00:00:00'],
        ['1/2/2024 12:00:00 PM', '2024-02-01 12:00:00'],
        ['1/2/2024 11:59:59 Pm', '2024-02-01 23:59:59'],
        ['1/2/2024 13:00:00 PM', bad],
        ['1/2/2024 00:00:00 AM', bad],
        ['1/2/2024 1:00:00', bad],
      ],
    ],
    [['dd.MM.yyyy HH'], {}, [['02.01.2024 10', '2024-01-02 10:00:00']]],
    [
      ["yyyy-MM-dd'T'HH:mm:ss.SSSSSSSSSXXX"],
      { toTimezone: 'UTC' },
      [
        ['2024-01-02T10:00:00.123456000Z', '2024-01-02 10:00:00.123456'],
        ['2024-01-02T10:00:00.123456000+05:45', '2024-01-02 04:15:00.123456'],
        ['2024-01-02T10:00:00.123456500-01:00', micro, '2024-01-02 11:00:00.123457', '2024-01-02 11:00:00.123456'],
        ['2024-01-02T10:00:00.123456000+0545', bad],
        ['2024-01-02T10:00:00.123456000', bad],
        ['2024-01-02T24:00:00.123456000Z', bad],
        ['0001-01-01T00:00:00.000000000+01:00', range],
        ['9999-12-31T23:59:59.999999999Z', micro, null, '9999-12-31 23:59:59.999999'],
      ],
    ],
    [
      ["yyyy-MM-dd'T'HH:mmX"],
      {},
      [
        ['2024-01-02T10:00Z', offset],
        ['2024-02-30T10:00Z', bad],
        ['2024-01-02T10:00', bad],
      ],
    ],
    [
      ['dd/MM/yy HH:mm'],
      { twoDigitYearRange: [1950, 2049] },
      [
        ['03/04/49 10:20', '2049-04-03 10:20:00'],
        ['03/04/50 10:20', '1950-04-03 10:20:00'],
        [' 03/04/50 10:20', '1950-04-03 10:20:00'],
      ],
    ],
    [
      ['yyyy-MM-dd HH:mm:ss', 'iso'],
      { toTimezone: 'UTC' },
      [
        ['2024-01-02 10:00:00', '2024-01-02 10:00:00'],
        ['2024-01-02T10:00:00+01:00', '2024-01-02 09:00:00'],
      ],
    ],
    [
      ['EEE, d MMM yyyy HH:mm:ss Z'],
      { toTimezone: 'America/New_York' },
      [
        ['Tue, 2 Jan 2024 10:00:00 +0000', '2024-01-02 05:00:00'],
        ['Tue, 02 Jul 2024 10:00:00 -0330', '2024-07-02 09:30:00'],
        ['Mon, 2 Jan 2024 10:00:00 +0000', bad],
        ['Tue, 2 Jan 2024 10:00:00 Z', bad],
      ],
    ],
    [
      ['epoch_s'],
      {},
      [
        ['0', '1970-01-01 00:00:00'],
        ['1704189600', '2024-01-02 10:00:00'],
        ['-1', '1969-12-31 23:59:59'],
      ],
    ],
    [
      ['iso', 'epoch_ms'],
      { toTimezone: 'Europe/Berlin' },
      [
        ['1704189600000', '2024-01-02 11:00:00'],
        ['2024-01-02T10:00Z', '2024-01-02 11:00:00'],
      ],
    ],
  ];
  test.each(tables)('%j %j', (formats, rule, rows) => check(rows, { to: 'timestamp', rule: { ...rule, formats } }));
});

describe('timestamptz patterns', () => {
  const tables: readonly (readonly [readonly string[], Partial<ColumnRule>, readonly Row[]])[] = [
    [
      ['dd/MM/yyyy HH:mm'],
      {},
      [
        ['03/04/2024 10:20', noZone],
        ['31/02/2024 10:20', bad],
      ],
    ],
    [
      ['dd/MM/yyyy HH:mm[ X]'],
      { timezone: 'America/New_York' },
      [
        ['03/04/2024 10:20', '2024-04-03 14:20:00Z'],
        ['10/03/2024 02:30', undefinedTime],
        ['03/11/2024 01:30', undefinedTime],
        ['03/04/2024 10:20 Z', '2024-04-03 10:20:00Z'],
        ['03/04/2024 10:20 +02', '2024-04-03 08:20:00Z'],
        ['03/04/2024 10:20 -0230', '2024-04-03 12:50:00Z'],
        ['03/04/2024 10:20 +02:30', bad],
        ['03/04/2024 10:20 +18', '2024-04-02 16:20:00Z'],
        ['03/04/2024 10:20 +1801', bad],
      ],
    ],
    [
      ['yyyyMMddHHmmx'],
      {},
      [
        ['202401021000+00', '2024-01-02 10:00:00Z'],
        ['202401021000-00', '2024-01-02 10:00:00Z'],
        ['202401021000Z', bad],
        ['000101010000-0100', '0001-01-01 01:00:00Z'],
        ['000101010000+0100', range],
      ],
    ],
    [
      ['iso', 'dd/MM/yyyy HH:mm', 'epoch_ms'],
      { timezone: 'Europe/Lisbon' },
      [
        ['1704189600000', '2024-01-02 10:00:00Z'],
        ['01/07/2024 10:20', '2024-07-01 09:20:00Z'],
        ['2024-07-01T10:20', '2024-07-01 09:20:00Z'],
        ['2024-07-01T10:20Z', '2024-07-01 10:20:00Z'],
        ['31/03/2024 01:30', undefinedTime],
      ],
    ],
    [
      ['dd/MM/yyyy HH:mm', 'MM/dd/yyyy HH:mm'],
      { timezone: 'UTC' },
      [
        ['03/04/2024 10:20', ambiguous],
        ['13/04/2024 10:20', '2024-04-13 10:20:00Z'],
      ],
    ],
  ];
  test.each(tables)('%j %j', (formats, rule, rows) => check(rows, { to: 'timestamptz', rule: { ...rule, formats } }));
});
