import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Io } from '../../src/cli/io.ts';
import { main } from '../../src/cli/main.ts';
import type { Ports } from '../../src/cli/run-port.ts';
import { Fault } from '../../src/core/fault.ts';
import type { Job } from '../../src/core/model/policy.ts';
import { int, string } from '../../src/core/model/type.ts';
import type { RunRecord } from '../../src/core/record/run-record.ts';
import type { AlignOptions, AlignResult } from '../../src/run/align.ts';
import type { Inspected } from '../../src/run/inspect.ts';
import { planHash, type SavedPlan } from '../../src/run/plan-file.ts';

let cwd: string;
beforeEach(() => {
  cwd = realpathSync(mkdtempSync(join(tmpdir(), 'schemalign-cli-')));
  mkdirSync(join(cwd, '.git'));
});
afterEach(() => rmSync(cwd, { recursive: true, force: true }));

interface Said {
  readonly exit: number;
  readonly out: string;
  readonly err: string;
}

interface Setting {
  readonly ports?: Partial<Ports>;
  readonly env?: Record<string, string>;
  readonly tty?: boolean;
  readonly signal?: AbortSignal;
}

async function run(argv: readonly string[], setting: Setting = {}): Promise<Said> {
  let out = '';
  let err = '';
  let now = 0;
  const tty = setting.tty === true ? { isTTY: true, columns: 80 } : {};
  const io: Io = {
    stdout: {
      write: (text) => {
        out += text;
      },
      ...tty,
    },
    stderr: {
      write: (text) => {
        err += text;
      },
      ...tty,
    },
    env: setting.env ?? {},
    cwd,
    signal: setting.signal ?? new AbortController().signal,
    clock: () => {
      now += 1000;
      return now;
    },
    ports: setting.ports ?? {},
  };
  const exit = await main(argv, io);
  return { exit, out, err };
}

const record: RunRecord = {
  schema: 'run-1',
  run_id: '0197c2f0-0000-7000-8000-000000000001',
  tool_version: '0.1.0',
  job: 'orders',
  verb: 'load',
  status: 'finished',
  exit: 0,
  committed: true,
  mode: 'append',
  source: { description: 'a.csv', fingerprint: 'f', files: [] },
  target: { engine: 'duckdb', url: 'w.duckdb', table: 'orders', version_before: null, version_after: null },
  plan_hash: 'h',
  evidence: { rows: 1234, sampled: false },
  counts: {
    read: 1234,
    loaded: 1234,
    inserted: 1234,
    updated: 0,
    unchanged: 0,
    deleted: 0,
    quarantined: 0,
    superseded: 0,
    values_altered: 0,
    values_nulled: 0,
    files_skipped: 0,
  },
  columns: [],
  findings: [],
  partitions: [],
  schema_changes: [],
  verify: { ok: true, checks: [] },
  notes: [],
  fault: null,
  started_at: '2026-01-02T03:04:05.678Z',
  finished_at: '2026-01-02T03:04:06.678Z',
  phases: [],
};

/** A run side that notes what it was asked. */
function aligner(answer: Partial<AlignResult> = {}) {
  const calls: { readonly job: Job; readonly options: AlignOptions }[] = [];
  const align: Ports['align'] = async (job, options) => {
    calls.push({ job, options });
    return { record, plan: null, statements: [], ...answer };
  };
  return { calls, ports: { align } };
}

const config =
  'version: 1\nconnections: { wh: { url: w.duckdb } }\njobs:\n  orders:\n    source: { path: a.csv }\n    target: { connection: wh, table: orders }\n';
const write = (name: string, text: string): void => writeFileSync(join(cwd, name), text);

