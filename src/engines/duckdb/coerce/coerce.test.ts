import type { DuckDBConnection } from '@duckdb/node-api';
import { DuckDBInstance } from '@duckdb/node-api';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Ask } from '../../../../test/harness/coercion-query.ts';
import { coerce } from '../../../../test/harness/coercion-query.ts';
import type { LogicalType } from '../../../core/model/type.ts';
import * as t from '../../../core/model/type.ts';
import { literal } from '../quote.ts';
import { coerceSql } from './coerce.ts';

let connection: DuckDBConnection;

beforeAll(async () => {
  const instance = await DuckDBInstance.create(':memory:', { autoinstall_known_extensions: 'false', autoload_known_extensions: 'false' });
  connection = await instance.connect();
});

/** One value: what is stored, or the code of the refusal in brackets with the value shown, then the remarks. */
async function outcome(ask: Omit<Ask, 'raws'>, raw: string): Promise<readonly [unknown, ...string[]]> {
  const [answer] = await coerce(connection, { ...ask, raws: [raw] });
  if (answer === undefined) throw new Error('no row came back');
  const issues = answer.issues.map((issue) => `${issue.code} ${issue.outcome} ${issue.value}`);
  return [answer.value, ...issues, ...answer.notes];
}

type Row = [to: LogicalType, raw: string | null, stored: string | null | undefined, ...rest: string[]];
const rejected = undefined;

describe('text', () => {
  const rows: Row[] = [
    [t.int(32), '42', '42'],
    [t.int(32), ' 42 ', '42'],
    [t.int(32), '1.5', rejected, 'lossy_value rejected 1.5'],
    [t.int(8), '300', rejected, 'invalid_value:out_of_range rejected 300'],
    [t.int(32), null, null],
    [t.decimal(12, 2), '1.50', '1.50'],
    [t.boolean, 'TRUE', 'true'],
    [t.boolean, '1', rejected, 'invalid_value rejected 1'],
    [t.string(), ' a ', ' a '],
    [t.string(2), '😀é', '😀é'],
    [t.string(2), 'abc', rejected, 'invalid_value:too_long rejected abc'],
    [t.date, '2026-01-02', '2026-01-02'],
    [t.timestamp, '2026-01-02T03:04:05.000001', '2026-01-02 03:04:05.000001'],
    [t.json, '{"a": 1.10}', '{"a": 1.10}'],
  ];
  it.each(rows)('%j takes %j', async (to, text, ...expected) => {
    expect(await outcome({ from: { form: 'text' }, to }, text === null ? 'NULL::VARCHAR' : literal(text))).toEqual(expected);
  });

  it.each([
    ['n/a', null],
    ['N/A', 'N/A'],
    ['', ''],
    [' keep ', ' keep '],
  ])('null token n/a: %j becomes %j', async (text, value) => {
    expect(await outcome({ from: { form: 'text' }, to: t.string(), rule: { nullValues: ['n/a', "o'x"] } }, literal(text))).toEqual([value]);
  });

  it('passes over blanks around a null token, but not in text, which keeps its blanks', async () => {
    const rule = { nullValues: ['n/a'] };
    expect(await outcome({ from: { form: 'text' }, to: t.int(32), rule }, "' n/a '")).toEqual([null]);
    expect(await outcome({ from: { form: 'text' }, to: t.string(), rule }, "' n/a '")).toEqual([' n/a ']);
    expect(await outcome({ from: { form: 'text' }, to: t.string(), rule: { ...rule, trim: 'always' } }, "' n/a '")).toEqual([null]);
  });

  it('compares null tokens with their blanks when nothing is trimmed', async () => {
    const ask: Omit<Ask, 'raws'> = { from: { form: 'text' }, to: t.string(), rule: { nullValues: ['n/a', ' x'], trim: 'never' } };
    expect(await outcome(ask, "' n/a'")).toEqual([' n/a']);
    expect(await outcome(ask, "' x'")).toEqual([null]);
  });

  it.each([
    ['007', '7', 'string c: 007'],
    ['-007', '-7', 'string c: -007'],
    ['+00', '0', 'string c: +00'],
    [' 01 ', '1', 'string c:  01 '],
    ['0', '0'],
    ['0.5', '0.5'],
    ['00.5', '0.5'],
    ['10', '10'],
    ['-0', '0'],
    ['9', '9'],
  ])('says when digits begin with 0: %j', async (text, _value, ...notes) => {
    expect((await outcome({ from: { form: 'text' }, to: t.decimal(9, 1) }, literal(text))).slice(1)).toEqual(notes);
  });
});

