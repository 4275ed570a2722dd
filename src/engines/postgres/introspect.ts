/** What the catalogue says of a table. */
import type { Column, Schema } from '../../core/model/schema.ts';
import type { Field, LogicalType } from '../../core/model/type.ts';
import type { FieldDescription, Row, Session } from './driver.ts';
import { literal } from './quote.ts';
import { type TableRef, tableSql } from './table-name.ts';
import { type CatalogType, isStricter, logicalType } from './types.ts';

export interface TargetTable {
  readonly ref: TableRef;
  readonly schema: Schema;
  /** Column lists that a unique index without condition protects. */
  readonly uniqueKeys: readonly (readonly string[])[];
  readonly rows: number;
  readonly isView: boolean;
}

/** What a column of the target demands beyond its logical type; kept beside the plan, as it is the server's own matter. */
export interface NativeColumn {
  /** The type in which values are staged, as SQL: the column's own, of a domain the type below it. */
  readonly stageType: string;
  /** Type on which every value is tried, as SQL, where it refuses or changes some that the logical type takes. */
  readonly strictType: string | null;
  /** Composite type into which each value, or each element of it, is put together from JSON. */
  readonly composite: { readonly type: string; readonly isList: boolean } | null;
}

const kinds: Readonly<Record<string, 'table' | 'view'>> = { r: 'table', p: 'table', f: 'table', v: 'view', m: 'view' };

const relation = (ref: TableRef): string =>
  `c.relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = ${literal(ref.schema)}) AND c.relname = ${literal(ref.table)}`;

/** The type of a column, and below a domain the type that it is made of. */
const columnsSql = (condition: string): string => `
  WITH RECURSIVE columns AS (
    SELECT a.attrelid, a.attnum, a.attname, a.attnotnull, a.attidentity, a.attgenerated, a.attcollation, a.atttypid AS declared,
      a.atttypid AS type, a.atttypmod AS modifier, false AS domain_not_null, 0 AS depth
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid WHERE ${condition} AND a.attnum > 0 AND NOT a.attisdropped
    UNION ALL
    SELECT x.attrelid, x.attnum, x.attname, x.attnotnull, x.attidentity, x.attgenerated, x.attcollation, x.declared, t.typbasetype,
      CASE WHEN t.typtypmod >= 0 THEN t.typtypmod ELSE x.modifier END, x.domain_not_null OR t.typnotnull, x.depth + 1
    FROM columns x JOIN pg_type t ON t.oid = x.type AND t.typtype = 'd'
  ), last AS (SELECT DISTINCT ON (attnum) * FROM columns ORDER BY attnum, depth DESC)
  SELECT l.attname AS name, l.attnotnull OR l.domain_not_null AS required, l.attidentity AS identity, l.attgenerated AS generated,
    pg_get_expr(d.adbin, d.adrelid) AS fallback, col_description(l.attrelid, l.attnum) AS comment, ${typeFacts('l')},
    l.declared <> l.type AS is_domain, ${typeSql('l.declared', '-1')} AS declared_sql,
    (SELECT quote_ident(cn.nspname) || '.' || quote_ident(o.collname) FROM pg_collation o JOIN pg_namespace cn ON cn.oid = o.collnamespace
      WHERE o.oid = l.attcollation AND o.collname <> 'default') AS collation,
    pg_get_serial_sequence(quote_ident(n.nspname) || '.' || quote_ident(c.relname), l.attname) AS sequence
  FROM last l JOIN pg_class c ON c.oid = l.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace
    LEFT JOIN pg_attrdef d ON d.adrelid = l.attrelid AND d.adnum = l.attnum ${typeJoins('l')}
  ORDER BY l.attnum`;

/** Facts of a type, over the joins below; `alias` has columns `type` and `modifier`. */
function typeFacts(alias: string): string {
  return (
    `coalesce(e.typname, t.typname) AS type_name, coalesce(en.nspname, tn.nspname) AS type_schema, e.oid IS NOT NULL AS is_array, ` +
    `coalesce(e.typtype, t.typtype) = 'e' AS is_enum, CASE WHEN coalesce(e.typtype, t.typtype) = 'c' THEN coalesce(e.typrelid, t.typrelid) END AS relation, ` +
    `${typeSql('coalesce(e.oid, t.oid)', '-1')} AS element_sql, ${alias}.modifier AS modifier, format_type(${alias}.type, ${alias}.modifier) AS type_text, ` +
    `${typeSql(`${alias}.type`, `${alias}.modifier`)} AS type_sql`
  );
}

