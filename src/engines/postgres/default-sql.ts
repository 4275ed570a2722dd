/** Defaults that are given as text. */
import { Fault } from '../../core/fault.ts';
import { builtInRule } from '../../core/model/policy.ts';
import type { Column } from '../../core/model/schema.ts';
import { printType } from '../../core/model/type-text.ts';
import { coerceSql } from './coerce/coerce.ts';
import { sqlType } from './coerce/sql-type.ts';
import type { Session } from './driver.ts';
import type { NativeColumn } from './introspect.ts';
import { literal } from './quote.ts';

export interface DefaultRequest {
  readonly column: Column;
  readonly native: NativeColumn | undefined;
  readonly text: string;
}

/** The default's text, read by the law of the column's type, as a literal cast. @throws Fault CONFIG_INVALID when the text does not fit */
export async function defaultSql(session: Session, { column, native, text }: DefaultRequest): Promise<string> {
  const refused = (cause?: unknown): Fault =>
    new Fault('CONFIG_INVALID', `the default ${JSON.stringify(text)} of column ${column.name} is no ${printType(column.type)}`, {
      fix: 'Write a default that the column can hold.',
      ...(cause === undefined ? {} : { cause }),
    });
  if (text.includes('\0')) throw refused();
  const coercion = {
    path: column.name,
    from: { form: 'text' as const },
    to: column.type,
    rule: { ...builtInRule, trim: 'never' as const, binary: 'hex' as const },
    nested: new Map(),
  };
  const sql = coerceSql(coercion, { raw: 'r', text: 't', strict: 's' }, {});
  // A row of a function is no constant: the casts of constants would be computed, and raise, while the query is planned.
  const raw = `SELECT ${literal(text)} || left(g::text, 0) AS r FROM generate_series(1, 1) g OFFSET 0`;
  const row = await session.one(
    `SELECT (s)::text AS v FROM (SELECT *, ${sql.strict} AS s FROM (SELECT r, ${sql.text} AS t FROM (${raw}) a OFFSET 0) b OFFSET 0) c`,
  );
  const value = row['v'] ?? null;
  if (value === null) throw refused();
  const strict = native?.strictType ?? null;
  if (strict !== null) {
    const tried = await session.one(`SELECT pg_input_is_valid(${literal(value)}, ${literal(strict)}) AS ok`);
    if (tried['ok'] !== 't') throw refused();
  }
  const own = native?.composite ? undefined : native?.stageType.replace(/ COLLATE .*$/s, '');
  const type = own ?? sqlType(column.type);
  return `CAST(${literal(value)} AS ${type})`;
}
