/** In what shapes the source comes. Files are looked at by the embedded reader; a table or query by the server itself. */
import { Fault } from '../../core/fault.ts';
import type { QuerySource } from '../../core/model/policy.ts';
import type { LogicalType } from '../../core/model/type.ts';
import { string } from '../../core/model/type.ts';
import type { SourceColumn, SourceGroup } from '../../core/plan/plan.ts';
import type { SourceInput } from '../../run/engine.ts';
import type { Session as Reader } from '../duckdb/driver.ts';
import { sourceShapes as fileShapes } from '../duckdb/shapes.ts';
import { sparkErrorOf } from './connect/spark-error.ts';
import type { Session } from './driver.ts';
import { parseTableName, tableSql } from './table-name.ts';
import { logicalType } from './types.ts';

export async function sourceShapes(session: Session, source: SourceInput, reader: () => Promise<Reader>): Promise<readonly SourceGroup[]> {
  const { spec } = source;
  if (spec.kind !== 'query') return (await fileShapes(await reader(), source)).map(asRead);
  const { fields } = await session.client.schema(querySql(spec, session)).catch((error: unknown) => {
    throw notOneSelect(error);
  });
  if (fields.length === 0) throw new Fault('USAGE', 'the query must be one SELECT', { fix: 'Write one statement that only reads.' });
  const columns = fields.map(({ name, type }): SourceColumn => ({ name, type: logicalType(type) }));
  return [{ files: [], form: 'typed', columns, complete: true }];
}

/** What the embedded reader hands over as text is text here. */
function asRead(group: SourceGroup): SourceGroup {
  return {
    ...group,
    columns: group.columns.map((column) => (column.type === undefined ? column : { ...column, type: handedOver(column.type) })),
  };
}

const asText = new Set<LogicalType['kind']>(['time', 'uuid']);
const handedOver = (type: LogicalType): LogicalType => (asText.has(type.kind) ? string() : type);

/** Only a query can stand in brackets. */
function notOneSelect(error: unknown): unknown {
  if (sparkErrorOf(error)?.is('PARSE_SYNTAX_ERROR') !== true) return error;
  const said = error instanceof Error ? error.message.replace(/^\[\w+\] /, '') : '';
  return new Fault('USAGE', `the query must be one SELECT: ${said}`, { cause: error, fix: 'Write one statement that only reads.' });
}

/** SELECT of a table or query source, in brackets, so that nothing but a query can stand there. */
export function querySql(spec: QuerySource, { defaultSchema }: Pick<Session, 'defaultSchema'>): string {
  const query = spec.query?.trim().replace(/;$/, '');
  const select = query ?? `SELECT * FROM ${tableSql(parseTableName(spec.table ?? '', defaultSchema))}`;
  return `SELECT * FROM (${select}\n)`;
}

/** The query with its rows numbered, its columns under the names of the raw table; what no logical type holds comes as text. */
export function querySelect(query: string, { columns }: SourceGroup): string {
  const names = columns.map((_, i) => `q${i}`);
  const values = columns.map(({ type }, i) => `${type?.kind === 'unknown' ? `CAST(q${i} AS STRING)` : `q${i}`} AS r${i}`);
  const list = ['monotonically_increasing_id() + 1 AS n', '0 AS file', ...values, 'CAST(NULL AS ARRAY<STRING>) AS unknown'];
  return `SELECT ${list.join(', ')} FROM (${query}) AS q(${names.join(', ')})`;
}
