import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { main } from '../../src/cli/main.ts';
import type { RunRecord } from '../../src/core/record/run-record.ts';
import { Random } from './random.ts';

let cwd: string;
beforeEach(() => {
  cwd = realpathSync(mkdtempSync(join(tmpdir(), 'schemalign-aligned-')));
  mkdirSync(join(cwd, '.git'));
});
afterEach(() => rmSync(cwd, { recursive: true, force: true }));

async function run(...argv: readonly string[]): Promise<{ readonly exit: number; readonly out: string; readonly err: string }> {
  const said = { out: '', err: '' };
  const into = (stream: 'out' | 'err') => ({
    write: (text: string) => {
      said[stream] += text;
    },
  });
  const io = {
    stdout: into('out'),
    stderr: into('err'),
    env: {},
    cwd,
    signal: new AbortController().signal,
    clock: () => Date.now(),
    ports: {},
  };
  return { exit: await main(argv, io), ...said };
}

/** Ways to write values of one column, each in a form that the law takes. */
const columns: readonly (readonly [name: string, value: (random: Random) => string])[] = [
  ['whole', (random) => String(random.int(-1_000_000, 1_000_000))],
  ['large', (random) => `${random.int(1, 9)}${random.digits(17, 17)}`],
  ['money', (random) => `${random.int(0, 9999)}.${random.digits(2, 2)}`],
  ['share', (random) => `0.${random.digits(1, 9)}`],
  ['flag', (random) => random.pick(['true', 'false'])],
  ['day', (random) => `20${random.digits(2, 2)}-0${random.int(1, 9)}-${random.int(10, 28)}`],
  ['local', (random) => `2026-0${random.int(1, 9)}-1${random.int(0, 9)} 1${random.int(0, 9)}:${random.int(10, 59)}:${random.int(10, 59)}`],
  [
    'instant',
    (random) =>
      `2026-0${random.int(1, 9)}-1${random.int(0, 9)}T1${random.int(0, 9)}:30:00.${random.digits(1, 6)}${random.pick(['Z', '+02:00', '-0330'])}`,
  ],
  ['token', (random) => [8, 4, 4, 4, 12].map((count) => random.text('0123456789abcdef', count, count)).join('-')],
  ['text', (random) => random.text('abc "\',;\n\té😀', 1, 12)],
  ['hostile "name"', (random) => random.text('xyz', 1, 3)],
];

const field = (text: string): string => (/[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

function csv(random: Random, rows: number): string {
  const chosen = columns.filter(() => random.chance(0.7));
  const lines = Array.from({ length: rows }, (_, i) => {
    const fields = chosen.map(([, value]) => (random.chance(0.1) ? '' : field(value(random))));
    return [String(i + 1), ...fields].join(',');
  });
  return `${['id', ...chosen.map(([name]) => field(name))].join(',')}\n${lines.join('\n')}\n`;
}

test.each([1, 2, 3, 4])('the plan of a table that was made from its source finds nothing (seed %i)', async (seed) => {
  const random = new Random(seed);
  const rows = random.int(50, 300);
  writeFileSync(join(cwd, 'in.csv'), csv(random, rows));
  const operands = ['in.csv', 'w.duckdb', '--table', 't', '--key', 'id'];

  const loaded = await run('load', ...operands, '--create', '--json');
  expect(loaded).toMatchObject({ exit: 0, err: '' });
  expect(JSON.parse(loaded.out).counts).toMatchObject({ read: rows, loaded: rows, inserted: rows, quarantined: 0 });

  const planned = await run('plan', ...operands, '--check', '--json');
  const record = JSON.parse(planned.out) as RunRecord;
  expect(record.findings).toEqual([]);
  expect(record.schema_changes).toEqual([]);
  expect(record.counts).toMatchObject({
    read: rows,
    loaded: rows,
    inserted: 0,
    updated: 0,
    unchanged: rows,
    quarantined: 0,
    superseded: 0,
  });
  expect(planned.exit).toBe(0);
});
