import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { cleanRecord } from '../fixtures/records.ts';
import { code, fence, table, wrapped } from './markdown.ts';

interface Schema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly $ref?: string;
  readonly items?: Schema;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: unknown;
  readonly $defs?: Readonly<Record<string, Schema>>;
}

const document = JSON.parse(readFileSync(new URL('../../schema/run-record.schema.json', import.meta.url), 'utf8')) as Schema;

/** What the schema itself leaves unsaid. */
const words: Readonly<Record<string, string>> = {
  schema: 'Version of this document.',
  tool_version: 'Version of Schemalign.',
  job: 'Name of the job; for a run without configuration that of the table.',
  'config.file': 'As seen from the working folder.',
  'config.line': 'From 1.',
  'config.column': 'From 1.',
  'place.line': 'From 1.',
  'place.column': 'From 1.',
  status: 'failed: nothing was changed. skipped: every file was loaded before.',
  columns: 'One entry for each column of the target.',
  findings: 'The worst first.',
  partitions: 'Touched partitions, in overwrite-partition and replace.',
  schema_changes: "Changes of the target's schema, with what made them necessary.",
  plan_hash: 'Hash of the plan; empty when there was none.',
  fault: 'Why the run was refused, when it was: code, message, fix.',
  started_at: 'UTC.',
  finished_at: 'UTC.',
  phases: 'Parts of the run with their milliseconds.',
  'source.description': 'Path, pattern, table or query.',
  'source.fingerprint': 'sha256 over the sha256 of the files, in order; of the text, for a table or query.',
  'source.files': 'Every file, also those that were skipped. For a table or query one entry with its text as path.',
  'target.engine': 'duckdb.',
  'target.url': 'Address, free of secrets.',
  'target.table': 'With its schema.',
  'target.version_before': 'State of the target before the run; on DuckDB `rows=N`.',
  'target.version_after': 'State of the target after a committed load.',
  'evidence.rows': 'Records that were judged.',
  'evidence.sampled': 'Whether there were more.',
  counts: 'What became of the rows.',
  'schema_changes[].ddl': 'The statement.',
  'schema_changes[].because': 'Codes and columns of the findings that it settles.',
  'verify.ok': 'Whether every check passed.',
  'verify.checks': 'What was checked.',
  'fault.code': 'See [faults](faults.md).',
  'fault.message': 'Begins with the code in brackets.',
  'fault.fix': 'What to do.',
  'phases[].name': 'examine, compare, stage, locate, load, verify.',
  'finding.files': 'Files of the source that are concerned.',
  'finding.outcome': 'What became of the rows or values.',
  'finding.fix': 'The line of configuration that would settle it; null when none does.',
  'finding.fix.yaml': 'The line. Words in capitals stand for names that only you know.',
  'finding.ignored': 'The entry under `ignore` that accepts the finding.',
  'finding.ignored.reason': 'Why it is accepted.',
  'finding.examples': 'At most `max_examples`.',
  'example.masked': 'Whether `mask` has changed the value.',
  'example.file': 'Path of the file; null for a table or query.',
  'file.path': 'As found from the working folder.',
  'file.sha256': 'Of the bytes as they lie on disk.',
  'column.path': 'Name in the target.',
  'column.source': 'Name in the source; null when it is absent there.',
  'column.source_type': 'string for CSV, json for JSON, the type of Parquet, tables and queries; null when absent.',
  'column.target_type': 'Type in the target.',
  'column.rule': 'How the value is turned into the type.',
  'column.ok': 'Records whose value fits as it is.',
  'column.invalid': 'Records whose value is refused, for other reasons than loss.',
  'column.lossy': 'Records whose value would lose something.',
  'column.nulled': 'Values made NULL by `on_invalid: null`.',
  'column.defaulted': 'Values that the default took the place of.',
  'column.altered': 'Values rounded or truncated by a rule.',
  'partition.values': 'Partition columns and their values; empty for a whole table.',
  'partition.before': 'Rows before the run.',
  'partition.after': 'Rows after it.',
  'check.name': 'What was checked.',
  'check.path': 'Column; null for the table as a whole.',
  'check.expected': 'What follows from the source and the rules.',
  'check.actual': 'What the target holds.',
  'check.ok': 'Whether they are equal.',
  'counts.inserted': 'Of the loaded rows, those that are new.',
  'counts.updated': 'Of the loaded rows, those that changed a stored row.',
  'counts.unchanged': 'Of the loaded rows, those that were there already, as they are.',
};

