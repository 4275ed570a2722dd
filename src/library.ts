/** The small functions that people write again and again, over the same law as the command. */
import { checkSchema } from './core/compare/compare-schemas.ts';
import { pairColumns } from './core/compare/pair-columns.ts';
import type { Divergence } from './core/divergences/divergence.ts';
import { Fault } from './core/fault.ts';
import { builtInRule, type ColumnRule, type Job } from './core/model/policy.ts';
import type { Column, Schema } from './core/model/schema.ts';
import { parseType, printType } from './core/model/type-text.ts';
import type { LogicalType } from './core/model/type.ts';
import { redactUrl } from './config/redact.ts';
import { coerceSql } from './engines/duckdb/coerce/coerce.ts';
import { sqlType } from './engines/duckdb/coerce/sql-type.ts';
import { ident } from './engines/duckdb/quote.ts';
import { openEngine } from './engines/registry.ts';
import { align, type AlignOptions, type AlignResult } from './run/align.ts';
import type { Engine } from './run/engine.ts';

export interface ConnectOptions {
  /** Opens the database for reading alone; the default. */
  readonly readOnly?: boolean;
  /** As the engine writes it, such as `1GB`. */
  readonly memoryLimit?: string;
  readonly sessionTimezone?: string;
  readonly signal?: AbortSignal;
}

/** What a program may ask of an open database. Close it when done: DuckDB lets one process write at a time. */
export interface Connection {
  readonly engine: string;
  /** Free of secrets. */
  readonly url: string;
  /** The schema of a table, or undefined when there is none. */
  readonly describe: (table: string) => Promise<Schema | undefined>;
  readonly tables: () => Promise<readonly string[]>;
  /** How a table departs from what is expected of it; empty when it does not. */
  readonly verify: (table: string, expected: Schema) => Promise<readonly Divergence[]>;
  readonly close: () => Promise<void>;
}

/**
 * Opens the engine behind an address, such as `warehouse.duckdb`.
 * @throws Fault TARGET_URL, ENGINE_LOCKED, ENGINE_MISSING, ENGINE_CONNECT
 */
export async function connect(url: string, options: ConnectOptions = {}): Promise<Connection> {
  const { readOnly = true, ...rest } = options;
  const engine: Engine = await openEngine({ url, readOnly, mayCreate: !readOnly, ...rest });
  const describe = async (table: string): Promise<Schema | undefined> => (await engine.describe(table))?.schema;
  return {
    engine: engine.name,
    url: redactUrl(url),
    describe,
    tables: engine.tables,
    verify: async (table, expected) => {
      const actual = await describe(table);
      if (actual === undefined) throw new Fault('TARGET_MISSING', `there is no table ${table}`);
      return checkSchema(actual, expected);
    },
    close: engine.close,
  };
}

/** Runs a job and writes: the whole run, as `schemalign load` does it. The record says what happened; only faults are thrown. */
export const load = (job: Job, options: Omit<AlignOptions, 'verb'> = {}): Promise<AlignResult> => align(job, { ...options, verb: 'load' });

/** Counts what a load would do, and writes nothing. */
export const plan = (job: Job, options: Omit<AlignOptions, 'verb'> = {}): Promise<AlignResult> => align(job, { ...options, verb: 'plan' });

/** Holds what is in the target now against the source and the rules, and writes nothing. */
export const verify = (job: Job, options: Omit<AlignOptions, 'verb'> = {}): Promise<AlignResult> =>
  align(job, { ...options, verb: 'verify' });

export interface CastOptions {
  /** The type in which the column comes; text when absent. */
  readonly from?: LogicalType | string;
  readonly rule?: Partial<ColumnRule>;
  /** SQL of the default, for `onInvalid: default`. */
  readonly defaultSql?: string;
}

/** SQL expressions of one cast, in DuckDB's dialect, over the column by its name. */
export interface CastSql {
  /** The value in the target type; NULL where the column is NULL or its value does not fit. */
  readonly value: string;
  /** Whether a value is there that does not fit. */
  readonly refused: string;
  /** For values that do not fit: LIST of STRUCT(path, code, outcome, value). */
  readonly issues: string;
}

const toType = (type: LogicalType | string): LogicalType => (typeof type === 'string' ? parseType(type) : type);

/**
 * Casts one column to a type by the coercion law: exact, or refused with a reason.
 * @throws Fault SCHEMA_TEXT for a type text that cannot be read, GAP for a type that the engine cannot hold
 */
export function castColumn(column: string, to: LogicalType | string, options: CastOptions = {}): CastSql {
  const from = options.from === undefined ? undefined : toType(options.from);
  const coercion = {
    path: column,
    to: toType(to),
    rule: { ...builtInRule, ...options.rule },
    nested: new Map<string, ColumnRule>(),
    from: from === undefined || from.kind === 'string' ? { form: 'text' as const } : { form: 'typed' as const, type: from },
    ...(options.defaultSql === undefined ? {} : { defaultSql: options.defaultSql }),
  };
  const raw = ident(column);
  const context = { nul: true };
  const text = `(${coerceSql(coercion, { raw, text: raw, strict: raw }, context).text})`;
  const strict = `(${coerceSql(coercion, { raw, text, strict: raw }, context).strict})`;
  const sql = coerceSql(coercion, { raw, text, strict }, context);
  return { value: `CASE WHEN ${sql.refused} THEN ${sql.relaxed} ELSE ${strict} END`, refused: sql.refused, issues: sql.issues };
}

export interface AlignToOptions {
  /** Rules by target column; `from` names other source columns to look for. */
  readonly rules?: ReadonlyMap<string, Partial<ColumnRule>>;
}

/**
 * A SELECT that brings a relation into the shape of a target: columns by name, each cast by the law, the missing ones filled by their
 * default or NULL, the extra ones left out. It is a fold over the differences of the two schemas.
 *
 * @param relation SQL of the relation: a quoted table name, or a query in parentheses.
 * @throws Fault TARGET_INCOMPATIBLE when names collide
 */
export function alignTo(relation: string, source: Schema, target: Schema, options: AlignToOptions = {}): string {
  const wanted = target.columns.map((column) => ({ name: column.name, from: options.rules?.get(column.name)?.from ?? [] }));
  const pairing = pairColumns(
    source.columns.map((column) => column.name),
    wanted,
  );
  const collision = pairing.divergences.find((divergence) => divergence.kind === 'name_collision' && divergence.severity === 'error');
  if (collision) throw new Fault('TARGET_INCOMPATIBLE', collision.detail);
  const select = target.columns.map(
    (column, i) =>
      `${alignedColumn(source, pairing.pairs[i]?.source ?? null, { column, rule: options.rules?.get(column.name) ?? {} })} AS ${ident(column.name)}`,
  );
  return `SELECT ${select.join(', ')} FROM ${relation}`;
}

function alignedColumn(source: Schema, position: number | null, { column, rule }: { column: Column; rule: Partial<ColumnRule> }): string {
  const found = position === null ? undefined : source.columns[position];
  if (found === undefined) return `CAST(${column.default ?? 'NULL'} AS ${sqlType(column.type)})`;
  if (printType(found.type) === printType(column.type)) return ident(found.name);
  return castColumn(found.name, column.type, {
    from: found.type,
    rule,
    ...(column.default === undefined ? {} : { defaultSql: column.default }),
  }).value;
}
