/** `check` and the reports of CI, by the command on real files and a real database. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { main } from '../../src/cli/main.ts';
import { reportFormats } from '../../src/reports/format-names.ts';
import { ask, change } from '../faults/database.ts';
import { parseXml } from '../reports/parse-xml.ts';

let folder: string;
beforeEach(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'schemalign-check-')));
  mkdirSync(join(folder, '.git'));
  await change(
    join(folder, 'w.duckdb'),
    'CREATE TABLE a (id INTEGER, name VARCHAR)',
    'CREATE TABLE b (id INTEGER)',
    'CREATE TABLE r (id INTEGER)',
    'INSERT INTO r VALUES (1), (2), (3)',
  );
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const path = (name: string): string => join(folder, name);
const write = (name: string, text: string): void => writeFileSync(path(name), text);
const read = (name: string): string => readFileSync(path(name), 'utf8');

async function run(argv: readonly string[], env: Record<string, string> = {}) {
  let out = '';
  let err = '';
  const exit = await main(argv, {
    stdout: {
      write: (text: string) => {
        out += text;
      },
    },
    stderr: {
      write: (text: string) => {
        err += text;
      },
    },
    env: { HOME: folder, ...env },
    cwd: folder,
    signal: new AbortController().signal,
    clock: () => performance.now(),
  });
  return { exit, out, err };
}

const head = 'version: 1\nconnections: { wh: { url: w.duckdb } }\njobs:\n';
const job = (name: string, source: string, more = ''): string =>
  `  ${name}:\n    source: { path: ${source} }\n    target: { connection: wh, table: ${name[0]} }\n${more}`;

/** One job that fits, one with a warning, one with an error, one that a guard refuses, one whose file is gone. */
const jobs = {
  fits: job('a', 'fits.csv'),
  warns: job('a2', 'extra.csv'),
  fails: job('b', 'bad.csv'),
  refused: job('r', 'empty.csv', '    mode: replace\n'),
  gone: job('a3', 'gone.csv'),
} as const;

function project(...names: readonly (keyof typeof jobs)[]): void {
  write('fits.csv', 'id,name\n1,x\n');
  write('extra.csv', 'id,name,coupon\n1,x,y\n');
  write('bad.csv', 'id\n1\nmany\n');
  write('empty.csv', 'id\n');
  write('schemalign.yaml', head + names.map((name) => jobs[name]).join(''));
}

