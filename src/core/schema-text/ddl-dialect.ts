/** Whose DDL a text is, from words that only one dialect has. */
import type { TextSource, Token } from '../model/type-text-lexer.ts';
import { tokenAt } from '../model/type-text-lexer.ts';
import type { TypeDialect } from '../model/type-text-scalars.ts';

const tellingWords: ReadonlyMap<string, TypeDialect> = new Map([
  ['tblproperties', 'spark'],
  ['timestamp_ntz', 'spark'],
  ['timestamp_ltz', 'spark'],
  ['int64', 'bigquery'],
  ['float64', 'bigquery'],
  ['bignumeric', 'bigquery'],
  ['nvarchar', 'tsql'],
  ['datetime2', 'tsql'],
  ['datetimeoffset', 'tsql'],
  ['uniqueidentifier', 'tsql'],
  ['smallmoney', 'tsql'],
  ['utinyint', 'duckdb'],
  ['usmallint', 'duckdb'],
  ['uinteger', 'duckdb'],
  ['ubigint', 'duckdb'],
  ['hugeint', 'duckdb'],
  ['jsonb', 'postgres'],
  ['serial', 'postgres'],
  ['bigserial', 'postgres'],
  ['regclass', 'postgres'],
] as const);

const sparkFormats: ReadonlySet<string> = new Set(['delta', 'parquet', 'iceberg', 'hudi', 'orc', 'csv', 'json', 'avro']);

/**
 * A guess for texts that do not say: Spark by `USING delta`, `PARTITIONED BY` or TBLPROPERTIES, BigQuery by INT64 or OPTIONS, T-SQL by
 * NVARCHAR or `[name]`, PostgreSQL by JSONB or SERIAL, DuckDB by HUGEINT, in the order of appearance; else `ansi`. It matters for a
 * plain TIMESTAMP, which is
 * an instant in Spark and BigQuery, and for a plain FLOAT and DECIMAL.
 */
export function detectDialect(text: string): TypeDialect {
  // Where a backslash may hide a quote, the two ways of reading strings see different words.
  const escaped = /\\['"]/.test(text) ? telling({ text, backslash: true }) : undefined;
  return escaped === 'spark' || escaped === 'bigquery' ? escaped : telling({ text });
}

function telling(source: TextSource): TypeDialect {
  let before: Token | undefined;
  for (let token = tokenAt(source, 0); token.kind !== 'end'; token = tokenAt(source, token.end)) {
    const dialect = dialectOf(before, token, source);
    if (dialect !== undefined) return dialect;
    before = token;
  }
  return 'ansi';
}

function dialectOf(before: Token | undefined, token: Token, source: TextSource): TypeDialect | undefined {
  const word = token.kind === 'word' ? token.value.toLowerCase() : undefined;
  const last = before?.kind === 'word' ? before.value.toLowerCase() : before?.kind === 'punct' ? before.value : undefined;
  if (word !== undefined && last === 'using' && sparkFormats.has(word)) return 'spark';
  if (word === 'by' && last === 'partitioned') return 'spark';
  if (last === 'options' && token.value === '(') return 'bigquery';
  if (token.value === '[' && token.kind === 'punct' && isBracketName(source, token, last)) return 'tsql';
  return word === undefined || last === '.' ? undefined : tellingWords.get(word);
}

function isBracketName(source: TextSource, token: Token, last: string | undefined): boolean {
  const startsName = last === undefined || ['(', ',', '.', 'table', 'exists'].includes(last);
  return startsName && /^\[[^[\]'"]+\]/.test(source.text.slice(token.start, token.start + 200));
}