/** An element that is a domain makes an array without a logical equal. */
function typeJoins(alias: string): string {
  return (
    `JOIN pg_type t ON t.oid = ${alias}.type JOIN pg_namespace tn ON tn.oid = t.typnamespace ` +
    `LEFT JOIN pg_type e ON e.oid = t.typelem AND t.typcategory = 'A' LEFT JOIN pg_namespace en ON en.oid = e.typnamespace`
  );
}

/** The type as SQL that needs no search path. */
function typeSql(type: string, modifier: string): string {
  const own = `(SELECT quote_ident(n.nspname) || '.' || quote_ident(y.typname) FROM pg_type y JOIN pg_namespace n ON n.oid = y.typnamespace WHERE y.oid = ${type})`;
  const isBuiltIn = `(SELECT y.typnamespace = 'pg_catalog'::regnamespace FROM pg_type y WHERE y.oid = ${type})`;
  return `CASE WHEN ${isBuiltIn} THEN format_type(${type}, ${modifier}) ELSE ${own} END`;
}

export interface DescribedTable extends TargetTable {
  readonly natives: ReadonlyMap<string, NativeColumn>;
}

/** The table as it is in the catalogue, or undefined when there is none. Of a view no rows are counted. */
export async function describeTable(session: Session, ref: TableRef): Promise<DescribedTable | undefined> {
  const [table] = await session.rows(`SELECT c.oid::text AS oid, c.relkind AS kind FROM pg_class c WHERE ${relation(ref)}`);
  const kind = kinds[table?.['kind'] ?? ''];
  if (table === undefined || kind === undefined) return undefined;
  const columns = await session.rows(columnsSql(`c.oid = ${literal(String(table['oid']))}::oid`));
  const composites = await compositeFields(session, columns);
  const keys = await uniqueKeys(session, String(table['oid']));
  const partition = table['kind'] === 'p' ? await partitionColumns(session, String(table['oid'])) : [];
  const rows = kind === 'view' ? 0 : Number((await session.one(`SELECT count(*) AS n FROM ${tableSql(ref)}`))['n']);
  return {
    ref,
    schema: {
      name: `${ref.schema}.${ref.table}`,
      columns: columns.map((row) => describeColumn(row, { composites, primary: keys.primary, partition })),
    },
    uniqueKeys: keys.all,
    rows,
    isView: kind === 'view',
    natives: new Map(columns.map((row) => [String(row['name']), nativeColumn(row)])),
  };
}

type Composites = ReadonlyMap<string, readonly Field[]>;

const deepest = 16;

/** The parts of the composite types among the columns, by the number of their relation. */
async function compositeFields(session: Session, rows: readonly Row[], depth = 0): Promise<Composites> {
  const found = new Map<string, readonly Field[]>();
  const relations = new Set(rows.flatMap((row) => row['relation'] ?? []));
  if (depth > deepest) return found;
  for (const relation of relations) {
    const inner = await session.rows(columnsSql(`c.oid = ${literal(relation)}::oid`));
    const composites = await compositeFields(session, inner, depth + 1);
    found.set(
      relation,
      inner.map((row) => ({ name: String(row['name']), type: logicalType(catalogType(row, composites)) })),
    );
  }
  return found;
}

function catalogType(row: Row, composites: Composites): CatalogType {
  const fields = composites.get(row['relation'] ?? '');
  return {
    ...(fields === undefined ? {} : { fields }),
    name: String(row['type_name']),
    schema: String(row['type_schema']),
    isArray: row['is_array'] === 't',
    isEnum: row['is_enum'] === 't',
    modifier: Number(row['modifier']),
    text: String(row['type_text']),
  };
}

interface Facts {
  readonly composites: Composites;
  readonly primary: readonly string[];
  readonly partition: readonly string[];
}