describe('help and version', () => {
  test('--version', async () => {
    const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
    expect(await run(['--version'])).toEqual({ exit: 0, out: `${version}\n`, err: '' });
    expect(await run(['-V'])).toMatchObject({ exit: 0, out: `${version}\n` });
  });

  test('--help lists every verb and teaches by example', async () => {
    const { exit, out } = await run(['--help']);
    expect(exit).toBe(0);
    for (const verb of ['inspect', 'diff', 'plan', 'load', 'verify', 'history', 'report', 'explain'])
      expect(out).toMatch(new RegExp(`^  ${verb} `, 'm'));
    expect(out).toContain('$ schemalign load orders.json warehouse.duckdb --table orders --key id --create');
    expect(out).not.toMatch(/^ {2}init/m);
  });

  test('nothing at all is a question about usage', async () => {
    expect(await run([])).toMatchObject({ exit: 2, out: '', err: expect.stringContaining('Usage: schemalign') });
  });

  test.each(['inspect', 'diff', 'plan', 'load', 'verify', 'history', 'report', 'explain'])(
    '%s --help: one sentence, two to four examples',
    async (verb) => {
      const { exit, out } = await run([verb, '--help']);
      expect(exit).toBe(0);
      const examples = out.match(/^ {2}\$ schemalign .*$/gm) ?? [];
      expect(examples.length).toBeGreaterThanOrEqual(2);
      expect(examples.length).toBeLessThanOrEqual(4);
      expect(examples.every((line) => line.startsWith(`  $ schemalign ${verb}`))).toBe(true);
      expect(await run(['help', verb])).toMatchObject({ exit: 0, out });
    },
  );
});

describe('slips of the command line', () => {
  test.each([
    [['laod'], /unknown command 'laod'; did you mean load\?/],
    [['load', '--tabel', 'x'], /unknown option '--tabel'; did you mean --table\?/],
    [['load', 'a.csv', 'w.duckdb', '--table'], /argument missing/],
    [['explain'], /missing required argument/],
    [['explain', 'a', 'b'], /too many arguments/],
    [['inspect', 'a.csv', '--as', 'xml'], /Allowed choices are tree, json, ddl/],
    [['inspect', 'a.csv', '--sample', 'many'], /--sample: expected a number/],
    [['load', 'a.csv', 'w.duckdb', '--table', 't', '--on-invalid', 'ignore'], /--on-invalid: expected one of/],
    [['load', 'a', 'b', 'c'], /found 3 operands/],
    [['load', 'a.csv', 'w.duckdb', '--table', 't', '--report', 'pdf=x'], /no report format "pdf"/],
    [['load', 'a.csv', 'w.duckdb', '--table', 't', '--report', 'html'], /expected FORMAT=FILE/],
    [['load', 'a.csv', 'w.duckdb', '--table', 't', '--report', 'html=no/such/x.html'], /folder does not exist/],
    [['plan', 'a.csv', 'w.duckdb', '--table', 't', '--out', 'no/such/p.json'], /folder does not exist/],
    [['load', 'a.csv', 'w.duckdb', '--query', 'SELECT 1', '--table', 't'], /instead of SOURCE/],
    [['history', '--limit', 'x'], /--limit: expected a number/],
    [['report', '--format', 'pdf'], /no report format "pdf"/],
    [['verify', '--against', 'a.sql'], /--against needs one table/],
  ])('%j', async (argv, says) => {
    const { calls, ports } = aligner();
    const { exit, out, err } = await run(argv, { ports });
    expect(exit).toBe(2);
    expect(out).toBe('');
    expect(err).toMatch(/^error\[USAGE\]: /);
    expect(err).toMatch(says);
    expect(err).toMatch(/^ {2}fix: /m);
    expect(calls).toEqual([]);
  });

  test('terminal escapes in an argument are shown, not obeyed', async () => {
    const { err } = await run(['\x1b[2Jload']);
    expect(err).not.toContain('\x1b');
    expect(err).toContain('\\x1b[2Jload');
  });

  test('a job without configuration', async () => {
    expect(await run(['load', 'orders'])).toMatchObject({
      exit: 2,
      err: expect.stringMatching(/^error\[CONFIG_NOT_FOUND\]: there is no job "orders"/),
    });
    write('schemalign.yml', config);
    expect((await run(['load', 'orders'])).err).toContain('Rename schemalign.yml to schemalign.yaml');
  });

  test('a source without a target', async () => {
    write('orders.json', '{"id":1}\n');
    expect(await run(['load', 'orders.json'])).toMatchObject({ exit: 2, err: expect.stringContaining('"orders.json" is neither') });
  });
});

