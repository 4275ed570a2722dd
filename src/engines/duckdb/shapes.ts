/** In what shapes the source comes: one group per header, key set or typed schema. */
import { Fault } from '../../core/fault.ts';
import type { LogicalType } from '../../core/model/type.ts';
import type { SourceColumn, SourceGroup } from '../../core/plan/plan.ts';
import type { SourceInput } from '../../run/engine.ts';
import type { SourceFile } from '../../sources/source-file.ts';
import type { Row, Session } from './driver.ts';
import { duckdbType, parseTableName, tableSql } from './introspect.ts';
import { parquetFault } from './parquet-fault.ts';
import { parquetNames } from './parquet-names.ts';
import { readParquet } from './reader.ts';
import { copyPath, makeUnit, needsDecoding, type ReadableFile } from './stage-units.ts';
import { transcode } from '../../sources/decode.ts';

/** JSON records of a file that are read to learn its keys. */
const sampledRecords = 20_000;

export async function sourceShapes(session: Session, { files, spec }: SourceInput): Promise<readonly SourceGroup[]> {
  if (spec.kind === 'query') {
    const sql = querySql(spec);
    if (!(await session.isSelect(sql)))
      throw new Fault('USAGE', 'the query must be one SELECT', { fix: 'Write one statement that only reads.' });
    const columns = describeColumns(await session.rows(`DESCRIBE ${sql}`));
    return [{ files: [], form: 'typed', columns, complete: true }];
  }
  const groups = new Map<string, { files: number[]; group: Omit<SourceGroup, 'files'> }>();
  for (const [ordinal, file] of files.entries()) {
    const group = await fileShape(session, { file, ordinal });
    const key = JSON.stringify([file.format, group, file.csv?.delimiter, file.csv?.quote, file.csv?.hasHeader]);
    const known = groups.get(key);
    if (known) known.files.push(ordinal);
    else groups.set(key, { files: [ordinal], group });
  }
  return [...groups.values()].map(({ files: members, group }) => ({ ...group, files: members }));
}

/** SELECT of a table or query source, fit to stand in brackets: without a semicolon, and with a line end behind a comment. */
export function querySql(spec: { readonly query?: string; readonly table?: string }): string {
  const query = spec.query?.trim().replace(/;$/, '');
  return query?.includes('--') === true ? `${query}\n` : (query ?? `SELECT * FROM ${tableSql(parseTableName(spec.table ?? ''))}`);
}

interface ShapeRequest {
  readonly file: SourceFile;
  readonly ordinal: number;
}

async function fileShape(session: Session, request: ShapeRequest): Promise<Omit<SourceGroup, 'files'>> {
  const { file } = request;
  if (file.format === 'csv') return { form: 'text', complete: true, columns: (file.csv?.header ?? []).map((name) => ({ name })) };
  if (file.format === 'parquet') {
    const rows = await session.rows(`DESCRIBE SELECT * FROM ${readParquet([file.absolute])}`).catch((error: unknown) => {
      throw parquetFault(file, error);
    });
    const columns = withOwnNames(describeColumns(rows), await parquetNames(session, file.absolute));
    return { form: 'typed', complete: true, columns };
  }
  return jsonShape(session, request);
}

/** The type under which a column of the engine's own type travels; those that no logical type holds travel as text. */
const asText = /^(U?HUGEINT|INTERVAL|BIT|TIME_NS|TIME WITH TIME ZONE|TIMESTAMP_NS|ENUM|UNION|BIGNUM|VARIANT|GEOMETRY)/;
const widened: Readonly<Record<string, LogicalType>> = {
  UTINYINT: { kind: 'int', bits: 16 },
  USMALLINT: { kind: 'int', bits: 32 },
  UINTEGER: { kind: 'int', bits: 64 },
  UBIGINT: { kind: 'decimal', precision: 20, scale: 0 },
};

function describeColumns(rows: readonly Row[]): readonly SourceColumn[] {
  return rows.map((row): SourceColumn => {
    const native = String(row['column_type']);
    if (asText.test(native)) return { name: String(row['column_name']), type: { kind: 'unknown', text: native } };
    return { name: String(row['column_name']), type: widened[native] ?? duckdbType(native) };
  });
}

/** The engine renames columns that it cannot tell apart: of `ID` and `id` the second becomes `id_1`. */
function withOwnNames(columns: readonly SourceColumn[], names: readonly string[]): readonly SourceColumn[] {
  if (names.length !== columns.length) return columns;
  return columns.map((column, i) => (column.name === names[i] ? column : { ...column, name: names[i] as string, readAs: column.name }));
}

async function jsonShape(session: Session, { file, ordinal }: ShapeRequest): Promise<Omit<SourceGroup, 'files'>> {
  if (file.damage !== undefined) return { form: 'json', columns: [], complete: true };
  // Without records there is nothing that could lack a key.
  if (file.facts.empty) return { form: 'json', columns: [], complete: false };
  const readable: ReadableFile = { ordinal, file, path: file.absolute, canonical: false, decoded: false };
  if (needsDecoding(file)) {
    const path = copyPath(session.scratch, ordinal, 'decoded');
    await transcode(file, path);
    Object.assign(readable, { path, decoded: true });
  }
  const shape: SourceGroup = { files: [ordinal], form: 'json', columns: [], complete: false };
  const unit = makeUnit({ plan: { groups: [shape] } as never, group: 0, files: [readable] });
  const sample = `SELECT line, row_number() OVER () AS n FROM (SELECT line FROM ${unit.from()} LIMIT ${sampledRecords})`;
  const rows = await session
    .rows(
      `SELECT k, min(n * 100000 + p) AS place, max(total) AS total FROM (SELECT unnest(keys) AS k, generate_subscripts(keys, 1) AS p, n, total FROM ` +
        `(SELECT TRY(json_keys(line)) AS keys, n, count(*) OVER () AS total FROM (${sample}))) WHERE k IS NOT NULL GROUP BY k ORDER BY place`,
    )
    .catch(() => []);
  const keys = rows.map((row) => String(row['k']));
  const complete = rows.length > 0 && Number(rows[0]?.['total']) < sampledRecords;
  return { form: 'json', columns: keys.map((name) => ({ name })), complete };
}
