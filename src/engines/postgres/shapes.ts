/** In what shapes the source comes. Files are looked at by the embedded reader; a table or query by the server itself. */
import { Fault } from '../../core/fault.ts';
import type { QuerySource } from '../../core/model/policy.ts';
import type { SourceColumn, SourceGroup } from '../../core/plan/plan.ts';
import type { SourceInput } from '../../run/engine.ts';
import type { Session as Reader } from '../duckdb/driver.ts';
import { sourceShapes as fileShapes } from '../duckdb/shapes.ts';
import type { Session } from './driver.ts';
import { fieldTypes } from './introspect.ts';
import { parseTableName, tableSql } from './table-name.ts';

export async function sourceShapes(session: Session, source: SourceInput, reader: () => Promise<Reader>): Promise<readonly SourceGroup[]> {
  const { spec } = source;
  if (spec.kind !== 'query') return fileShapes(await reader(), source);
  const fields = await session.describe(querySql(spec, session)).catch((error: unknown) => {
    throw notOneSelect(error);
  });
  const types = await fieldTypes(session, fields);
  const columns = fields.map(({ name }, i): SourceColumn => ({ name, type: types[i] ?? { kind: 'unknown', text: 'unknown' } }));
  return [{ files: [], form: 'typed', columns, complete: true }];
}

/** The server refuses what is no SELECT where only a SELECT can stand. */
function notOneSelect(error: unknown): unknown {
  const isOther = error instanceof Fault && /syntax error|multiple commands|data-modifying/.test(error.message);
  return isOther
    ? new Fault('USAGE', `the query must be one SELECT: ${error.message.replace(/^\[\w+\] /, '')}`, {
        cause: error,
        fix: 'Write one statement that only reads.',
      })
    : error;
}

/** SELECT of a table or query source, fit to stand in brackets: without a semicolon, and with a line end behind a comment. */
export function querySql(spec: QuerySource, { defaultSchema }: Pick<Session, 'defaultSchema'>): string {
  const query = spec.query?.trim().replace(/;$/, '');
  if (query !== undefined) return `${query}\n`;
  return `SELECT * FROM ${tableSql(parseTableName(spec.table ?? '', defaultSchema))}`;
}

/** The query with its rows numbered, and its columns in the types and under the names of the raw table. */
export function querySelect(query: string, columns: readonly { readonly name: string; readonly type: string }[]): string {
  const names = columns.map(({ name }) => name);
  // A composite value has no cast to JSON.
  const values = columns.map(({ name, type }) => (type === 'json' ? `to_json(q.${name}) AS ${name}` : `q.${name}::${type} AS ${name}`));
  const alias = names.length === 0 ? 'q' : `q(${names.join(', ')})`;
  return `SELECT ${['row_number() OVER () AS n', '0 AS file', ...values].join(', ')} FROM (${query}) ${alias}`;
}