describe('load', () => {
  test('SOURCE TARGET', async () => {
    const { calls, ports } = aligner();
    const { exit, out, err } = await run(
      ['load', 'orders.json', 'w.duckdb', '--table', 'orders', '--key', 'id', '--create', '--rule', 'amount.decimal=,'],
      { ports },
    );
    expect([exit, err]).toEqual([0, '']);
    expect(out).toContain('1,234');
    expect(calls[0]?.options).toMatchObject({ verb: 'load' });
    expect(calls[0]?.job).toMatchObject({
      source: { kind: 'files', path: 'orders.json', base: cwd },
      target: { url: join(cwd, 'w.duckdb'), table: 'orders', create: true },
      mode: 'merge',
      key: ['id'],
    });
    expect(calls[0]?.job.columns.get('amount')).toMatchObject({ decimal: ',' });
  });

  test('JOB, and a file with one job needs no name; the file used is said first', async () => {
    write('schemalign.yaml', config);
    for (const operands of [['orders'], []]) {
      const { calls, ports } = aligner();
      const { exit, err } = await run(['load', ...operands, '--on-invalid', 'quarantine', '--fail-on', 'warning'], { ports });
      expect(exit).toBe(0);
      expect(err).toBe(`using ${join(cwd, 'schemalign.yaml')}\n`);
      expect(calls[0]?.job).toMatchObject({ name: 'orders', failOn: 'warning', defaultRule: { onInvalid: 'quarantine' } });
    }
  });

  test('--config, --force, --no-header', async () => {
    write('other.yaml', config);
    const { calls, ports } = aligner();
    await run(['load', 'orders', '--config', 'other.yaml', '--force', '--no-header'], { ports });
    expect(calls[0]?.job).toMatchObject({ force: true, source: { header: false } });
  });

  test('TARGET with a query', async () => {
    const { calls, ports } = aligner();
    await run(['load', 'w.duckdb#main.t', '--query', 'SELECT 1'], { ports });
    expect(calls[0]?.job.source).toEqual({ kind: 'query', query: 'SELECT 1' });
  });

  test('the exit code is that of the record', async () => {
    const { ports } = aligner({ record: { ...record, exit: 3, status: 'failed', committed: false } });
    expect(await run(['load', 'a.csv', 'w.duckdb#t'], { ports })).toMatchObject({ exit: 3 });
  });

  test('--json prints the record and nothing else', async () => {
    write('schemalign.yaml', config);
    const { out } = await run(['load', 'orders', '--json'], { ports: aligner().ports });
    expect(JSON.parse(out)).toEqual(record);
  });

  test('--quiet prints nothing, unless the run failed', async () => {
    write('schemalign.yaml', config);
    expect(await run(['load', 'orders', '--quiet'], { ports: aligner().ports })).toEqual({ exit: 0, out: '', err: '' });
    const failed = await run(['load', 'orders', '--quiet'], { ports: aligner({ record: { ...record, exit: 1, status: 'failed' } }).ports });
    expect(failed).toMatchObject({ exit: 1, out: '' });
    expect(failed.err.split('\n')).toHaveLength(2);
  });

  test('--report writes each format', async () => {
    await run(['load', 'a.csv', 'w.duckdb#t', '--report', 'json=r.json', '--report', 'html=r.html', '--report', 'markdown=r.md'], {
      ports: aligner().ports,
    });
    expect(JSON.parse(readFileSync(join(cwd, 'r.json'), 'utf8'))).toEqual(record);
    expect(readFileSync(join(cwd, 'r.md'), 'utf8')).toContain('orders');
    expect(readFileSync(join(cwd, 'r.html'), 'utf8')).toMatch(/<html/i);
  });

  test('progress goes to a terminal only', async () => {
    const align: Ports['align'] = async (_, { onProgress }) => {
      onProgress?.({ phase: 'stage', rows: 1_200_000, total: 2_400_000 });
      onProgress?.({ phase: 'stage', rows: 2_400_000, total: 2_400_000 });
      return { record, plan: null, statements: [] };
    };
    const argv = ['load', 'a.csv', 'w.duckdb#t'];
    expect((await run(argv, { ports: { align } })).err).toBe('');
    expect((await run([...argv, '--quiet'], { ports: { align }, tty: true })).err).toBe('');
    const { err } = await run(argv, { ports: { align }, tty: true });
    expect(err).toContain('stage  1,200,000 rows of 2,400,000 (50 %)');
    expect(err).toMatch(/2,400,000 rows\/s/);
    expect(err.endsWith('\r\x1b[2K')).toBe(true);
  });
});