describe('policies', () => {
  const text = { form: 'text' } as const;
  const rows: [name: string, ask: Omit<Ask, 'raws'>, raw: string, ...expected: (string | null | undefined)[]][] = [
    ['null', { from: text, to: t.int(32), rule: { onInvalid: 'null' } }, "'x'", null, 'invalid_value nulled x'],
    ['quarantine', { from: text, to: t.int(32), rule: { onInvalid: 'quarantine' } }, "'x'", rejected, 'invalid_value rejected x'],
    ['default', { from: text, to: t.int(32), rule: { onInvalid: 'default' }, defaultSql: '7' }, "'x'", '7', 'invalid_value defaulted x'],
    ['default without one', { from: text, to: t.int(32), rule: { onInvalid: 'default' } }, "'x'", null, 'invalid_value nulled x'],
    ['round', { from: text, to: t.int(32), rule: { onLossy: 'round' } }, "'2.5'", '3', 'lossy_value altered 2.5'],
    ['round, negative', { from: text, to: t.int(32), rule: { onLossy: 'round' } }, "'-2.5'", '-3', 'lossy_value altered -2.5'],
    ['truncate', { from: text, to: t.decimal(4, 1), rule: { onLossy: 'truncate' } }, "'2.59'", '2.5', 'lossy_value:scale altered 2.59'],
    [
      'round does not help what is no number',
      { from: text, to: t.int(32), rule: { onLossy: 'round' } },
      "'x'",
      rejected,
      'invalid_value rejected x',
    ],
    [
      'round beside null',
      { from: text, to: t.int(32), rule: { onLossy: 'round', onInvalid: 'null' } },
      "'x'",
      null,
      'invalid_value nulled x',
    ],
    [
      'round beside null, lossy',
      { from: text, to: t.int(32), rule: { onLossy: 'round', onInvalid: 'null' } },
      "'1.4'",
      '1',
      'lossy_value altered 1.4',
    ],
  ];
  it.each(rows)('%s', async (_name, ask, raw, ...expected) => {
    expect(await outcome(ask, raw)).toEqual(expected);
  });
});

