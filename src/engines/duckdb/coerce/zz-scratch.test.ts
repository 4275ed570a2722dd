import { test } from 'vitest';
import { DuckDBInstance } from '@duckdb/node-api';
import { builtInRule } from '../../../core/model/policy.ts';
import { temporalText } from './temporal.ts';
test('speed', async () => {
  const i = await DuckDBInstance.create(':memory:', { autoinstall_known_extensions: 'false', autoload_known_extensions: 'false', threads: '1' });
  const c = await i.connect();
  await c.run("SET TimeZone='UTC'");
  await c.run(`CREATE TABLE t AS SELECT CASE WHEN i % 20 < 3 THEN strftime(ts, '%d/%m/%Y %H:%M:%S') WHEN i % 20 < 6 THEN strftime(ts, '%Y-%m-%dT%H:%M:%SZ') WHEN i % 20 < 8 THEN strftime(ts, '%Y-%m-%dT%H:%M:%S+02:00') WHEN i % 400 = 399 THEN 'oops' ELSE strftime(ts, '%Y-%m-%d %H:%M:%S') END AS mixed,
    strftime(ts, '%Y-%m-%d %H:%M:%S') iso, strftime(ts, '%Y-%m-%dT%H:%M:%S.%f') frac, strftime(ts, '%Y-%m-%d') d, strftime(ts, '%d/%m/%y') yy, epoch_ms(ts)::VARCHAR ems, strftime(ts, '%H:%M:%S') tm, strftime(ts, '%b %d %Y') mon, strftime(ts, '%Y-%m-%dT%H:%M:%SZ') z, CASE WHEN i%7=0 THEN strftime(ts, '%d/%m/%Y') ELSE strftime(ts, '%Y-%m-%d') END dmix
    FROM (SELECT i, TIMESTAMP '2001-01-01' + to_seconds(i*613) ts FROM range(1000000) r(i))`);
  const law = (k: string, x: string, r: object) => (temporalText as any)[k](x, { to: { kind: k }, rule: { ...builtInRule, ...r }, context: { nul: false }, number: false }).value;
  const floor = "CASE WHEN mixed[3] = '/' THEN try_strptime(mixed, '%d/%m/%Y %H:%M:%S') WHEN length(mixed) = 19 AND mixed[17] = ':' THEN TRY_CAST(mixed AS TIMESTAMP) ELSE TRY_CAST(mixed AS TIMESTAMPTZ)::TIMESTAMP END";
  const floorD = "coalesce(TRY_CAST(dmix AS DATE), try_strptime(dmix, '%d/%m/%Y')::DATE)";
  const all: [string, string][] = [
    ['floor mixed', floor],
    ['ours mixed [iso, dmy] to UTC', law('timestamp', 'mixed', { formats: ['iso', 'dd/MM/yyyy HH:mm:ss'], toTimezone: 'UTC' })],
    ['ours mixed [iso, dmy] to NY', law('timestamp', 'mixed', { formats: ['iso', 'dd/MM/yyyy HH:mm:ss'], toTimezone: 'America/New_York' })],
    ['cast iso', 'TRY_CAST(iso AS TIMESTAMP)'], ['ours iso', law('timestamp', 'iso', {})],
    ['cast frac', 'TRY_CAST(frac AS TIMESTAMP)'], ['ours frac', law('timestamp', 'frac', {})],
    ['cast date', 'TRY_CAST(d AS DATE)'], ['ours date', law('date', 'd', {})],
    ['floor date mix', floorD], ['ours date mix', law('date', 'dmix', { formats: ['iso', 'dd/MM/yyyy'] })],
    ['ours yy', law('date', 'yy', { formats: ['dd/MM/yy'], twoDigitYearRange: [1950, 2049] })],
    ['ours ambiguous pair', law('date', 'dmix', { formats: ['dd/MM/yyyy', 'MM/dd/yyyy', 'iso'] })],
    ['ours epoch_ms', law('timestamptz', 'ems', { formats: ['epoch_ms'] })],
    ['ours time', law('time', 'tm', {})],
    ['ours MMM d yyyy', law('date', 'mon', { formats: ['MMM d yyyy'] })], ['ours MMM dd yyyy', law('date', 'mon', { formats: ['MMM dd yyyy'] })],
    ['cast z', 'TRY_CAST(z AS TIMESTAMPTZ)'], ['ours z', law('timestamptz', 'z', {})],
    ['ours iso tz UTC', law('timestamptz', 'iso', { timezone: 'UTC' })],
    ['ours iso tz Lisbon', law('timestamptz', 'iso', { timezone: 'Europe/Lisbon' })],
  ];
  for (const [n, e] of all) {
    const times: number[] = [];
    for (let r = 0; r < 5; r++) { const t = process.cpuUsage(); await c.run(`SELECT max(${e}), count(${e}) FROM t`); const u = process.cpuUsage(t); times.push((u.user + u.system) / 1000); }
    times.sort((a, b) => a - b);
    console.log('SPEED', n, times[0]?.toFixed(), times[2]?.toFixed());
  }
}, 200000);