describe('colour', () => {
  const align: Ports['align'] = async () => {
    throw new Fault('GUARD_EMPTY', 'no rows');
  };
  const argv = ['load', 'a.csv', 'w.duckdb#t'];
  test.each([
    ['a terminal has it', { tty: true }, true],
    ['a pipe has not', {}, false],
    ['NO_COLOR', { tty: true, env: { NO_COLOR: '1' } }, false],
    ['an empty NO_COLOR says nothing', { tty: true, env: { NO_COLOR: '' } }, true],
    ['FORCE_COLOR', { env: { FORCE_COLOR: '1' } }, true],
    ['FORCE_COLOR=0', { tty: true, env: { FORCE_COLOR: '0' } }, false],
    ['NO_COLOR rules', { tty: true, env: { NO_COLOR: '1', FORCE_COLOR: '1' } }, false],
    ['a dumb terminal', { tty: true, env: { TERM: 'dumb' } }, false],
  ])('%s', async (_, setting, colored) => {
    expect((await run(argv, { ...setting, ports: { align } })).err.includes('\x1b[1;31m')).toBe(colored);
  });
});

describe('plan', () => {
  const plan = {
    job: 't',
    columns: [
      {
        nested: new Map([
          ['b', { trim: 'never' }],
          ['a', { trim: 'auto' }],
        ]),
      },
    ],
  } as unknown as SavedPlan['plan'];
  const kept = {
    schema: 'plan-1',
    tool_version: '0.1.0',
    plan_hash: planHash(plan),
    effects: {},
    locks: { files: [], target_schema: null, target_version: null },
  };
  const saved = { ...kept, plan, job: { target: { url: 'never written' } } } as unknown as SavedPlan;
  const statements: AlignResult['statements'] = [
    { sql: 'INSERT INTO "t" SELECT 1;', purpose: 'load', because: ['SA103 a\nb'] },
    { sql: 'SELECT 2', purpose: 'verify', because: [] },
  ];

  test('--check fails on warnings too', async () => {
    const { calls, ports } = aligner();
    await run(['plan', 'a.csv', 'w.duckdb#t', '--check'], { ports });
    await run(['plan', 'a.csv', 'w.duckdb#t'], { ports });
    expect(calls.map((call) => call.options)).toMatchObject([
      { verb: 'plan', check: true },
      { verb: 'plan', check: false },
    ]);
  });

  test('--sql prints statements that can be run, with their reasons', async () => {
    const { out } = await run(['plan', 'a.csv', 'w.duckdb#t', '--sql'], { ports: aligner({ statements }).ports });
    expect(out).toBe('-- load: SA103 a\\nb\nINSERT INTO "t" SELECT 1;\n\n-- verify\nSELECT 2;\n');
    const json = await run(['plan', 'a.csv', 'w.duckdb#t', '--sql', '--json'], { ports: aligner({ statements }).ports });
    expect(JSON.parse(json.out)).toEqual(statements);
  });

  test('--sql on a terminal shows escapes instead of obeying them', async () => {
    const hostile: AlignResult['statements'] = [{ sql: 'SELECT "\x1b[31m"', purpose: 'load', because: [] }];
    expect(
      (await run(['plan', 'a.csv', 'w.duckdb#t', '--sql'], { ports: aligner({ statements: hostile }).ports, tty: true })).out,
    ).toContain('\\x1b[31m');
    expect((await run(['plan', 'a.csv', 'w.duckdb#t', '--sql'], { ports: aligner({ statements: hostile }).ports })).out).toContain(
      '"\x1b[31m"',
    );
  });

  test('--out saves it, and load repeats the job with it', async () => {
    const argv = ['a.csv', 'w.duckdb', '--table', 't', '--key', 'id', '--no-header', '--rule', 'a.trim=never', '--on-invalid', 'null'];
    const planned = aligner({ plan: saved });
    expect(await run(['plan', ...argv, '--out', 'p.json', '--sql'], planned)).toMatchObject({
      exit: 0,
      err: expect.stringContaining('schemalign load p.json'),
    });
    const text = readFileSync(join(cwd, 'p.json'), 'utf8');
    expect(JSON.parse(text)).toMatchObject(kept);
    expect(text).not.toContain('never written');
    expect(planned.calls[0]?.options.lock).toBe(true);
    const loaded = aligner();
    expect(await run(['load', 'p.json'], loaded)).toMatchObject({ exit: 0 });
    expect(loaded.calls[0]?.job).toEqual(planned.calls[0]?.job);
    expect(loaded.calls[0]?.options.savedPlan).toEqual({ ...kept, plan });
  });

  test('a saved plan takes no flags of a job', async () => {
    await run(['plan', 'a.csv', 'w.duckdb#t', '--out', 'p.json'], aligner({ plan: saved }));
    expect(await run(['load', 'p.json', '--on-invalid', 'null'], aligner())).toMatchObject({
      exit: 2,
      err: expect.stringContaining('as it is'),
    });
  });

  test('a saved plan holds no secret', async () => {
    const said = await run(['plan', 'a.csv', 'postgres://u:hunter2@h/d#t', '--out', 'p.json'], aligner({ plan: saved }));
    expect(said).toMatchObject({ exit: 2, err: expect.stringContaining('${env:NAME}') });
    expect(said.err).not.toContain('hunter2');
    expect(() => readFileSync(join(cwd, 'p.json'))).toThrow();
  });

  test('a saved plan that was changed by hand', async () => {
    await run(['plan', 'a.csv', 'w.duckdb#t', '--out', 'p.json'], aligner({ plan: saved }));
    write('p.json', readFileSync(join(cwd, 'p.json'), 'utf8').replace('"never"', '"always"'));
    expect(await run(['load', 'p.json'], aligner())).toMatchObject({
      exit: 2,
      err: expect.stringMatching(/^error\[PLAN_INVALID\].*\n? *.*changed after it was saved/),
    });
  });

  test.each([
    ['parts gone', '{"schema":"plan-1","invocation":{"operands":["a"],"options":{}},"plan":{}}', /parts of the plan are missing/],
    ['another version', '{"schema":"plan-9"}', /"plan-1", found "plan-9"/],
    ['no invocation', '{"schema":"plan-1"}', /missing or damaged/],
    ['a damaged invocation', '{"schema":"plan-1","invocation":{"operands":["a",1],"options":{}}}', /missing or damaged/],
    ['a hostile option', '{"schema":"plan-1","invocation":{"operands":["a"],"options":{"key":{"a":1}}}}', /missing or damaged/],
  ])('%s', async (_, text, says) => {
    write('p.json', text);
    const { exit, err } = await run(['load', 'p.json'], aligner());
    expect(exit).toBe(2);
    expect(err).toMatch(/^error\[PLAN_INVALID\]/);
    expect(err).toMatch(says);
  });
});

