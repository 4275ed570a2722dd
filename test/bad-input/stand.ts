/** A folder of its own for each attempt, with a target and a canary; the command is run in this process and judged. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { afterAll, beforeAll, test } from 'vitest';
import { main } from '../../src/cli/main.ts';
import type { RunRecord } from '../../src/core/record/run-record.ts';
import { change, look, type Row } from '../faults/database.ts';
import type { Attempt, Content } from './attempt.ts';
import { judge } from './judge.ts';

/** What every attempt begins with. `orders` is the usual target; nothing ever has a reason to touch `canary`. */
const beginning = [
  'CREATE TABLE orders (id BIGINT, name VARCHAR, amount DECIMAL(12,2))',
  "INSERT INTO orders VALUES (1, 'old', 1.00), (2, 'older', 2.00)",
  'CREATE TABLE canary (id INTEGER, note VARCHAR)',
  "INSERT INTO canary VALUES (7, 'alive')",
];
const database = 'w.duckdb';
/** What the target holds before the command, by the statements that made it so. */
const beginnings = new Map<string, Readonly<Record<string, string>>>();
/** Nothing here is large: what takes longer than this hangs. */
const patienceMs = 20_000;

/** The document that `--json` prints. */
export interface FaultDocument {
  readonly schema: 'fault-1';
  readonly code: string;
  readonly message: string;
  readonly fix: string;
  readonly place: { readonly file: string; readonly line: number | null; readonly column: number | null } | null;
}

export interface Outcome {
  readonly exit: number;
  readonly out: string;
  readonly err: string;
  readonly ms: number;
  readonly document: RunRecord | FaultDocument | undefined;
  /** Rendered reports, by format, of a run with a record. */
  readonly reports: Readonly<Record<string, string>>;
  /** Tables that were there before, that are there afterwards, with their content. */
  readonly before: Readonly<Record<string, string>>;
  readonly after: Readonly<Record<string, string>>;
  /** Audit tables as text. */
  readonly audit: string;
  readonly runs: readonly { readonly status: string; readonly exit: number }[];
  readonly rows: readonly string[];
  /** Paths that are new in the working folder or among temporary files. */
  readonly made: readonly string[];
  readonly leftovers: readonly string[];
}

/** Declares one test for each attempt. */
export function judgeAll(attempts: readonly Attempt[]): void {
  let root = '';
  const home = process.cwd();
  const temporary = process.env.TMPDIR;
  beforeAll(async () => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'bad-input-')));
    await change(join(root, database), ...beginning);
  });
  afterAll(() => {
    process.chdir(home);
    if (temporary === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = temporary;
    rmSync(root, { recursive: true, force: true });
  });
  let number = 0;
  test.each(attempts.map((attempt) => [attempt.name, attempt] as const))('%s', async (_, attempt) => {
    number += 1;
    const place = join(root, String(number));
    mkdirSync(join(place, 'work', 'reports'), { recursive: true });
    mkdirSync(join(place, 'temporary'));
    await copyFile(join(root, database), join(place, 'work', database));
    process.chdir(join(place, 'work'));
    process.env.TMPDIR = join(place, 'temporary');
    judge(attempt, await outcomeOf(attempt, place));
  });
}

async function outcomeOf(attempt: Attempt, place: string): Promise<Outcome> {
  const cwd = join(place, 'work');
  if (attempt.sql !== undefined) await change(join(cwd, database), ...attempt.sql);
  const known = JSON.stringify(attempt.sql ?? []);
  for (const [path, content] of Object.entries(attempt.files ?? {})) await make(join(cwd, path), content);
  if (!beginnings.has(known)) beginnings.set(known, (await lookInto(join(cwd, database))).tables);
  const there = new Set(pathsBelow(cwd));
  const ran = await run(attempt, cwd);
  const { tables, ...found } = await lookInto(join(cwd, database), attempt.expect.rows?.sql);
  return {
    ...ran,
    ...found,
    before: beginnings.get(known) ?? {},
    after: tables,
    reports: Object.fromEntries(readdirSync(join(cwd, 'reports')).map((name) => [name, readFileSync(join(cwd, 'reports', name), 'utf8')])),
    made: pathsBelow(cwd).filter((path) => !there.has(path) && !path.startsWith('reports')),
    leftovers: readdirSync(join(place, 'temporary')),
  };
}

