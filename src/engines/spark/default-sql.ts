/** Defaults and partition values that are given as text. */
import { Fault } from '../../core/fault.ts';
import { builtInRule } from '../../core/model/policy.ts';
import type { Column } from '../../core/model/schema.ts';
import { printType } from '../../core/model/type-text.ts';
import { coerceSql } from './coerce/coerce.ts';
import { sqlType } from './coerce/sql-type.ts';
import type { Session } from './driver.ts';
import { literal } from './quote.ts';

/** The text, read by the law of the column's type, as a cast of a literal. @throws Fault CONFIG_INVALID when the text does not fit */
export async function defaultSql(session: Session, column: Column, text: string): Promise<string> {
  const coercion = {
    path: column.name,
    from: { form: 'text' as const },
    to: column.type,
    rule: { ...builtInRule, trim: 'never' as const, binary: 'hex' as const },
    nested: new Map(),
  };
  const sql = coerceSql(coercion, { raw: 'r', text: 't', strict: 's' }, { nul: true });
  const row = await session.one(
    `SELECT CAST(s AS STRING) AS v FROM (SELECT *, ${sql.strict} AS s FROM (SELECT r, ${sql.text} AS t FROM (SELECT ${literal(text)} AS r)))`,
  );
  const value = row['v'] ?? null;
  if (value === null) {
    throw new Fault('CONFIG_INVALID', `the default ${JSON.stringify(text)} of column ${column.name} is no ${printType(column.type)}`, {
      fix: 'Write a default that the column can hold.',
    });
  }
  if (column.type.kind === 'binary') return `unhex(${literal(text)})`;
  return `CAST(${literal(String(value))} AS ${sqlType(column.type)})`;
}
