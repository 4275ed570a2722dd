/** Every key of schemalign.yaml, from the root down. */
import { columnKeys, sharedColumnKeys } from './column-keys.ts';
import { anyCount, choice, flag, listOf, mapOf, object, share, text, type Key, type Shape } from './shape.ts';
import { calendarDay, divergenceCode, fieldSeparator, memorySize, notEmpty, quoteCharacter, someName, timezone } from './text-checks.ts';

const columnName = text('a column name', someName);
const columnNames = (means: string): Shape => listOf(columnName, means, 1);
const sizeOrZone: readonly Key[] = [
  {
    name: 'memory_limit',
    shape: text('a size such as 1GB', memorySize),
    builtIn: "the engine's",
    meaning: 'Memory that the embedded engine may use; it spills beyond',
  },
  {
    name: 'session_timezone',
    shape: text('an IANA time zone', timezone),
    builtIn: 'UTC',
    meaning: 'Session time zone of the engine; it never changes a result',
  },
];

export const connectionKeys: readonly Key[] = [
  {
    name: 'url',
    shape: {
      kind: 'text',
      means: 'an address such as warehouse.duckdb',
      check: notEmpty('an address such as warehouse.duckdb'),
      secret: true,
    },
    required: true,
    meaning: 'A DuckDB file (relative to this file), or postgres://, sc://, bigquery://, sqlserver://',
  },
  ...sizeOrZone,
];

export const auditKeys: readonly Key[] = [
  {
    name: 'schema',
    shape: text('a schema name', notEmpty('a schema name')),
    builtIn: "the target's",
    meaning: 'Schema that holds the audit tables',
  },
  {
    name: 'prefix',
    shape: text('a name prefix', notEmpty('a name prefix')),
    builtIn: 'audit_schema_',
    meaning: 'How the names of the audit tables begin',
  },
  {
    name: 'max_examples',
    shape: { kind: 'number', min: 0, max: anyCount, integer: true, means: 'a whole number, 0 or more' },
    builtIn: '5',
    meaning: 'Examples kept for each finding',
  },
];

export const sourceKeys: readonly Key[] = [
  { name: 'path', shape: text('a path', notEmpty('a path')), meaning: 'A file, a folder or a glob, relative to this file' },
  { name: 'query', shape: text('a query', notEmpty('a query')), meaning: "A query of the target's own engine, instead of `path`" },
  {
    name: 'table',
    shape: text('a table name', notEmpty('a table name')),
    meaning: "A table of the target's own engine, instead of `path`",
  },
  {
    name: 'batch',
    shape: text('a token', notEmpty('a token')),
    builtIn: 'a hash of the rows',
    meaning: 'Your own load token for appending a query or table',
  },
  { name: 'format', shape: choice('csv', 'ndjson', 'json', 'parquet'), builtIn: 'detected', meaning: 'Format of the files' },
  {
    name: 'delimiter',
    shape: text('one ASCII character, or tab', fieldSeparator),
    builtIn: 'detected',
    meaning: 'Separator of CSV fields',
  },
  {
    name: 'quote',
    shape: text('one ASCII character, or nothing for no quotes', quoteCharacter),
    builtIn: 'detected',
    meaning: 'Quote of CSV fields',
  },
  {
    name: 'header',
    shape: flag,
    builtIn: 'detected',
    meaning: 'Whether the first CSV record holds the names; without it they are column1, column2, …',
  },
  { name: 'encoding', shape: choice('utf-8', 'utf-16', 'latin-1'), builtIn: 'utf-8', meaning: 'Encoding of text files' },
  { name: 'compression', shape: choice('auto', 'none', 'gzip', 'zstd'), builtIn: 'auto', meaning: 'Compression of the files' },
];

export const targetKeys: readonly Key[] = [
  {
    name: 'connection',
    shape: text('the name of a connection', notEmpty('the name of a connection')),
    meaning: 'The engine that holds the table, by its name under `connections`',
  },
  { name: 'table', shape: text('a table name', notEmpty('a table name such as main.orders')), meaning: 'The table to load into' },
  { name: 'create', shape: flag, builtIn: 'false', meaning: 'Create the table when it does not exist, in the same transaction' },
];

export const mergeKeys: readonly Key[] = [
  {
    name: 'on_duplicate_key',
    shape: choice('error', 'keep_latest'),
    builtIn: 'error',
    meaning: 'What becomes of several source rows of one key',
  },
  { name: 'order_by', shape: columnName, meaning: 'Target column that says which row is the latest' },
  { name: 'on_null_key', shape: choice('error', 'quarantine'), builtIn: 'error', meaning: 'What becomes of rows with a null in the key' },
];

const guardKeys: readonly Key[] = [
  { name: 'max_shrink', shape: share, builtIn: '0.5', meaning: 'Largest share of its rows that the table, or one partition, may lose' },
  { name: 'allow_empty', shape: flag, builtIn: 'false', meaning: 'Whether an empty source may empty the table or the partitions' },
];

