/** The target as it is: columns from the analysed plan, which alone tells of nullability, lengths and defaults; the rest from Delta. */
import type { Column, Schema } from '../../core/model/schema.ts';
import { json } from '../../core/model/type.ts';
import type { SparkField } from './connect/spark-type.ts';
import type { Row, Session } from './driver.ts';
import { isMissing } from './errors.ts';
import { type TableRef, tableSql } from './table-name.ts';
import { declaredText, logicalType } from './types.ts';

export interface TargetTable {
  readonly ref: TableRef;
  readonly sql: string;
  readonly schema: Schema;
  readonly rows: number;
  readonly isView: boolean;
  /** `delta`, `parquet`, `hive`, …; of a view `view`. */
  readonly format: string;
  /** Of Delta: the table's own id, which a table of the same name made later does not have. */
  readonly id: string | null;
  /** Latest version of a Delta table. */
  readonly version: number | null;
  readonly location: string | null;
  readonly partitionColumns: readonly string[];
  /** Expressions of generated columns; of identity columns null. */
  readonly generated: ReadonlyMap<string, string | null>;
}

/** Undefined when there is no such table. The rows are those of a version: of the one given, else of the latest. */
export async function describeTable(session: Session, ref: TableRef, at?: number): Promise<TargetTable | undefined> {
  const sql = tableSql(ref);
  const fields = await session.client
    .schema(`SELECT * FROM ${sql}`)
    .then(({ fields: found }) => found)
    .catch((error: unknown) => {
      if (isMissing(error)) return undefined;
      throw error;
    });
  if (fields === undefined) return undefined;
  const detail = await detailOf(session, sql);
  const version = detail.format === 'delta' ? (at ?? (await latestVersion(session, sql))) : null;
  const generated = await generatedColumns(session, detail);
  const rows = detail.format === 'view' ? 0 : Number((await session.one(`SELECT count(*) AS n FROM ${atVersion(sql, version)}`))['n']);
  const columns: Column[] = [];
  for (const field of fields) columns.push(await columnOf(session, field, { detail, generated }));
  return {
    ref,
    sql,
    rows,
    version,
    generated,
    ...detail,
    schema: { name: `${ref.schema}.${ref.table}`, columns },
    isView: detail.format === 'view',
  };
}

export const atVersion = (sql: string, version: number | null): string => (version === null ? sql : `${sql} VERSION AS OF ${version}`);

export async function latestVersion(session: Session, sql: string): Promise<number> {
  return Number((await session.one(`DESCRIBE HISTORY ${sql} LIMIT 1`))['version']);
}

interface Detail {
  readonly format: string;
  readonly id: string | null;
  readonly location: string | null;
  readonly partitionColumns: readonly string[];
  readonly features: readonly string[];
  readonly writerVersion: number;
}

async function detailOf(session: Session, sql: string): Promise<Detail> {
  const extended = async (): Promise<Detail> => plainDetail(await session.rows(`DESCRIBE TABLE EXTENDED ${sql}`));
  if (!session.hasDelta) return extended();
  const row = await session.one(`DESCRIBE DETAIL ${sql}`).catch(() => undefined);
  if (row?.['format'] !== 'delta') return extended();
  return {
    format: 'delta',
    id: String(row['id']),
    location: String(row['location']),
    partitionColumns: (row['partitionColumns'] as string[] | null) ?? [],
    features: (row['tableFeatures'] as string[] | null) ?? [],
    writerVersion: Number(row['minWriterVersion']),
  };
}

/** From the listing for people, which ends with facts of the table. */
function plainDetail(rows: readonly Row[]): Detail {
  const fact = (name: string): string | null => {
    const at = rows.findIndex((row) => String(row['col_name']).startsWith('# Detailed'));
    const row = at < 0 ? undefined : rows.slice(at).find((one) => one['col_name'] === name);
    return row === undefined ? null : String(row['data_type']);
  };
  const start = rows.findIndex((row) => row['col_name'] === '# Partition Information');
  const partitions: string[] = [];
  for (const row of start < 0 ? [] : rows.slice(start + 2)) {
    if (row['col_name'] === '' || String(row['col_name']).startsWith('#')) break;
    partitions.push(String(row['col_name']));
  }
  const isView = fact('Type') === 'VIEW';
  return {
    format: isView ? 'view' : (fact('Provider') ?? 'unknown').toLowerCase(),
    id: null,
    location: fact('Location'),
    partitionColumns: partitions,
    features: [],
    writerVersion: 0,
  };
}

/** Delta keeps how a column is made nowhere but in its log. */
async function generatedColumns(session: Session, detail: Detail): Promise<ReadonlyMap<string, string | null>> {
  const found = new Map<string, string | null>();
  const { features, writerVersion, location } = detail;
  const mayHave = features.length > 0 ? features.some((feature) => /generatedColumns|identityColumns/.test(feature)) : writerVersion >= 4;
  if (!mayHave || location === null) return found;
  const log = `${location.replace(/\/$/, '')}/_delta_log`;
  const read = (pattern: string, format: string): Promise<readonly Row[]> =>
    session
      .rows(
        `SELECT metaData.schemaString AS s, _metadata.file_name AS f FROM ${format}.${quotePath(`${log}/${pattern}`)} WHERE metaData IS NOT NULL ORDER BY f DESC LIMIT 1`,
      )
      .catch((error: unknown) => {
        if (isMissing(error)) return [];
        throw error;
      });
  // Where old entries of the log were cleaned up, a checkpoint has what they said.
  const [row = (await read('*.checkpoint*.parquet', 'parquet'))[0]] = await read('*.json', 'json');
  const schema = JSON.parse(String(row?.['s'] ?? '{"fields":[]}')) as { fields: { name: string; metadata: Record<string, unknown> }[] };
  for (const { name, metadata } of schema.fields) {
    const expression = metadata['delta.generationExpression'];
    if (typeof expression === 'string') found.set(name, expression);
    else if (metadata['delta.identity.start'] !== undefined) found.set(name, null);
  }
  return found;
}

const quotePath = (path: string): string => `\`${path.replaceAll('`', '``')}\``;

interface ColumnFacts {
  readonly detail: Detail;
  readonly generated: ReadonlyMap<string, string | null>;
}

async function columnOf(session: Session, field: SparkField, { detail, generated }: ColumnFacts): Promise<Column> {
  const { name, nullable, metadata } = field;
  const declared = declaredText(field);
  const stored = logicalType(declared === undefined ? field.type : await session.client.parseType(declared));
  // Spark has no JSON; the one column that is always JSON is text there.
  const type = name === '_rescued' && stored.kind === 'string' ? json : stored;
  const isGenerated = generated.has(name);
  const value = metadata['CURRENT_DEFAULT'];
  const comment = metadata['comment'];
  return {
    name,
    type,
    nullable,
    native: declared ?? field.type.kind,
    ...(typeof value !== 'string' || isGenerated ? {} : { default: value }),
    ...(typeof comment === 'string' ? { comment } : {}),
    ...(isGenerated ? { generated: true } : {}),
    ...(detail.partitionColumns.includes(name) ? { partition: true } : {}),
  };
}

/** Names of the tables of a schema, with it; views and our own tables are left out. */
export async function tableNames(session: Session, schema: string): Promise<readonly string[]> {
  const rows = await session.rows(`SHOW TABLES IN ${schema} LIKE '*'`);
  return rows
    .filter((row) => row['isTemporary'] !== true && !String(row['tableName']).startsWith('schemalign_'))
    .map((row) => `${row['namespace']}.${row['tableName']}`);
}
