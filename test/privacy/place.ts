/** A folder in which commands run, and everything that they say, write and keep, to be searched for values that must not be told. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { main } from '../../src/cli/main.ts';
import { reportFormats } from '../../src/reports/format-names.ts';
import { change } from '../faults/database.ts';

/** A text that a command has let out, with where it stood. */
export interface Output {
  readonly from: string;
  readonly text: string;
}

export interface Place {
  readonly folder: string;
  /** Writes an input, which is no output. */
  readonly input: (name: string, text: string) => void;
  readonly sql: (...statements: readonly string[]) => Promise<void>;
  /** Runs the command, with its stack traces, and keeps what it says. Answers the exit code. */
  readonly run: (...argv: readonly string[]) => Promise<number>;
  /** The same with a report in every format. */
  readonly report: (...argv: readonly string[]) => Promise<number>;
  /** Everything that was said, all files that are no inputs, and the audit tables but the quarantine. */
  readonly outputs: () => Promise<readonly Output[]>;
  readonly remove: () => void;
}

const database = 'w.duckdb';
const audit = ['runs', 'issues', 'partitions', 'files'];

export function makePlace(): Place {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'privacy-')));
  mkdirSync(join(folder, '.git'));
  const inputs = new Set<string>([database]);
  const said: Output[] = [];
  let reports = 0;
  const run = async (...argv: readonly string[]): Promise<number> => {
    const write = (from: string) => (text: string) => said.push({ from: `${from} of ${argv.join(' ')}`, text });
    return main(argv, {
      stdout: { write: write('stdout') },
      stderr: { write: write('stderr') },
      env: { HOME: folder, SCHEMALIGN_DEBUG: '1' },
      cwd: folder,
      signal: new AbortController().signal,
      clock: () => performance.now(),
    });
  };
  return {
    folder,
    run,
    input: (name, text) => {
      inputs.add(name);
      writeFileSync(join(folder, name), text);
    },
    sql: async (...statements) => change(join(folder, database), ...statements),
    report: async (...argv) => {
      reports += 1;
      const all = argv[0] === 'check' ? reportFormats.filter((format) => format !== 'html') : reportFormats;
      return run(...argv, ...all.flatMap((format) => ['--report', `${format}=report-${reports}.${format}`]));
    },
    outputs: async () => [...said, ...filesOf(folder, inputs), ...(await rowsOf(join(folder, database)))],
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function filesOf(folder: string, inputs: ReadonlySet<string>): readonly Output[] {
  return readdirSync(folder)
    .filter((name) => !inputs.has(name) && statSync(join(folder, name)).isFile())
    .map((name) => ({ from: name, text: readFileSync(join(folder, name), 'utf8') }));
}

async function rowsOf(file: string): Promise<readonly Output[]> {
  const instance = await DuckDBInstance.create(file);
  const connection = await instance.connect();
  try {
    const there = new Set(
      (await connection.runAndReadAll('SELECT table_name FROM duckdb_tables()')).getRowsJson().map(([name]) => String(name)),
    );
    const found: Output[] = [];
    for (const table of audit.map((name) => `audit_schema_${name}`).filter((name) => there.has(name))) {
      const rows = (await connection.runAndReadAll(`SELECT * FROM ${table}`)).getRowsJson();
      found.push({ from: table, text: JSON.stringify(rows) });
    }
    return found;
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}