describe('check', () => {
  test.each([
    [['fits'], 0],
    [['fits', 'warns'], 0],
    [['fits', 'warns', 'fails'], 1],
    [['fails', 'refused'], 3],
    [['refused', 'gone', 'fails'], 2],
  ] as const)('of %j exits with %i, the worst of all jobs', async (names, exit) => {
    project(...names);
    expect((await run(['check'])).exit).toBe(exit);
  });

  test('plans every job, also those behind one that cannot be checked, and writes nothing', async () => {
    project('gone', 'fails', 'warns', 'fits');
    const before = readFileSync(path('w.duckdb'));
    const { out } = await run(['check']);
    expect(out.split('\n').slice(0, 6)).toEqual([
      '✗ CHECK',
      '  4 jobs: 1 could not be checked, 1 would fail, 1 would load with warnings, 1 would load. Nothing',
      '  was written.',
      '  ✗  a3  exit 2  0 read  SOURCE_NOT_FOUND',
      '  ✗  b   exit 1  2 read  1 error',
      '  !  a2  exit 0  1 read  1 warning',
    ]);
    expect(out).toContain('bad.csv:3  "many"');
    expect(readFileSync(path('w.duckdb')).equals(before)).toBe(true);
    expect(await ask(path('w.duckdb'), "SELECT table_name FROM duckdb_tables() WHERE table_name LIKE 'audit%'")).toEqual([]);
  });

  test('takes the jobs that are named, and counts warnings when asked to', async () => {
    project('warns', 'fails');
    expect((await run(['check', 'a2'])).exit).toBe(0);
    expect((await run(['check', 'a2', '--fail-on', 'warning'])).exit).toBe(1);
    expect((await run(['check', 'b', '--fail-on', 'never'])).exit).toBe(0);
    expect((await run(['check', 'b', '--fail-on', 'often'])).exit).toBe(2);
    const unknown = await run(['check', 'c']);
    expect([unknown.exit, unknown.err]).toEqual([2, expect.stringContaining('NOT_FOUND')]);
  });

  test('gives one report of all jobs in each format; HTML holds one run, and is refused before anything is read', async () => {
    project('fits', 'warns', 'fails', 'gone');
    const formats = reportFormats.filter((format) => format !== 'html');
    const { exit } = await run(['check', '--quiet', ...formats.flatMap((format) => ['--report', `${format}=out.${format}`])]);
    expect(exit).toBe(2);
    expect(parseXml(read('out.junit')).children.map(({ attributes }) => attributes.name)).toEqual(['a', 'a2', 'b', 'a3']);
    const results = JSON.parse(read('out.sarif')).runs[0].results as { ruleId: string; properties: { job: string } }[];
    expect(results.map(({ ruleId, properties }) => `${properties.job} ${ruleId}`)).toEqual(['a2 SA102', 'b SA201']);
    expect(JSON.parse(read('out.gitlab')).map((issue: { check_name: string }) => issue.check_name)).toEqual([
      'SA102',
      'SA201',
      'SOURCE_NOT_FOUND',
    ]);
    expect(read('out.markdown')).toMatch(/^## ❌ CHECK\n/);
    const html = await run(['check', '--report', 'html=out.html']);
    expect([html.exit, existsSync(path('out.html'))]).toEqual([2, false]);
  });

  test('as JSON is valid by the published schemas, and so is each record in it', async () => {
    project('fits', 'warns', 'fails', 'refused', 'gone');
    const { out } = await run(['check', '--json']);
    const schema = (name: string) => JSON.parse(readFileSync(new URL(`../../schema/${name}`, import.meta.url), 'utf8')) as object;
    const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true }).addSchema(schema('run-record.schema.json'));
    const validate = ajv.compile(schema('check.schema.json'));
    const document = JSON.parse(out);
    validate(document);
    expect(validate.errors).toBeNull();
    expect(validate({ ...document, jobs: [{}] })).toBe(false);
    expect([document.exit, document.jobs.map(({ exit }: { exit: number }) => exit)]).toEqual([2, [0, 0, 1, 3, 2]]);
  });

  test('tells of a wrong configuration at its line, in the reports too', async () => {
    write('schemalign.yaml', `${head}${job('a', 'fits.csv', '    mod: append\n')}`);
    const { exit } = await run(['check', '--report', 'sarif=out.sarif', '--report', 'gitlab=out.json']);
    expect(exit).toBe(2);
    const [invocation] = JSON.parse(read('out.sarif')).runs[0].invocations;
    expect(invocation.toolExecutionNotifications[0].locations[0].physicalLocation.region).toEqual({ startLine: 7, startColumn: 5 });
    expect(JSON.parse(read('out.json'))[0]).toMatchObject({ check_name: 'CONFIG_INVALID', location: { lines: { begin: 7 } } });
  });

  test('of a project without jobs, or without a configuration, is a fault', async () => {
    write('schemalign.yaml', 'version: 1\n');
    expect((await run(['check'])).err).toContain('has no jobs');
    rmSync(path('schemalign.yaml'));
    expect((await run(['check'])).err).toContain('CONFIG_NOT_FOUND');
  });
});

