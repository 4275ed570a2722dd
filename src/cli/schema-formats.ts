/** The forms in which `inspect` shows a schema. */
import type { Evidence } from '../core/model/schema.ts';
import { inertJson } from '../reports/visible.ts';
import type { Inspected } from '../run/inspect.ts';
import { grouped } from './terminal.ts';

type Printer = (inspected: Inspected) => Promise<string>;

const tableName = 'inspected';
const pretty = (value: unknown): string => `${inertJson(JSON.stringify(value, null, 2))}\n`;
const lineEnded = (text: string): string => (text.endsWith('\n') ? text : `${text}\n`);

const printers: Readonly<Record<string, Printer>> = {
  tree: async ({ schema, evidence, description }) => {
    const { printTree } = await import('../core/schema-text/print-tree.ts');
    const { visible } = await import('../core/schema-text/visible.ts');
    return `${visible(description)}${evidence === null ? '' : `: ${evidenceText(evidence)}`}\n${lineEnded(printTree(schema))}`;
  },
  json: async ({ schema, evidence, description, kind }) =>
    pretty({ schema: 'inspect-1', description, kind, evidence, columns: schema.columns }),
  ddl: async ({ schema }) => {
    const { printDdl } = await import('../core/schema-text/print-ddl.ts');
    return lineEnded(printDdl(schema, tableParts(schema.name ?? tableName), standardIdent));
  },
  spark: async ({ schema }) => {
    const { printSparkDdl } = await import('../core/schema-text/print-spark.ts');
    return lineEnded(printSparkDdl(schema));
  },
  bigquery: async ({ schema }) => {
    const { printBigQuerySchema } = await import('../core/schema-text/print-bigquery.ts');
    return pretty(printBigQuerySchema(schema));
  },
  'json-schema': async ({ schema }) => {
    const { printJsonSchema } = await import('../core/schema-text/print-json-schema.ts');
    return pretty(printJsonSchema(schema));
  },
};

export const schemaFormats: readonly string[] = Object.keys(printers);

/** A schema in one of `schemaFormats`; ends with a line end. */
export async function schemaText(format: string, inspected: Inspected): Promise<string> {
  const print = printers[format] as Printer;
  return print(inspected);
}

/** `9 of the first rows` would promise too much: a sample is called one. */
function evidenceText({ rows, sampled }: Evidence): string {
  return sampled ? `${grouped(rows)} rows sampled, so types are likely, not proven` : `all ${grouped(rows)} rows read`;
}

/** `main.orders` is a schema and a table; the name of a file loses its folders and extensions. */
function tableParts(name: string): readonly string[] {
  if (/^\w+(\.\w+){1,2}$/.test(name) && !/\.(csv|tsv|json|ndjson|jsonl|parquet|gz|zst|sql)$/i.test(name)) return name.split('.');
  const stem =
    name
      .split(/[/\\]/)
      .at(-1)
      ?.replace(/(\.[A-Za-z]+)+$/, '') ?? '';
  return [stem === '' ? tableName : stem];
}

/** An identifier of standard SQL, which DuckDB and PostgreSQL write alike. */
function standardIdent(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