describe('JSON tokens', () => {
  const rows: Row[] = [
    [t.string(), '"a"', 'a'],
    [t.string(), '""', ''],
    [t.string(), '"a\\"b\\u00e9\\\\"', 'a"bé\\'],
    [t.string(), '"😀"', '😀'],
    [t.string(), '"null"', 'null'],
    [t.string(), 'null', null],
    [t.string(), null, null],
    [t.string(), '1.50', '1.50', 'number c: 1.50'],
    [t.string(), '1e2', '1e2', 'number c: 1e2'],
    [t.string(), '-3', '-3', 'number c: -3'],
    [t.string(), 'true', 'true', 'boolean c: true'],
    [t.string(), '{"a":1}', rejected, 'invalid_value:structure rejected {"a":1}'],
    [t.string(), '[1]', rejected, 'invalid_value:structure rejected [1]'],
    [t.int(64), '12345678901234567', '12345678901234567'],
    [t.int(64), '1e2', '100'],
    [t.int(64), '"1e2"', rejected, 'invalid_value:exponent rejected 1e2'],
    [t.int(64), '"12"', '12', 'string c: 12'],
    [t.int(64), '"007"', '7', 'string c: 007'],
    [t.int(64), '1.5', rejected, 'lossy_value rejected 1.5'],
    [t.int(64), 'true', rejected, 'invalid_value rejected true'],
    [t.int(64), '{}', rejected, 'invalid_value:structure rejected {}'],
    [t.decimal(38, 3), '12345678901234567890.123', '12345678901234567890.123'],
    [t.float(64), '0.1', '0.1'],
    [t.float(64), '"NaN"', 'nan', 'string c: NaN'],
    [t.boolean, 'true', 'true'],
    [t.boolean, 'false', 'false'],
    [t.boolean, '"true"', 'true', 'string c: true'],
    [t.boolean, '1', rejected, 'invalid_value rejected 1'],
    [t.boolean, '[]', rejected, 'invalid_value:structure rejected []'],
    [t.date, '"2026-01-02"', '2026-01-02'],
    [t.date, '20260102', rejected, 'invalid_value rejected 20260102'],
    [t.date, 'true', rejected, 'invalid_value rejected true'],
    [t.uuid, '"550E8400-e29b-41d4-a716-446655440000"', '550e8400-e29b-41d4-a716-446655440000'],
    [t.uuid, '1', rejected, 'invalid_value rejected 1'],
    [t.json, '"a"', '"a"'],
    [t.json, '1.10', '1.10'],
    [t.json, '{"a":1.10}', '{"a":1.10}'],
    [t.json, 'null', null],
  ];
  it.each(rows)('%j takes %j', async (to, token, ...expected) => {
    expect(await outcome({ from: { form: 'json' }, to }, token === null ? 'NULL::VARCHAR' : literal(token))).toEqual(expected);
  });

  it('takes U+0000 out of a string only to refuse it', async () => {
    expect((await outcome({ from: { form: 'json' }, to: t.string() }, literal('"a\\u0000"')))[1]).toMatch(
      /^invalid_value:nul_character rejected/,
    );
  });

  it.each([
    [t.string(), '"#m7#1.50"', '1.50', 'number c: 1.50'],
    [t.string(), '"1.50"', '1.50'],
    [t.decimal(5, 2), '"#m7#1.50"', '1.50'],
    [t.decimal(5, 2), '"#m7#1e1"', '10.00'],
    [t.boolean, '"#m7#1"', rejected, 'invalid_value rejected 1'],
    [t.json, '{"a":"#m7#1.50","b":["#m7#-2e5","x"]}', '{"a":1.50,"b":[-2e5,"x"]}'],
    [t.string(), '{"a":"#m7#1.50"}', rejected, 'invalid_value:structure rejected {"a":1.50}'],
    [t.list(t.int(32)), '"#m7#1.50"', rejected, 'invalid_value:structure rejected 1.50'],
  ] as Row[])('a marked string is a number: %j from %j', async (to, token, ...expected) => {
    expect(await outcome({ from: { form: 'json' }, to, mark: '#m7#' }, literal(token ?? ''))).toEqual(expected);
  });

  it('takes a null token for null as a string, and as a number or boolean as it is written', async () => {
    const ask: Omit<Ask, 'raws'> = { from: { form: 'json' }, to: t.string(), rule: { nullValues: ['-', '5'] } };
    expect(await outcome(ask, `'"-"'`)).toEqual([null]);
    expect(await outcome(ask, `'"\\u002d"'`)).toEqual([null]);
    expect(await outcome(ask, `'5'`)).toEqual([null]);
    expect(await outcome(ask, `'5.0'`)).toEqual(['5.0', 'number c: 5.0']);
    expect(await outcome(ask, `'" - "'`)).toEqual([' - ']);
    expect(await outcome({ ...ask, to: t.int(32) }, `'" - "'`)).toEqual([null]);
  });

  it('never takes a boolean token by lists, nor a number by them', async () => {
    const ask: Omit<Ask, 'raws'> = { from: { form: 'json' }, to: t.boolean, rule: { trueValues: ['1', 'false'], falseValues: ['true'] } };
    expect(await outcome(ask, `'true'`)).toEqual(['true']);
    expect(await outcome(ask, `'1'`)).toEqual([rejected, 'invalid_value rejected 1']);
    expect(await outcome(ask, `'"1"'`)).toEqual(['true', 'string c: 1']);
  });

  it('reads strings by the decimal mark of the rule and numbers by a point', async () => {
    const ask: Omit<Ask, 'raws'> = { from: { form: 'json' }, to: t.decimal(8, 2), rule: { decimal: ',', group: '.' } };
    expect(await outcome(ask, `'1.5'`)).toEqual(['1.50']);
    expect(await outcome(ask, `'"1.234,5"'`)).toEqual(['1234.50', 'string c: 1.234,5']);
  });
});

