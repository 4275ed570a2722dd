/** DDL that a plan may contain: a new table, a new column, a wider type. Nothing that loses anything. */
import { Fault, invariant } from '../../core/fault.ts';
import type { Column, Schema } from '../../core/model/schema.ts';
import type { PlannedChange } from '../../core/plan/plan.ts';
import { columnType } from './coerce/sql-type.ts';
import { ident } from './quote.ts';

/** `table` is the target as SQL. */
export function changeSql(table: string, change: PlannedChange, target: Schema): string {
  if (change.change === 'create_table') return createTableSql(table, target);
  invariant(change.column !== null && change.to !== null, 'a column change names its column and type');
  if (change.change === 'add_column') return `ALTER TABLE ${table} ADD COLUMN ${ident(change.column)} ${columnType(change.to)}`;
  return `ALTER TABLE ${table} ALTER COLUMN ${ident(change.column)} TYPE ${columnType(change.to)}`;
}

const mostColumns = 1_600;

function createTableSql(table: string, { columns }: Schema): string {
  if (columns.length > mostColumns)
    throw new Fault('GAP', `the source has ${columns.length} columns, and a table of PostgreSQL can hold ${mostColumns} of them`);
  return `CREATE TABLE ${table} (\n${columns.map((column) => `  ${columnSql(column)}`).join(',\n')}\n)`;
}

function columnSql(column: Column): string {
  const parts = [ident(column.name), columnType(column.type)];
  if (!column.nullable) parts.push('NOT NULL');
  if (column.default !== undefined) parts.push(`DEFAULT ${column.default}`);
  return parts.join(' ');
}
