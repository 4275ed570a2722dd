/** The schema of anything that has one: a file, a folder, a table, a query, a DDL text or a JSON Schema. */
import { readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { redactUrl } from '../config/redact.ts';
import { Fault } from '../core/fault.ts';
import type { FileSource, SourceFormat } from '../core/model/policy.ts';
import type { Evidence, Schema } from '../core/model/schema.ts';
import { parseDdl } from '../core/schema-text/parse-ddl.ts';
import { parseJsonSchema } from '../core/schema-text/parse-json-schema.ts';
import { checkDatabase } from './missing-database.ts';
import type { ComparedForm } from '../core/compare/type-verdict.ts';

export interface InspectOptions {
  readonly cwd: string;
  /** SELECT on the engine that `text` names. */
  readonly query?: string | undefined;
  readonly format?: SourceFormat | undefined;
  readonly delimiter?: string | undefined;
  readonly quote?: string | undefined;
  readonly header?: boolean | undefined;
  readonly encoding?: FileSource['encoding'] | undefined;
  /** Records to look at; undefined reads all. */
  readonly sample?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface Inspected {
  readonly schema: Schema;
  /** Null where the schema is declared and not found in data. */
  readonly evidence: Evidence | null;
  readonly description: string;
  readonly kind: 'file' | 'table' | 'query' | 'ddl' | 'json-schema';
  readonly form: ComparedForm;
}

/** @throws Fault SOURCE_NOT_FOUND, SCHEMA_TEXT, TARGET_MISSING and those of reading a source */
export async function inspectAny(text: string, options: InspectOptions): Promise<Inspected> {
  const path = resolve(options.cwd, text);
  const isFile = await stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
  if (options.query !== undefined) return inspectQuery(await openable(text, options.cwd), options.query, options);
  if (isFile && /\.(sql|ddl)$/i.test(text)) return declared('ddl', text, parseDdl(await readFile(path, 'utf8'), text));
  if (isFile && /\.json$/i.test(text)) {
    const schema = await jsonSchemaIn(path, text);
    if (schema) return declared('json-schema', text, schema);
  }
  const { tryTargetFromUrl } = await import('../config/target-url.ts');
  const address = tryTargetFromUrl(text, options.cwd);
  if (address !== undefined) return inspectTable(await openable(address.url, options.cwd), address.table, options);
  return inspectFiles(text, options);
}

/** A database file is meant from `cwd`, and opened from the working folder of the process; other addresses stay as they are. */
async function openable(url: string, cwd: string): Promise<string> {
  const { isFileAddress, tryTargetFromUrl } = await import('../config/target-url.ts');
  const address = tryTargetFromUrl(url, cwd);
  const isSame = address === undefined || !isFileAddress(address) || resolve(cwd, address.url) === resolve(address.url);
  return isSame ? url : resolve(cwd, address.url);
}

const declared = (kind: 'ddl' | 'json-schema', description: string, schema: Schema): Inspected => ({
  schema,
  evidence: null,
  description,
  kind,
  form: 'typed',
});

/** A JSON document that says of itself that it is a schema. */
async function jsonSchemaIn(path: string, shown: string): Promise<Schema | undefined> {
  const { size } = await stat(path);
  if (size > 4_000_000) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(await readFile(path, 'utf8'));
  } catch {
    return undefined;
  }
  const isSchema =
    value !== null &&
    typeof value === 'object' &&
    !Array.isArray(value) &&
    ('$schema' in value || ('properties' in value && 'type' in value));
  return isSchema ? parseJsonSchema(value, shown) : undefined;
}

async function inspectTable(url: string, table: string | undefined, options: InspectOptions): Promise<Inspected> {
  const { openEngine } = await import('../engines/registry.ts');
  const engine = await openEngine({ url, readOnly: true, mayCreate: false, ...(options.signal ? { signal: options.signal } : {}) });
  try {
    checkDatabase(engine);
    const tables = await engine.tables();
    const only = table ?? (tables.length === 1 ? tables[0] : undefined);
    if (only === undefined) {
      throw new Fault(
        'USAGE',
        `${engine.url} has ${tables.length} tables: name one as ${engine.url}#schema.table`,
        tables.length === 0 ? {} : { fix: `Tables: ${tables.slice(0, 20).join(', ')}.` },
      );
    }
    const found = await engine.describe(only);
    if (found === undefined)
      throw new Fault('TARGET_MISSING', `there is no table ${only}`, { fix: `Tables: ${tables.slice(0, 20).join(', ') || 'none'}.` });
    return {
      schema: { ...found.schema, name: found.name },
      evidence: null,
      description: `${engine.url}#${found.name}`,
      kind: 'table',
      form: 'typed',
    };
  } finally {
    await engine.close();
  }
}

async function inspectQuery(url: string, query: string, options: InspectOptions): Promise<Inspected> {
  const { openEngine } = await import('../engines/registry.ts');
  const engine = await openEngine({ url, readOnly: true, mayCreate: false, ...(options.signal ? { signal: options.signal } : {}) });
  try {
    checkDatabase(engine);
    const groups = await engine.shapes({ files: [], spec: { kind: 'query', query } });
    const columns = (groups[0]?.columns ?? []).map((column) => ({
      name: column.name,
      type: column.type ?? { kind: 'unknown' as const, text: 'unknown' },
      nullable: true,
    }));
    return { schema: { columns }, evidence: null, description: redactUrl(query), kind: 'query', form: 'typed' };
  } finally {
    await engine.close();
  }
}

async function inspectFiles(text: string, options: InspectOptions): Promise<Inspected> {
  const { findFiles } = await import('../sources/find-files.ts');
  const { examineFile } = await import('../sources/examine.ts');
  const { openEngine } = await import('../engines/registry.ts');
  const { format, delimiter, quote, header, encoding, signal } = options;
  const source: FileSource = {
    kind: 'files',
    path: text,
    base: options.cwd,
    ...(format === undefined ? {} : { format }),
    ...(delimiter === undefined ? {} : { delimiter }),
    ...(quote === undefined ? {} : { quote }),
    ...(header === undefined ? {} : { header }),
    ...(encoding === undefined ? {} : { encoding }),
  };
  const files = [];
  for (const found of await findFiles(source)) files.push(await examineFile(found, source, signal ? { signal } : {}));
  const damaged = files.find((file) => file.damage !== undefined);
  if (damaged?.damage)
    throw new Fault('SOURCE_UNREADABLE', `the file is not whole: ${damaged.damage.message} (at byte ${damaged.damage.offset})`, {
      place: { file: damaged.path },
    });
  const engine = await openEngine({ url: ':memory:', readOnly: true, mayCreate: false, ...(signal ? { signal } : {}) });
  try {
    const input = { files, spec: source };
    const groups = await engine.shapes(input);
    const { schema, evidence } = await engine.infer(input, groups, options.sample ?? null);
    const sampled = options.sample !== undefined && evidence.rows >= options.sample;
    const form = groups[0]?.form ?? 'text';
    return { schema: { ...schema, name: text }, evidence: { ...evidence, sampled }, description: text, kind: 'file', form };
  } finally {
    await engine.close();
  }
}
