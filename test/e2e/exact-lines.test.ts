/** A finding names the physical line of its value, whatever stands before it in the file. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { flagsFromOptions } from '../../src/config/flags.ts';
import { jobFromOperands } from '../../src/config/resolve-job.ts';
import { openSession } from '../../src/engines/duckdb/driver.ts';
import { align } from '../../src/run/align.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'exact-lines-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Line 1 header, 2 good, 3 blank, 4 malformed, 5–6 one record, 7 bad value. */
const lines = ['id,n', '1,10', '', '2,20,surplus', '3,"two', 'lines"', '4,bad'];

test.each([
  ['LF', Buffer.from(`${lines.join('\n')}\n`), 'a.csv'],
  ['CRLF', Buffer.from(`${lines.join('\r\n')}\r\n`), 'a.csv'],
  ['a byte-order mark and no last line end', Buffer.from(`\ufeff${lines.join('\n')}`), 'a.csv'],
  ['mixed line ends', Buffer.from(`${lines.slice(0, 3).join('\r\n')}\r\n${lines.slice(3).join('\n')}\n`), 'a.csv'],
  ['UTF-16 with a byte-order mark', Buffer.from(`\ufeff${lines.join('\n')}\n`, 'utf16le'), 'a.csv'],
  ['gzip', gzipSync(`${lines.join('\n')}\n`), 'a.csv.gz'],
])('a blank line, a malformed record and a two-line record before a bad value: %s', async (_, bytes, name) => {
  const database = join(folder, 'w.duckdb');
  const session = await openSession(database);
  await session.run('CREATE TABLE t (id BIGINT NOT NULL, n INTEGER)');
  session.close();
  writeFileSync(join(folder, name), bytes);
  const job = jobFromOperands(
    join(folder, name),
    database,
    flagsFromOptions({ table: 't', mode: 'append', onInvalid: 'quarantine', onMalformed: 'quarantine' }),
  );
  const { record } = await align(job, { verb: 'load' });
  const places = (kind: string) =>
    record.findings
      .filter((finding) => finding.name === kind)
      .flatMap((finding) => finding.examples.map(({ value, line, record: number }) => [value, line, number]));
  expect(places('malformed_record')).toEqual([['2,20,surplus', 4, 2]]);
  expect(places('invalid_value')).toEqual([
    [expect.stringMatching(/^two\r?\nlines$/), 5, 3],
    ['bad', 7, 4],
  ]);
  expect(record.counts).toMatchObject({ read: 4, loaded: 1, quarantined: 3 });
});