describe('schemas', () => {
  const column = (name: string, type = string()) => ({ name, type, nullable: true });
  const inspected = (columns: Inspected['schema']['columns'], more: Partial<Inspected> = {}): Inspected => ({
    schema: { columns },
    evidence: null,
    description: 'x',
    kind: 'ddl',
    form: 'typed',
    ...more,
  });
  const sides = {
    'a.sql': inspected([column('id', int(64))], { description: 'a.sql' }),
    'b.sql': inspected([column('id', int(32)), column('n')], { description: 'b.sql' }),
  };
  const inspectAny: Ports['inspectAny'] = async (text) => sides[text as keyof typeof sides];

  test('inspect says how much was read', async () => {
    const answer = inspected([column('id', int(64))], { evidence: { rows: 1234, sampled: false }, description: 'a.csv', kind: 'file' });
    const { exit, out } = await run(['inspect', 'a.csv'], { ports: { inspectAny: async () => answer } });
    expect(exit).toBe(0);
    expect(out).toMatch(/^a\.csv: all 1,234 rows read\nroot\n \|-- id: /);
  });

  test.each(['json', 'ddl', 'spark', 'bigquery', 'json-schema'])('inspect --as %s', async (format) => {
    const { exit, out } = await run(['inspect', 'a.sql', '--as', format], { ports: { inspectAny } });
    expect(exit).toBe(0);
    expect(out).toContain('id');
    expect(out.endsWith('\n')).toBe(true);
  });

  test('diff of equals', async () => {
    expect(await run(['diff', 'a.sql', 'a.sql'], { ports: { inspectAny } })).toMatchObject({
      exit: 0,
      out: 'a.sql and a.sql: no differences\n',
    });
  });

  test('diff of others: --check and --fail-on decide the exit', async () => {
    const plain = await run(['diff', 'a.sql', 'b.sql', '--json'], { ports: { inspectAny } });
    const { divergences, exit } = JSON.parse(plain.out);
    const severities = divergences.map((each: { severity: string }) => each.severity);
    expect(divergences.map((each: { name: string; path: string }) => `${each.name} ${each.path}`)).toContain('missing_column n');
    expect(plain.exit).toBe(severities.includes('error') ? 1 : 0);
    expect(exit).toBe(plain.exit);
    expect((await run(['diff', 'a.sql', 'b.sql', '--check'], { ports: { inspectAny } })).exit).toBe(1);
    expect((await run(['diff', 'a.sql', 'b.sql', '--fail-on', 'never'], { ports: { inspectAny } })).exit).toBe(0);
  });

  test('diff: names from data are made harmless', async () => {
    const hostile = inspected([column('\x1b[2J')], { description: '\x1b]0;x\x07' });
    const { out } = await run(['diff', 'a.sql', 'b.sql'], {
      ports: { inspectAny: async (text) => (text === 'a.sql' ? hostile : sides['b.sql']) },
      tty: true,
      env: { NO_COLOR: '1' },
    });
    expect(out).not.toMatch(/[\x1b\x07]/);
  });

  test('--query and --format belong to A', async () => {
    const asked: unknown[] = [];
    const port: Ports['inspectAny'] = async (_, options) => {
      asked.push([options.query, options.format, options.sample]);
      return sides['a.sql'];
    };
    await run(['diff', 'a', 'b', '--query', 'SELECT 1', '--format', 'csv', '--sample', '10'], { ports: { inspectAny: port } });
    expect(asked).toEqual([
      ['SELECT 1', 'csv', 10],
      [undefined, undefined, 10],
    ]);
  });

  test('verify --against: a missing column is a mismatch', async () => {
    expect(await run(['verify', 'a.sql', '--against', 'b.sql'], { ports: { inspectAny } })).toMatchObject({
      exit: 1,
      out: expect.stringContaining('missing_column'),
    });
    expect(await run(['verify', 'a.sql', '--against', 'a.sql'], { ports: { inspectAny } })).toMatchObject({ exit: 0 });
  });

  test('Ctrl-C need not wait for what only reads', async () => {
    const abort = new AbortController();
    const inspecting = run(['inspect', 'a.sql'], { ports: { inspectAny: () => new Promise(() => undefined) }, signal: abort.signal });
    setTimeout(() => abort.abort(new Fault('INTERRUPTED', 'stopped by SIGINT')), 5);
    expect(await inspecting).toMatchObject({ exit: 2, err: expect.stringContaining('error[INTERRUPTED]') });
  });
});