describe('typed values', () => {
  type Typed = [from: LogicalType, sql: string, to: LogicalType, stored: string | null | undefined, ...rest: string[]];
  const rows: Typed[] = [
    [t.int(32), '7', t.int(32), '7'],
    [t.int(32), '7', t.int(64), '7'],
    [t.int(64), '300', t.int(8), rejected, 'invalid_value:out_of_range rejected 300'],
    [t.int(64), '42::BIGINT', t.decimal(5, 2), '42.00'],
    [t.int(64), '1000', t.decimal(5, 2), rejected, 'invalid_value:out_of_range rejected 1000'],
    [t.int(64), '9007199254740992', t.float(64), '9007199254740992.0'],
    [t.int(64), '9007199254740993', t.float(64), rejected, 'lossy_value rejected 9007199254740993'],
    [t.int(32), '16777217::INTEGER', t.float(32), rejected, 'lossy_value rejected 16777217'],
    [t.int(16), '16777::SMALLINT', t.float(32), '16777.0'],
    [t.float(32), '0.5::FLOAT', t.float(64), '0.5'],
    [t.float(64), '0.1::DOUBLE', t.float(32), '0.1'],
    [t.float(64), '1e300::DOUBLE', t.float(32), rejected, 'invalid_value:out_of_range rejected 1e+300'],
    [t.float(64), "'nan'::DOUBLE", t.float(32), 'nan'],
    [t.float(64), '5.0::DOUBLE', t.int(32), '5'],
    [t.float(64), '5.5::DOUBLE', t.int(32), rejected, 'lossy_value rejected 5.5'],
    [t.float(64), '1e20::DOUBLE', t.int(64), rejected, 'invalid_value:out_of_range rejected 1e+20'],
    [t.float(64), "'inf'::DOUBLE", t.int(32), rejected, 'invalid_value rejected Infinity'],
    [t.float(64), "'nan'::DOUBLE", t.int(32), rejected, 'invalid_value rejected NaN'],
    [t.float(64), '0.1::DOUBLE', t.decimal(38, 30), `0.1${'0'.repeat(29)}`],
    [t.float(64), '1e16::DOUBLE', t.decimal(20, 2), '10000000000000000.00'],
    [t.float(64), '0.125::DOUBLE', t.decimal(5, 2), rejected, 'lossy_value:scale rejected 0.125'],
    [t.decimal(6, 3), '1.500::DECIMAL(6,3)', t.decimal(5, 1), '1.5'],
    [t.decimal(6, 3), '1.510::DECIMAL(6,3)', t.decimal(5, 1), rejected, 'lossy_value:scale rejected 1.510'],
    [t.decimal(6, 3), '1.510::DECIMAL(6,3)', t.decimal(9, 4), '1.5100'],
    [t.decimal(6, 3), '2.000::DECIMAL(6,3)', t.int(32), '2'],
    [t.decimal(6, 3), '2.001::DECIMAL(6,3)', t.int(32), rejected, 'lossy_value rejected 2.001'],
    [t.decimal(6, 3), '0.100::DECIMAL(6,3)', t.float(64), '0.1'],
    [t.date, "DATE '2026-01-02'", t.timestamp, '2026-01-02 00:00:00'],
    [t.timestamp, "TIMESTAMP '2026-01-02 00:00:00'", t.date, '2026-01-02'],
    [t.timestamp, "TIMESTAMP '2026-01-02 00:00:00.000001'", t.date, rejected, 'lossy_value rejected 2026-01-02T00:00:00.000001'],
    [t.date, "DATE '2026-01-02'", t.timestamptz, rejected, 'invalid_value:missing_timezone rejected 2026-01-02'],
    [
      t.timestamp,
      "TIMESTAMP '2026-01-02 03:00:00'",
      t.timestamptz,
      rejected,
      'invalid_value:missing_timezone rejected 2026-01-02T03:00:00',
    ],
    [
      t.timestamptz,
      "TIMESTAMPTZ '2026-01-02 03:00:00Z'",
      t.timestamp,
      rejected,
      'invalid_value:offset_without_target_zone rejected 2026-01-02T03:00:00Z',
    ],
    [t.timestamptz, "TIMESTAMPTZ '2026-01-02 03:00:00.5Z'", t.string(), '2026-01-02T03:00:00.5Z'],
    [t.timestamp, "TIMESTAMP '2026-01-02 03:00:00'", t.string(), '2026-01-02T03:00:00'],
    [t.date, "DATE '2026-01-02'", t.string(), '2026-01-02'],
    [t.boolean, 'true', t.string(), 'true'],
    [t.int(32), '12', t.string(1), rejected, 'invalid_value:too_long rejected 12'],
    [t.decimal(5, 2), '1.5::DECIMAL(5,2)', t.string(), '1.50'],
    [t.uuid, "'550e8400-e29b-41d4-a716-446655440000'::UUID", t.string(), '550e8400-e29b-41d4-a716-446655440000'],
    [t.int(32), '1', t.boolean, rejected, 'invalid_value rejected 1'],
    [t.boolean, 'true', t.int(32), rejected, 'invalid_value rejected true'],
    [t.binary, "'\\xAB'::BLOB", t.binary, '\\xAB'],
    [t.binary, "'\\xAB'::BLOB", t.string(), rejected, 'invalid_value rejected AB'],
    [t.string(), "'007'", t.int(32), '7', 'string c: 007'],
    [t.string(), "'1.5'", t.int(32), rejected, 'lossy_value rejected 1.5'],
    [t.json, `' "a" '::JSON`, t.string(), 'a'],
    [t.json, `' null '::JSON`, t.string(), null],
    [t.json, `'1.50'::JSON`, t.decimal(5, 2), '1.50'],
    [
      t.json,
      `'{"a": 12345678901234567890.123}'::JSON`,
      t.struct([{ name: 'a', type: t.decimal(38, 3) }]),
      "{'a': 12345678901234567890.123}",
    ],
    [t.json, `'[1]'::JSON`, t.string(), rejected, 'invalid_value:structure rejected [1]'],
    [t.unknown('HUGEINT'), '12::HUGEINT', t.int(8), '12'],
    [t.unknown('HUGEINT'), '1200::HUGEINT', t.int(8), rejected, 'invalid_value:out_of_range rejected 1200'],
    [
      t.unknown('TIMESTAMP_NS'),
      "'2026-01-02 03:04:05.123456789'::TIMESTAMP_NS",
      t.timestamp,
      rejected,
      'lossy_value:sub_microsecond rejected 2026-01-02 03:04:05.123456789',
    ],
    [t.int(32), 'NULL::INTEGER', t.string(), null],
  ];
  describe.each(['UTC', 'America/New_York'])('in a session in %s', (zone) => {
    beforeAll(async () => {
      await connection.run(`SET TimeZone = '${zone}'`);
      return async () => void (await connection.run("SET TimeZone = 'UTC'"));
    });
    it.each(rows)('%j %s into %j', async (type, sql, to, ...expected) => {
      expect(await outcome({ from: { form: 'typed', type }, to }, sql)).toEqual(expected);
    });

    const epochOf = async (type: LogicalType, sql: string, timezone: string): Promise<unknown> => {
      const [answer] = await coerce(connection, { from: { form: 'typed', type }, to: t.timestamptz, rule: { timezone }, raws: [sql] });
      if (answer?.value === undefined || answer.value === null) return answer?.issues[0]?.code;
      const read = await connection.runAndReadAll(`SELECT epoch(${literal(answer.value)}::TIMESTAMPTZ)::BIGINT::VARCHAR`);
      return read.getRowsJson()[0]?.[0];
    };

    it('reads local times in the zone of the rule', async () => {
      // 2026-07-01 00:00 in Lisbon is 2026-06-30 23:00 UTC.
      expect(await epochOf(t.timestamp, "TIMESTAMP '2026-07-01 00:00:00'", 'Europe/Lisbon')).toBe('1782860400');
      expect(await epochOf(t.date, "DATE '2026-07-01'", 'Europe/Lisbon')).toBe('1782860400');
    });

    it('refuses local times that do not exist or exist twice', async () => {
      expect(await epochOf(t.timestamp, "TIMESTAMP '2026-03-29 01:30:00'", 'Europe/Lisbon')).toBe('invalid_value:local_time_undefined');
      expect(await epochOf(t.timestamp, "TIMESTAMP '2026-10-25 01:30:00'", 'Europe/Lisbon')).toBe('invalid_value:local_time_undefined');
    });

    it('turns instants into local times of the target zone', async () => {
      const ask = { from: { form: 'typed', type: t.timestamptz }, rule: { toTimezone: 'Europe/Lisbon' } } as const;
      expect(await outcome({ ...ask, to: t.timestamp }, "TIMESTAMPTZ '2026-06-30 23:00:00Z'")).toEqual(['2026-07-01 00:00:00']);
      expect(await outcome({ ...ask, to: t.date }, "TIMESTAMPTZ '2026-06-30 23:00:00Z'")).toEqual(['2026-07-01']);
      expect(await outcome({ ...ask, to: t.date }, "TIMESTAMPTZ '2026-06-30 22:00:00Z'")).toEqual([
        rejected,
        'lossy_value rejected 2026-06-30T22:00:00Z',
      ]);
    });
  });

  it('rounds and cuts doubles by rule', async () => {
    const ask = { from: { form: 'typed', type: t.float(64) }, to: t.int(32) } as const;
    expect(await outcome({ ...ask, rule: { onLossy: 'round' } }, '(-2.5)::DOUBLE')).toEqual(['-3', 'lossy_value altered -2.5']);
    expect(await outcome({ ...ask, rule: { onLossy: 'truncate' } }, '(-2.5)::DOUBLE')).toEqual(['-2', 'lossy_value altered -2.5']);
    expect(await outcome({ ...ask, rule: { onLossy: 'round' } }, '(2147483647.5)::DOUBLE')).toEqual([
      rejected,
      'lossy_value rejected 2147483647.5',
    ]);
  });

  it('reads whole numbers as epochs only by a format', async () => {
    const ask = { from: { form: 'typed', type: t.int(64) }, to: t.timestamp } as const;
    expect(await outcome(ask, '0::BIGINT')).toEqual([rejected, 'invalid_value rejected 0']);
    expect(await outcome({ ...ask, rule: { formats: ['epoch_s'] } }, '86400::BIGINT')).toEqual(['1970-01-02 00:00:00']);
  });
});

describe('the SQL itself', () => {
  const input = { raw: 'r', text: 't', strict: 's' };
  const rule = {
    from: [],
    onInvalid: 'error',
    onLossy: 'invalid',
    onMissing: 'default',
    onNull: 'keep',
    trim: 'auto',
    decimal: '.',
    exponent: false,
    nullValues: [],
    mask: 'none',
  } as const;

  it('leaves out what cannot happen', () => {
    const sql = coerceSql({ path: 'c', from: { form: 'text' }, to: t.string(), rule, nested: new Map() }, input, { nul: false });
    expect([sql.text, sql.strict, sql.refused, sql.rejects]).toEqual(['r', 't', 'false', 'false']);
  });

  it('refuses a target that only some engine knows', () => {
    const build = () =>
      coerceSql({ path: 'c', from: { form: 'text' }, to: t.unknown('GEOMETRY'), rule, nested: new Map() }, input, { nul: true });
    expect(build).toThrow(/\[GAP\].*GEOMETRY/);
  });
});