const refName = (ref: string): string => ref.replace('#/$defs/', '');

function typeOf(schema: Schema): string {
  if (schema.$ref !== undefined) return refName(schema.$ref);
  if (schema.const !== undefined) return code(JSON.stringify(schema.const));
  if (schema.enum !== undefined) return schema.enum.map((value) => code(String(value))).join(', ');
  if (schema.anyOf !== undefined) return [...new Set(schema.anyOf.map(typeOf))].join(' or ');
  if (schema.type === 'array') return `list of ${schema.items === undefined ? 'anything' : typeOf(schema.items)}`;
  return Array.isArray(schema.type) ? schema.type.join(' or ') : String(schema.type ?? 'anything');
}

/** An object, or the object that a nullable field or the items of a list are. */
function objectIn(schema: Schema): Schema | undefined {
  if (schema.properties !== undefined) return schema;
  return [...(schema.items === undefined ? [] : [schema.items]), ...(schema.anyOf ?? [])].find((part) => part.properties !== undefined);
}

function rowsOf(schema: Schema, prefix: string): readonly (readonly string[])[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const path = `${prefix}${name}`;
    const inner = objectIn(field);
    const nested = inner === undefined ? [] : rowsOf(inner, `${path}${field.type === 'array' ? '[]' : ''}.`);
    const optional = schema.required?.includes(name) === true ? '' : 'Optional. ';
    return [[code(path), typeOf(field), `${optional}${field.description ?? words[path] ?? ''}`], ...nested];
  });
}

function recordReference(): string {
  const parts = Object.entries(document.$defs ?? {}).map(([name, schema]) => {
    const rows = rowsOf(schema, '').map(([path = '', ...rest]) => [path, ...rest]);
    const named = rows.map(([path = '', type = '', text = '']) => [
      path,
      type,
      text === '' ? (words[`${name}.${path.replaceAll('`', '')}`] ?? '') : text,
    ]);
    const body = rows.length === 0 ? [] : [table(['field', 'type', 'meaning'], named)];
    return [`## ${name}`, ...(schema.description === undefined ? [] : [wrapped(schema.description)]), ...body].join('\n\n');
  });
  return `${[
    '# The run record',
    '<!-- Generated from schema/run-record.schema.json by test/docs/record.test.ts. -->',
    wrapped(
      'What a run leaves behind: one JSON document. `--json` prints it, `--report json=FILE` writes it, the column `record` of `audit_schema_runs` keeps it, and every ' +
        'report is made from it. Its JSON Schema is `schema/run-record.schema.json`. Minor versions only add fields, so readers must allow keys that they do not know.',
    ),
    wrapped(
      'For every committed run read = loaded + quarantined + superseded. A record with several faults is quarantined once, and each fault is a finding.',
    ),
    table(['field', 'type', 'meaning'], rowsOf(document, '')),
    ...parts,
    '## Example',
    fence('json', JSON.stringify(cleanRecord(), null, 2)),
  ].join('\n\n')}\n`;
}

test('every field has a meaning', () => {
  expect(recordReference()).not.toMatch(/\| {2}\|$/m);
});

test('docs/reference/record.md says what the JSON Schema says', async () => {
  await expect(recordReference()).toMatchFileSnapshot('../../docs/reference/record.md');
});
