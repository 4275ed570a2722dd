/** Runs the rendered SQL of a scalar coercion over many texts in one query, on an embedded engine without extensions from outside. */
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { type ColumnRule, builtInRule } from '../../src/core/model/policy.ts';
import type { LogicalType } from '../../src/core/model/type.ts';
import { scalarText } from '../../src/engines/duckdb/coerce/scalar-text.ts';

export interface Setting {
  readonly rule?: Partial<ColumnRule>;
  readonly number?: boolean;
  readonly nul?: boolean;
}

/** All parts of the SQL, as text. */
export interface Evaluated {
  readonly value: string | null;
  readonly reason: string;
  readonly round: string | null;
  readonly truncate: string | null;
}

let shared: Promise<DuckDBConnection> | undefined;

async function connect(): Promise<DuckDBConnection> {
  const options = { autoinstall_known_extensions: 'false', autoload_known_extensions: 'false', threads: '1' };
  return (await DuckDBInstance.create(':memory:', options)).connect();
}

export function connection(): Promise<DuckDBConnection> {
  shared ??= connect();
  return shared;
}

export function render(to: LogicalType, x: string, setting: Setting = {}) {
  const renderer = scalarText[to.kind as keyof typeof scalarText];
  const rule = { ...builtInRule, ...setting.rule };
  return renderer(x, { to, rule, context: { nul: setting.nul ?? true }, number: setting.number ?? false });
}

/** A value as text. A cast to text prints some doubles wrongly, the JSON writer none. */
export function printed(to: LogicalType, sql: string): string {
  return to.kind === 'float' ? `to_json((${sql})::DOUBLE)::VARCHAR` : `(${sql})::VARCHAR`;
}

export async function evaluate(to: LogicalType, texts: readonly (string | null)[], setting: Setting = {}): Promise<readonly Evaluated[]> {
  const engine = await connection();
  await engine.run('CREATE OR REPLACE TEMP TABLE given (position INTEGER, x VARCHAR)');
  const appender = await engine.createAppender('given');
  texts.forEach((text, at) => {
    appender.appendInteger(at);
    if (text === null) appender.appendNull();
    else appender.appendVarchar(text);
    appender.endRow();
  });
  appender.closeSync();
  const { value, reason, round = 'NULL', truncate = 'NULL' } = render(to, 'x', setting);
  // The client drops a byte-order mark at the start of a text that it hands over, hence the letter before it.
  const columns = [printed(to, value), reason, printed(to, round), printed(to, truncate)].map((sql) => `'=' || (${sql})`);
  const rows = (await engine.runAndReadAll(`SELECT ${columns.join(', ')} FROM given ORDER BY position`)).getRows();
  return rows.map((row) => {
    const [got, why, rounded, cut] = (row as readonly (string | null)[]).map((cell) => cell?.slice(1) ?? null);
    return { value: got ?? null, reason: why as string, round: rounded ?? null, truncate: cut ?? null };
  });
}

/** Pairs of a text and what becomes of it: the value as text, or the code of the refusal. */
export type Outcomes = readonly (readonly [text: string, outcome: string])[];

/** The outcomes of the texts of a table, to be compared with the table. */
export async function outcomes(to: LogicalType, table: Outcomes, setting: Setting = {}): Promise<Outcomes> {
  const results = await evaluate(
    to,
    table.map(([text]) => text),
    setting,
  );
  return results.map(({ value, reason }, i) => [table[i]?.[0] as string, value ?? reason]);
}