function describeColumn(row: Row, { composites, primary, partition }: Facts): Column {
  const name = String(row['name']);
  const isGenerated = row['generated'] !== '' || row['identity'] === 'a';
  const fallback = row['identity'] === 'd' ? `nextval(${literal(String(row['sequence']))}::regclass)` : row['fallback'];
  const native = row['is_domain'] === 't' ? String(row['declared_sql']) : String(row['type_text']);
  return {
    name,
    type: logicalType(catalogType(row, composites)),
    nullable: row['required'] !== 't',
    native,
    ...(fallback === null || fallback === undefined || isGenerated ? {} : { default: fallback }),
    ...(row['comment'] === null || row['comment'] === undefined ? {} : { comment: row['comment'] }),
    ...(primary.includes(name) ? { key: true } : {}),
    ...(partition.includes(name) ? { partition: true } : {}),
    ...(isGenerated ? { generated: true } : {}),
  };
}

function nativeColumn(row: Row): NativeColumn {
  const collation = row['collation'] ?? null;
  const stageType = `${row['type_sql']}${collation === null ? '' : ` COLLATE ${collation}`}`;
  const relation = row['relation'] ?? null;
  const composite = relation === null ? null : { type: String(row['element_sql']), isList: row['is_array'] === 't' };
  if (row['is_domain'] === 't') return { stageType, strictType: String(row['declared_sql']), composite };
  return { stageType, strictType: isStricter(catalogType(row, new Map())) ? String(row['type_sql']) : null, composite };
}

async function uniqueKeys(session: Session, oid: string): Promise<{ primary: readonly string[]; all: readonly (readonly string[])[] }> {
  const rows = await session.rows(`
    SELECT i.indisprimary AS is_primary, to_json(array_agg(a.attname ORDER BY k.place)) AS columns
    FROM pg_index i CROSS JOIN LATERAL unnest(i.indkey) WITH ORDINALITY k(number, place)
      JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.number
    WHERE i.indrelid = ${literal(oid)}::oid AND i.indisunique AND i.indisvalid AND i.indpred IS NULL AND i.indexprs IS NULL
      AND k.place <= i.indnkeyatts
    GROUP BY i.indexrelid, i.indisprimary ORDER BY i.indisprimary DESC, i.indexrelid`);
  const keys = rows.map((row) => ({ isPrimary: row['is_primary'] === 't', columns: JSON.parse(String(row['columns'])) as string[] }));
  return { primary: keys.find((key) => key.isPrimary)?.columns ?? [], all: keys.map((key) => key.columns) };
}

/** Columns by which a partitioned table is divided; expressions are none. */
async function partitionColumns(session: Session, oid: string): Promise<readonly string[]> {
  const rows = await session.rows(`
    SELECT a.attname AS name FROM pg_partitioned_table p CROSS JOIN LATERAL unnest(p.partattrs) k(number)
      JOIN pg_attribute a ON a.attrelid = p.partrelid AND a.attnum = k.number WHERE p.partrelid = ${literal(oid)}::oid`);
  return rows.map((row) => String(row['name']));
}

/** Names of the tables that are there, with their schemas. */
export async function tableNames(session: Session): Promise<readonly string[]> {
  const rows = await session.rows(`
    SELECT n.nspname || '.' || c.relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE c.relkind IN ('r', 'p', 'f') AND NOT c.relispartition AND n.nspname NOT IN ('pg_catalog', 'information_schema') AND n.nspname !~ '^pg_(toast|temp)'
    ORDER BY 1`);
  return rows.map((row) => String(row['name']));
}

/** Logical types of the columns of a query. */
export async function fieldTypes(session: Session, fields: readonly FieldDescription[]): Promise<readonly LogicalType[]> {
  if (fields.length === 0) return [];
  const list = fields.map(({ type, modifier }, i) => `(${i}, ${Number(type)}::oid, ${Number(modifier)})`).join(', ');
  const rows = await session.rows(`
    WITH RECURSIVE fields AS (
      SELECT place, type, modifier, 0 AS depth FROM (VALUES ${list}) v(place, type, modifier)
      UNION ALL
      SELECT f.place, t.typbasetype, CASE WHEN t.typtypmod >= 0 THEN t.typtypmod ELSE f.modifier END, f.depth + 1
      FROM fields f JOIN pg_type t ON t.oid = f.type AND t.typtype = 'd'
    ), last AS (SELECT DISTINCT ON (place) * FROM fields ORDER BY place, depth DESC)
    SELECT ${typeFacts('l')} FROM last l ${typeJoins('l')} ORDER BY l.place`);
  const composites = await compositeFields(session, rows);
  return rows.map((row) => logicalType(catalogType(row, composites)));
}