describe('reports of one run', () => {
  test('are written also when a fault ends it, and tell of the fault', async () => {
    project('gone');
    const formats = reportFormats.flatMap((format) => ['--report', `${format}=out.${format}`]);
    for (const verb of ['plan', 'load', 'verify']) {
      for (const format of reportFormats) rmSync(path(`out.${format}`), { force: true });
      const { exit, err } = await run([verb, 'a3', ...formats]);
      expect([exit, err]).toEqual([2, expect.stringContaining('error[SOURCE_NOT_FOUND]')]);
      for (const format of reportFormats) expect(read(`out.${format}`), `${verb} ${format}`).toContain('SOURCE_NOT_FOUND');
    }
  });

  test('are written also when the configuration is wrong, with its line', async () => {
    project('fits');
    write('schemalign.yaml', `${head}${jobs.fits}    mod: append\n`);
    for (const verb of ['plan', 'load', 'verify']) {
      rmSync(path('out.sarif'), { force: true });
      expect((await run([verb, 'a', '--report', 'sarif=out.sarif'])).exit).toBe(2);
      const [notification] = JSON.parse(read('out.sarif')).runs[0].invocations[0].toolExecutionNotifications;
      expect(notification.descriptor.id).toBe('CONFIG_INVALID');
      expect(notification.locations[0].physicalLocation.region).toEqual({ startLine: 7, startColumn: 5 });
    }
  });

  test('point at the line of the configuration that settles or causes the finding', async () => {
    project('fails');
    const lines = read('schemalign.yaml').split('\n');
    await run(['plan', 'b', '--report', 'sarif=a.sarif']);
    const place = (file: string) => JSON.parse(read(file)).runs[0].results[0].locations[0].physicalLocation.region.startLine as number;
    // Nothing is said of the column yet, so the job is the nearest line around the one that would settle it.
    expect(lines[place('a.sarif') - 1]).toBe('  b:');
    write('schemalign.yaml', `${head}${job('b', 'bad.csv', '    columns:\n      id:\n        on_invalid: quarantine\n')}`);
    await run(['plan', 'b', '--report', 'sarif=b.sarif']);
    expect(read('schemalign.yaml').split('\n')[place('b.sarif') - 1]).toBe('        on_invalid: quarantine');
    write('schemalign.yaml', `${head.replace('jobs:', 'defaults: {\n  on_invalid: quarantine }\njobs:')}${job('b', 'bad.csv')}`);
    await run(['plan', 'b', '--report', 'sarif=c.sarif']);
    expect(read('schemalign.yaml').split('\n')[place('c.sarif') - 1]).toBe('  on_invalid: quarantine }');
  });

  test('of a stored run are the same in every format but HTML, which tells of the run before too', async () => {
    project('warns');
    const formats = reportFormats.filter((format) => format !== 'html');
    await run(['load', 'a2', '--quiet', ...formats.flatMap((format) => ['--report', `${format}=out.${format}`])]);
    for (const format of formats) {
      const { exit, out } = await run(['report', '--job', 'a2', '--format', format]);
      expect([exit, out], format).toEqual([0, read(`out.${format}`)]);
    }
  });

  test('go to standard output as -, and are added to the summary of a step', async () => {
    project('warns');
    write('summary.md', 'before\n');
    const env = { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: path('summary.md') };
    const { out } = await run(['plan', 'a2', '--quiet', '--report', 'github=-', '--report', 'markdown=summary.md'], env);
    expect(out).toMatch(/^::warning file=.*schemalign\.yaml,line=4,col=3,title=SA102 extra_column in a2::coupon/);
    expect(read('summary.md')).toMatch(/^before\n## ⚠️ PLAN a2\n/);
  });
});

describe('in a step of GitHub Actions', () => {
  const attack = '"::error::owned"';

  test('nothing that is printed of the data is a command', async () => {
    write('fits.csv', `id,name,${attack},##[error]x\n1,x,y,z\n`);
    write('schemalign.yaml', head + jobs.fits);
    for (const argv of [
      ['plan', 'a'],
      ['plan', 'a', '--json'],
      ['check'],
      ['plan', 'a', '--sql'],
      ['inspect', 'fits.csv'],
      ['plan', '::error::x'],
    ]) {
      const { out, err } = await run(argv, { GITHUB_ACTIONS: 'true' });
      expect(out + err, argv.join(' ')).not.toMatch(/^\s*::|##\[/m);
    }
    const { out } = await run(['plan', 'a', '--json'], { GITHUB_ACTIONS: 'true' });
    expect(JSON.stringify(JSON.parse(out))).toContain('##[error]x');
  });

  test('the annotations are commands, and only ours', async () => {
    write('fits.csv', `id,name,${attack}\n1,x,y\n`);
    write('schemalign.yaml', head + jobs.fits);
    const { out } = await run(['plan', 'a', '--report', 'github=-'], { GITHUB_ACTIONS: 'true' });
    expect(out.split('\n').filter((line) => /^\s*::/.test(line))).toEqual([expect.stringMatching(/^::warning file=/)]);
  });
});

describe('diff', () => {
  test('keeps within 100 columns, and takes columns with the same difference for one', async () => {
    const names = Array.from({ length: 300 }, (_, i) => `c${i}`);
    const long = 'a_name_that_is_long_and_tells_what_it_holds_'.repeat(3);
    write('a.sql', `CREATE TABLE a (id BIGINT, ${names.map((name) => `${name} INTEGER`).join(', ')});`);
    write('b.sql', `CREATE TABLE a (id BIGINT, ${long} VARCHAR, ${names.map((name) => `${name} VARCHAR`).join(', ')});`);
    const { out } = await run(['diff', 'a.sql', 'b.sql']);
    const lines = out.trimEnd().split('\n');
    expect(lines[0]).toBe('a.sql and b.sql: 301 warnings');
    for (const line of lines) expect(line.length, line).toBeLessThanOrEqual(100);
    expect(lines.filter((line) => /^ {2}(?:error|warning|remark)/.test(line))).toHaveLength(2);
    expect(out.replace(/\s+/g, ' ')).toContain(
      'SA103 type_mismatch c0, c1, c2, c3, c4, c5, c6, c7, c8, c9 and 290 more (300 columns): for example',
    );
    // Every difference of its own is in the document for programs.
    expect((JSON.parse((await run(['diff', 'a.sql', 'b.sql', '--json'])).out) as { divergences: unknown[] }).divergences).toHaveLength(301);
  });
});

describe('entries under ignore', () => {
  const ignore = (until: string): string => `    ignore: [{ code: SA102, column: coupon, reason: known, until: ${until} }]\n`;

  test('hide a finding until their last day, and are counted', async () => {
    project('warns');
    write('schemalign.yaml', head + jobs.warns + ignore('2999-12-31'));
    const { exit, out } = await run(['plan', 'a2', '--check']);
    expect(exit).toBe(0);
    expect(out).toContain('\nFindings  1 ignored\n');
    expect(out).toMatch(
      /\nIgnored {2}1 finding\n {2}· SA102 extra_column {2}coupon \(column 3\) .*\n {4}until 2999-12-31: known \(.*schemalign\.yaml:7\)\n/,
    );
  });

  test('past their last day are a finding of their own, at their line, beside the one that is back', async () => {
    project('warns');
    write('schemalign.yaml', head + jobs.warns + ignore('2020-12-31'));
    const { exit, out } = await run(['plan', 'a2', '--check', '--json']);
    expect(exit).toBe(1);
    const { findings } = JSON.parse(out) as { findings: { code: string; severity: string; ignored: unknown; config: { line: number } }[] };
    expect(findings.map(({ code, severity, ignored }) => [code, severity, ignored])).toEqual([
      ['SA102', 'warning', null],
      ['SA501', 'warning', null],
    ]);
    expect(findings[1]?.config.line).toBe(7);
  });

  test('with a code that does not exist are refused, with the codes near it', async () => {
    project('warns');
    write('schemalign.yaml', `${head}${jobs.warns}    ignore: [{ code: SA109, reason: r }]\n`);
    const { exit, err } = await run(['plan', 'a2']);
    expect([exit, err]).toEqual([
      2,
      expect.stringContaining('near it: SA107 nullability_mismatch, SA106 column_order, SA105 name_collision'),
    ]);
  });
});