async function make(path: string, content: Content): Promise<void> {
  mkdirSync(dirname(path), { recursive: true });
  if (typeof content === 'function') await content(path);
  else writeFileSync(path, content);
}

const pathsBelow = (folder: string): readonly string[] => readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();

async function run(attempt: Attempt, cwd: string): Promise<Pick<Outcome, 'exit' | 'out' | 'err' | 'ms' | 'document'>> {
  let out = '';
  let err = '';
  const stdout = {
    write: (text: string) => {
      out += text;
    },
  };
  const stderr = {
    write: (text: string) => {
      err += text;
    },
  };
  const started = performance.now();
  const io = {
    stdout,
    stderr,
    env: { HOME: cwd, ...attempt.env },
    cwd,
    signal: new AbortController().signal,
    clock: () => performance.now(),
  };
  const exit = await withPatience(main(argvOf(attempt), io));
  return { exit, out, err, ms: performance.now() - started, document: documentIn(out) };
}

function argvOf({ argv, source, flags = [] }: Attempt): readonly string[] {
  const [verb = '', ...rest] = argv ?? [];
  if (argv !== undefined) return ['load', 'plan', 'verify'].includes(verb) ? [verb, ...withReports, ...rest] : argv;
  return ['load', source ?? '', database, '--table', 'orders', ...flags, ...withReports];
}

const withReports = ['--json', ...['text', 'markdown', 'html'].flatMap((format) => ['--report', `${format}=reports/run.${format}`])];

async function withPatience<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`still running after ${patienceMs} ms`)), patienceMs);
  });
  return Promise.race([work, limit]).finally(() => clearTimeout(timer));
}

function documentIn(out: string): Outcome['document'] {
  try {
    return JSON.parse(out) as RunRecord | FaultDocument;
  } catch {
    return undefined;
  }
}

const quoted = (name: unknown): string => `"${String(name).replaceAll('"', '""')}"`;

type Query = (sql: string) => Promise<readonly Row[]>;

interface Seen extends Pick<Outcome, 'audit' | 'runs' | 'rows'> {
  readonly tables: Readonly<Record<string, string>>;
}

/** What a database holds. */
async function lookInto(file: string, rowsSql?: string): Promise<Seen> {
  return look(file, async (query) => ({
    tables: await tablesOf(query),
    ...(await auditOf(query)),
    rows:
      rowsSql === undefined
        ? []
        : await query(rowsSql).then(
            (rows) => rows.map(({ v }) => String(v)),
            (error: unknown) => [String(error)],
          ),
  }));
}

/** Definition and content of every table but those of the audit. */
async function tablesOf(query: Query): Promise<Readonly<Record<string, string>>> {
  const tables = await query(
    "SELECT schema_name AS s, table_name AS t, sql FROM duckdb_tables() WHERE table_name NOT LIKE 'audit_schema_%' ORDER BY 1, 2",
  );
  const views = await query("SELECT schema_name || '.' || view_name AS v, sql FROM duckdb_views() WHERE NOT internal");
  const found = views.map(({ v, sql }) => [String(v), String(sql)] as const);
  for (const { s, t, sql } of tables) {
    const content = `SELECT count(*) || ' ' || coalesce(sum(md5_number_lower(t::VARCHAR)::HUGEINT), 0) AS h FROM ${quoted(s)}.${quoted(t)} t`;
    found.push([`${s}.${t}`, `${sql} ${(await query(content))[0]?.h}`]);
  }
  return Object.fromEntries(found);
}

async function auditOf(query: Query): Promise<Pick<Outcome, 'audit' | 'runs'>> {
  const tables = await query("SELECT table_name AS t FROM duckdb_tables() WHERE table_name LIKE 'audit_schema_%' ORDER BY 1");
  const texts: string[] = [];
  for (const { t } of tables) texts.push(...(await query(`SELECT r::VARCHAR AS text FROM ${quoted(t)} r`)).map(({ text }) => String(text)));
  const runs = tables.some(({ t }) => t === 'audit_schema_runs')
    ? await query('SELECT status, exit FROM audit_schema_runs ORDER BY started_at')
    : [];
  return { audit: texts.join('\n'), runs: runs.map(({ status, exit }) => ({ status: String(status), exit: Number(exit) })) };
}