describe('history and report', () => {
  function auditor() {
    const asked: unknown[] = [];
    const ports: Partial<Ports> = {
      listRuns: async (url, options) => {
        asked.push([url, options]);
        return [record, { ...record, run_id: 'later', job: '\x1b[1mx', started_at: '2026-02-02T00:00:00.000Z' }];
      },
      readRun: async (url, id, options) => {
        asked.push([url, id, options]);
        return record;
      },
    };
    return { asked, ports };
  }

  test('history of a target, the latest first', async () => {
    const { asked, ports } = auditor();
    const { exit, out } = await run(['history', 'w.duckdb', '--audit-prefix', 'a_'], { ports });
    expect(exit).toBe(0);
    expect(asked).toEqual([['w.duckdb', { prefix: 'a_' }]]);
    const lines = out.trimEnd().split('\n');
    expect(lines[0]).toMatch(/^started +job +mode +status +exit +read +loaded +quarantined +run$/);
    expect(lines[1]).toMatch(/^2026-02-02T00:00:00Z +\\x1b\[1mx +append +finished +0 +1,234 +1,234 +0 +later$/);
    expect(lines).toHaveLength(3);
  });

  test('history of a job, by its configuration', async () => {
    write('schemalign.yaml', `${config}audit: { schema: log, prefix: p_ }\n`);
    const { asked, ports } = auditor();
    await run(['history', 'orders', '--limit', '1'], { ports });
    await run(['history'], { ports });
    expect(asked).toEqual([
      [join(cwd, 'w.duckdb'), { prefix: 'p_', schema: 'log', job: 'orders' }],
      [join(cwd, 'w.duckdb'), { prefix: 'p_', schema: 'log' }],
    ]);
  });

  test('report RUN TARGET --out: the extension says the format', async () => {
    const { asked, ports } = auditor();
    expect(await run(['report', '0197', 'w.duckdb', '--out', 'r.html'], { ports })).toEqual({ exit: 0, out: '', err: 'wrote r.html\n' });
    expect(asked).toEqual([['w.duckdb', '0197', { prefix: 'audit_schema_' }]]);
    expect(readFileSync(join(cwd, 'r.html'), 'utf8')).toMatch(/<html/i);
  });

  test('report --format json prints the record', async () => {
    expect(JSON.parse((await run(['report', 'w.duckdb', '--format', 'json'], auditor())).out)).toEqual(record);
  });

  test('without target and configuration', async () => {
    expect(await run(['history'], auditor())).toMatchObject({ exit: 2, err: expect.stringContaining('CONFIG_NOT_FOUND') });
  });
});

describe('explain', () => {
  test('a divergence and a fault', async () => {
    expect(await run(['explain', 'SA201'])).toMatchObject({ exit: 0, out: expect.stringMatching(/^SA201 invalid_value\n/) });
    expect(await run(['explain', 'guard_shrink'])).toMatchObject({ exit: 0, out: expect.stringMatching(/^GUARD_SHRINK\n/) });
  });

  test('nothing by that name', async () => {
    expect(await run(['explain', 'SA999'])).toMatchObject({ exit: 2, out: '', err: expect.stringMatching(/^error\[NOT_FOUND\]/) });
  });
});

describe('faults', () => {
  const failing = (error: unknown): { readonly ports: Partial<Ports> } => ({
    ports: {
      align: async () => {
        throw error;
      },
    },
  });
  const argv = ['load', 'a.csv', 'w.duckdb#t'];

  test('message, place, fix', async () => {
    const { exit, err } = await run(
      argv,
      failing(new Fault('SOURCE_FORMAT', 'no JSON', { place: { file: 'a.json', line: 3, column: 7 }, fix: 'Mend it.' })),
    );
    expect(exit).toBe(2);
    expect(err).toBe('error[SOURCE_FORMAT]: no JSON\n  at a.json:3:7\n  fix: Mend it.\n');
  });

  test('--json: the fault on standard output', async () => {
    const { exit, out } = await run([...argv, '--json'], failing(new Fault('GUARD_SHRINK', 'from 10 to 1', { place: { file: 'a' } })));
    expect(exit).toBe(3);
    expect(JSON.parse(out)).toEqual({
      schema: 'fault-1',
      code: 'GUARD_SHRINK',
      message: 'from 10 to 1',
      fix: 'Raise `max_shrink` if the loss is intended.',
      exit: 3,
      retry: false,
      place: { file: 'a', line: null, column: null },
    });
  });

  test('what nobody expected is a bug of ours; the stack only when asked for', async () => {
    const error = new TypeError('x of postgres://u:hunter2@h/d');
    const { exit, err } = await run(argv, failing(error));
    expect(exit).toBe(70);
    expect(err).toMatch(/^error\[BUG\]: TypeError: x of postgres:\/\/u:\*\*\*@h\/d\n {2}fix: This is a bug of ours, please report it/);
    expect(err).not.toMatch(/^ +at /m);
    const debug = await run(argv, { ...failing(error), env: { SCHEMALIGN_DEBUG: '1' } });
    expect(debug.err).toMatch(/^ +at .*main\.test\.ts/m);
    expect(debug.err).not.toContain('hunter2');
  });

  test('something else thrown', async () => {
    expect(await run(argv, failing('just a text'))).toMatchObject({ exit: 70, err: expect.stringContaining('just a text') });
  });

  test('a statement is shown, shortened', async () => {
    const { err } = await run(argv, failing(new Fault('ENGINE_REJECTED', 'no', { statement: `SELECT ${'x'.repeat(900)}` })));
    expect(err).toMatch(/ {2}statement: SELECT x+…\n/);
  });

  test('a configuration: every problem with its line and a caret', async () => {
    write('schemalign.yaml', 'version: 1\ndefaults:\n  on_invalid: ignore\n  trimm: never\n');
    const { exit, err } = await run(['load', 'orders']);
    expect(exit).toBe(2);
    const file = join(cwd, 'schemalign.yaml');
    expect(err).toBe(
      [
        'error[CONFIG_INVALID]: /defaults/on_invalid: expected one of error, quarantine, "null", default, found "ignore"',
        `  at ${file}:3:15`,
        '    3 |   on_invalid: ignore',
        '      |               ^',
        '  fix: Mend the named line.',
        'error[CONFIG_INVALID]: /defaults/trimm: unknown key "trimm"',
        `  at ${file}:4:3`,
        '    4 |   trimm: never',
        '      |   ^',
        '  fix: did you mean trim?',
        '',
      ].join('\n'),
    );
    const json = JSON.parse((await run(['load', 'orders', '--json'])).out);
    expect(json).toMatchObject({
      code: 'CONFIG_INVALID',
      place: { file, line: 3, column: 15 },
      problems: [{ pointer: '/defaults/on_invalid' }, { pointer: '/defaults/trimm' }],
    });
  });

  test('a rule for a column that is not there: the line of the rule', async () => {
    write('schemalign.yaml', `${config}    columns:\n      amount: { trim: never }\n      amount, net: { trim: never }\n`);
    const error = new Fault('CONFIG_UNKNOWN_COLUMN', 'a rule names the column amount, net, which is not in the target t; it has: id', {
      place: { file: join(cwd, 'schemalign.yaml') },
    });
    const { exit, err } = await run(['load', 'orders'], failing(error));
    expect(exit).toBe(2);
    expect(err).toContain('error[CONFIG_UNKNOWN_COLUMN]: a rule names the column amount, net, which is not in the target t; it has: id\n');
    expect(err).toContain(`  at ${join(cwd, 'schemalign.yaml')}:9:7\n    9 |       amount, net: { trim: never }\n      |       ^\n`);
  });

  test('a line with a secret is shown without it', async () => {
    write('schemalign.yaml', 'version: 1\nconnections:\n  pg: { url: "postgres://u:hunter2@h/d", colour: red }\n');
    const { err } = await run(['load', 'orders']);
    expect(err).toContain('url: "postgres://u:***@h/d"');
    expect(err).not.toContain('hunter2');
  });

  test('data files are never quoted', async () => {
    write('a.json', '{"secret": "value"}\n');
    expect(
      (await run(argv, failing(new Fault('SOURCE_FORMAT', 'no', { place: { file: 'a.json', line: 1, column: 2 } })))).err,
    ).not.toContain('value');
  });
});
