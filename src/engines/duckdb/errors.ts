import { Fault, type FaultCode } from '../../core/fault.ts';

/** DuckDB's messages, as seen on 1.5, and the faults they mean. The first that matches wins. */
const table: readonly (readonly [RegExp, FaultCode, (m: RegExpMatchArray) => string])[] = [
  [
    /Could not set lock on file[\s\S]*?\(PID (\d+)\)/,
    'ENGINE_LOCKED',
    (m) => `process ${m[1]} has the database open; DuckDB allows one process at a time`,
  ],
  [/Could not set lock on file/, 'ENGINE_LOCKED', () => 'another process has the database open; DuckDB allows one process at a time'],
  [/exists, but it is not a valid DuckDB database file/, 'TARGET_URL', () => 'the file exists, but is not a DuckDB database'],
  [/sqlite_scanner/, 'TARGET_URL', () => 'the file is a SQLite database, not a DuckDB database'],
  [/Cannot open (?:database|file) [\s\S]*does not exist/, 'SOURCE_NOT_FOUND', () => 'the database file does not exist'],
  [
    /Cannot open file[\s\S]*(Permission denied|Is a directory|No such file or directory)/,
    'TARGET_URL',
    (m) => `the database file cannot be opened: ${m[1]?.toLowerCase()}`,
  ],
  [/INTERRUPT Error/, 'INTERRUPTED', () => 'the run was interrupted'],
  [/Out of Memory Error: ([\s\S]*)/, 'ENGINE_RESOURCES', (m) => firstLine(m[1])],
  [/No space left on device/, 'ENGINE_RESOURCES', () => 'no space is left on the disk'],
  [/TransactionContext Error: Conflict|Transaction conflict/, 'ENGINE_CONFLICT', () => 'another writer changed the same rows'],
  [/Constraint Error: ([\s\S]*)/, 'TARGET_INCOMPATIBLE', (m) => `a constraint of the target does not allow a row: ${firstLine(m[1])}`],
];

function firstLine(text: string | undefined): string {
  return (text ?? '').split('\n', 1)[0]?.trim() ?? '';
}

/** The same for what was thrown while a database was opened or made: whatever the engine says then, it is about that file. */
export function toOpeningFault(error: unknown): Fault {
  const fault = toFault(error);
  if (fault.code !== 'ENGINE_REJECTED') return fault;
  const why = firstLine(error instanceof Error ? error.message : String(error)).replace(/^(?:IO|Serialization|Fatal) Error: /, '');
  return new Fault('TARGET_URL', `the database cannot be opened: ${why}`, {
    cause: error,
    fix: 'Name a DuckDB database, or a file in a folder that exists and may be written to.',
  });
}

/** Turns what the DuckDB client threw into a fault. `statement` must be free of secrets. */
export function toFault(error: unknown, statement?: string): Fault {
  if (error instanceof Fault) return error;
  const message = error instanceof Error ? error.message : String(error);
  const details = { cause: error, ...(statement === undefined ? {} : { statement }) };
  for (const [pattern, code, say] of table) {
    const match = pattern.exec(message);
    if (match) return new Fault(code, say(match), details);
  }
  return new Fault('ENGINE_REJECTED', `duckdb: ${firstLine(message)}`, details);
}
