/** DDL that a plan may contain: a new table, a new column, a wider type. Nothing that loses anything. */
import { Fault, invariant } from '../../core/fault.ts';
import type { Column, Schema } from '../../core/model/schema.ts';
import type { LogicalType } from '../../core/model/type.ts';
import type { PlannedChange } from '../../core/plan/plan.ts';
import { sqlType } from './coerce/sql-type.ts';
import { parseTableName, tableSql } from './introspect.ts';
import { ident } from './quote.ts';

export function changeSql(table: string, change: PlannedChange, target: Schema): string {
  const name = tableSql(parseTableName(table));
  checkNames(target);
  if (change.change === 'create_table') return createTableSql(table, target);
  invariant(change.column !== null && change.to !== null, 'a column change names its column and type');
  if (change.change === 'add_column') return `ALTER TABLE ${name} ADD COLUMN ${ident(change.column)} ${sqlType(change.to)}`;
  return `ALTER TABLE ${name} ALTER COLUMN ${ident(change.column)} SET DATA TYPE ${sqlType(change.to)}`;
}

/** DuckDB takes names that differ in case only for the same. */
function checkNames({ columns }: Schema): void {
  const seen = new Map<string, string>();
  for (const { name } of columns) {
    const other = seen.get(name.toLowerCase());
    if (other !== undefined) {
      throw new Fault('TARGET_INCOMPATIBLE', `the columns ${other} and ${name} are the same to DuckDB, so one table cannot hold both`, {
        fix: 'Make the table yourself, and map the names with `from`.',
      });
    }
    seen.set(name.toLowerCase(), name);
  }
}

function createTableSql(table: string, schema: Schema): string {
  const columns = schema.columns.map((column) => `  ${columnSql(column)}`).join(',\n');
  return `CREATE TABLE ${tableSql(parseTableName(table))} (\n${columns}\n)`;
}

function columnSql(column: Column): string {
  const parts = [ident(column.name), sqlType(column.type)];
  if (!column.nullable) parts.push('NOT NULL');
  if (column.default !== undefined) parts.push(`DEFAULT ${column.default}`);
  const check = lengthCheck(column.name, column.type);
  return [...parts, ...(check === '' ? [] : [check])].join(' ');
}

/** DuckDB takes VARCHAR(n) and forgets the n; a CHECK keeps it. */
function lengthCheck(name: string, type: LogicalType): string {
  return type.kind === 'string' && type.length !== undefined ? `CHECK (length(${ident(name)}) <= ${type.length})` : '';
}