const partitionValue = text('a value');

export const partitionKeys: readonly Key[] = [
  { name: 'columns', shape: columnNames('a list of column names'), meaning: 'The partition columns' },
  {
    name: 'values',
    shape: {
      kind: 'either',
      single: choice('present'),
      list: listOf(
        { kind: 'either', single: partitionValue, list: listOf(partitionValue, 'a list of values', 1) },
        'a list of partition values',
        1,
      ),
    },
    meaning:
      'The partitions to overwrite, as values or, for several columns, as lists of values; `present` means those found in the source',
  },
  ...guardKeys,
];

const ignoreKeys: readonly Key[] = [
  { name: 'code', shape: text('a divergence code such as SA102', divergenceCode), required: true, meaning: 'Code of the finding' },
  { name: 'column', shape: columnName, meaning: 'Column path; without it, every column' },
  { name: 'reason', shape: text('a reason', notEmpty('a reason')), required: true, meaning: 'Why the finding is accepted' },
  { name: 'until', shape: text('a day written yyyy-MM-dd', calendarDay), meaning: 'Last day on which the entry holds' },
];

export const ignoreShape = listOf(object(ignoreKeys, 'a mapping with code and reason'), 'a list of mappings with code and reason');
const columnsShape = mapOf(object(columnKeys, 'a mapping of column keys'), 'a mapping from target columns to their rules');

/** Keys that stand on a job or under `defaults`, beside those of a column rule. */
export const ownJobKeys: readonly Key[] = [
  { name: 'source', shape: object(sourceKeys, 'a mapping with path, query or table'), meaning: 'What is read' },
  { name: 'target', shape: object(targetKeys, 'a mapping with connection and table'), meaning: 'The table to land in' },
  {
    name: 'mode',
    shape: choice('merge', 'append', 'overwrite-partition', 'replace'),
    builtIn: 'merge with a key, else append',
    meaning: 'How rows are written',
  },
  { name: 'key', shape: columnNames('a list of column names such as [order_id]'), builtIn: '[]', meaning: 'Columns that identify a row' },
  { name: 'merge', shape: object(mergeKeys, 'a mapping of merge keys'), meaning: 'Options of mode merge' },
  { name: 'partition', shape: object(partitionKeys, 'a mapping with columns and values'), meaning: 'Options of mode overwrite-partition' },
  { name: 'replace', shape: object(guardKeys, 'a mapping of guards'), meaning: 'Options of mode replace' },
  {
    name: 'on_malformed',
    shape: choice('error', 'quarantine'),
    builtIn: 'error',
    meaning: 'What becomes of a record that cannot be read; a broken file always fails',
  },
  {
    name: 'on_extra',
    shape: choice('ignore', 'rescue', 'add_column', 'error'),
    builtIn: 'ignore',
    meaning: 'What becomes of source columns that the target lacks; `rescue` keeps them in a column _rescued',
  },
  {
    name: 'schema_changes',
    shape: listOf(choice('add_column', 'widen'), 'a list of add_column, widen'),
    builtIn: '[]',
    meaning: 'Changes of the target table that a load may make',
  },
  {
    name: 'columns',
    shape: columnsShape,
    meaning: 'Rules by target column; a path such as address.city or items[].price reaches into nested data, an exact column name wins',
  },
  { name: 'ignore', shape: ignoreShape, builtIn: '[]', meaning: 'Findings that you have decided to accept' },
];

export const jobKeys: readonly Key[] = [...ownJobKeys, ...sharedColumnKeys];

export const rootKeys: readonly Key[] = [
  {
    name: 'version',
    shape: { kind: 'number', min: 1, max: 1, integer: true, means: '1' },
    required: true,
    meaning: 'Version of this file format, always 1',
  },
  {
    name: 'connections',
    shape: mapOf(object(connectionKeys, 'a mapping with url'), 'a mapping from names to connections'),
    meaning: 'Engines by name',
  },
  { name: 'audit', shape: object(auditKeys, 'a mapping of audit keys'), meaning: 'The audit tables' },
  {
    name: 'defaults',
    shape: object(jobKeys, 'a mapping of job and column keys'),
    meaning: 'Keys that hold for every job that does not say otherwise',
  },
  {
    name: 'jobs',
    shape: mapOf(object(jobKeys, 'a mapping with source and target'), 'a mapping from names to jobs'),
    meaning: 'Jobs by name',
  },
  {
    name: 'fail_on',
    shape: choice('error', 'warning', 'never'),
    builtIn: 'error',
    meaning: 'Which findings make the exit code 1; judged before a load commits',
  },
];

export const rootShape = object(rootKeys, 'a mapping that begins with version: 1');
export { sizeOrZone as engineKeys };
