/** Runs one coercion in DuckDB the way the staging query does: four nested SELECTs. */
import type { SourceForm } from '../../src/core/coercions/coercion.ts';
import type { ColumnRule } from '../../src/core/model/policy.ts';
import { builtInRule } from '../../src/core/model/policy.ts';
import type { LogicalType } from '../../src/core/model/type.ts';
import { coerceSql } from '../../src/engines/duckdb/coerce/coerce.ts';
import { nullOf } from '../../src/engines/duckdb/coerce/sql-type.ts';
import { literal } from '../../src/engines/duckdb/quote.ts';

export interface Ask {
  readonly from: SourceForm;
  readonly to: LogicalType;
  readonly rule?: Partial<ColumnRule>;
  readonly nested?: Readonly<Record<string, Partial<ColumnRule>>>;
  readonly path?: string;
  readonly defaultSql?: string;
  readonly mark?: string;
  readonly nul?: boolean;
  /** SQL of each raw value. */
  readonly raws: readonly string[];
}

export interface Issue {
  readonly path: string;
  readonly code: string;
  readonly outcome: string;
  readonly value: string | null;
}

export interface Answer {
  /** What is stored, as DuckDB prints it; undefined when the record is rejected. */
  readonly value: string | null | undefined;
  readonly issues: readonly Issue[];
  /** `from path: value`. */
  readonly notes: readonly string[];
}

interface Rows {
  getRowObjectsJson(): Record<string, unknown>[];
}

export interface Connection {
  runAndReadAll(sql: string): Promise<Rows>;
}

/** The statement of an `Ask`, with one row per raw value. */
export function coercionQuery(ask: Ask): string {
  const rule = { ...builtInRule, ...ask.rule };
  const nested = new Map(Object.entries(ask.nested ?? {}).map(([path, own]) => [path, { ...rule, ...own }]));
  const sql = coerceSql(
    {
      path: ask.path ?? 'c',
      from: ask.from,
      to: ask.to,
      rule,
      nested,
      ...(ask.defaultSql === undefined ? {} : { defaultSql: ask.defaultSql }),
    },
    { raw: '"raw"', text: '"text"', strict: '"strict"' },
    { nul: ask.nul ?? true, ...(ask.mark === undefined ? {} : { numberMark: ask.mark }) },
  );
  const notes = sql.notes.map(
    (note) => `CASE WHEN ${note.when} THEN [${literal(`${note.from} ${note.path}: `)} || ${note.value}] ELSE []::VARCHAR[] END`,
  );
  const level1 = ask.raws.map((raw, n) => `SELECT ${n} AS n, ${raw} AS raw`).join(' UNION ALL ');
  const level3 = `SELECT *, ${sql.strict} AS strict FROM (SELECT *, ${sql.text} AS text FROM (${level1}))`;
  return `SELECT n, typeof(v) AS type, typeof(${nullOf(ask.to)}) AS wanted, v::VARCHAR AS value, rejects, issues, notes FROM (
    SELECT n, CASE WHEN ${sql.refused} THEN ${sql.relaxed} ELSE strict END AS v,
      CASE WHEN ${sql.refused} THEN ${sql.rejects} ELSE false END AS rejects,
      CASE WHEN ${sql.refused} THEN ${sql.issues} ELSE [] END AS issues,
      flatten([${notes.join(', ')}]::VARCHAR[][]) AS notes
    FROM (${level3})) ORDER BY n`;
}

export async function coerce(connection: Connection, ask: Ask): Promise<Answer[]> {
  const result = await connection.runAndReadAll(coercionQuery(ask));
  return result.getRowObjectsJson().map((row) => {
    if (row['rejects'] === null) throw new Error('rejects must never be NULL');
    const value = row['rejects'] === true ? undefined : (row['value'] as string | null);
    return { value, issues: row['issues'] as Issue[], notes: row['notes'] as string[] };
  });
}
