/** DDL that a plan may contain: a new table, a new column, a wider type. Nothing that loses anything. */
import { Fault, invariant } from '../../core/fault.ts';
import type { Column, Schema } from '../../core/model/schema.ts';
import type { PlannedChange } from '../../core/plan/plan.ts';
import { columnType } from './types.ts';
import { ident } from './quote.ts';

/** `table` is the target as SQL. */
export function changeSql(table: string, change: PlannedChange, target: Schema): string {
  checkNames(target);
  if (change.change === 'create_table') return createTableSql(table, target);
  invariant(change.column !== null && change.to !== null, 'a column change names its column and type');
  if (change.change === 'add_column') return `ALTER TABLE ${table} ADD COLUMNS (${ident(change.column)} ${columnType(change.to)})`;
  return `ALTER TABLE ${table} ALTER COLUMN ${ident(change.column)} TYPE ${columnType(change.to)}`;
}

/** Spark takes names that differ in case only for the same. */
function checkNames({ columns }: Schema): void {
  const seen = new Map<string, string>();
  for (const { name } of columns) {
    const other = seen.get(name.toLowerCase());
    if (other !== undefined) {
      throw new Fault('TARGET_INCOMPATIBLE', `the columns ${other} and ${name} are the same to Spark, so one table cannot hold both`, {
        fix: 'Make the table yourself, and map the names with `from`.',
      });
    }
    seen.set(name.toLowerCase(), name);
  }
}

/** Signs that Delta takes in names only under column mapping. */
const needsMapping = /[ ,;{}()\n\t=]/;

/** The table is made with what later changes of it need, as that cannot be had afterwards without a rewrite or an upgrade. */
function createTableSql(table: string, schema: Schema): string {
  const columns = schema.columns.map((column) => `  ${columnSql(column)}`).join(',\n');
  const properties = [
    "'delta.enableTypeWidening' = 'true'",
    ...(schema.columns.some(({ name }) => needsMapping.test(name)) ? ["'delta.columnMapping.mode' = 'name'"] : []),
    ...(schema.columns.some((column) => column.default !== undefined) ? ["'delta.feature.allowColumnDefaults' = 'supported'"] : []),
  ];
  const partitions = schema.columns.filter((column) => column.partition === true).map(({ name }) => ident(name));
  const by = partitions.length === 0 ? '' : `\nPARTITIONED BY (${partitions.join(', ')})`;
  return `CREATE TABLE ${table} (\n${columns}\n)\nUSING delta${by}\nTBLPROPERTIES (${properties.join(', ')})`;
}

function columnSql(column: Column): string {
  const parts = [ident(column.name), columnType(column.type)];
  if (!column.nullable) parts.push('NOT NULL');
  if (column.default !== undefined) parts.push(`DEFAULT ${column.default}`);
  return parts.join(' ');
}
