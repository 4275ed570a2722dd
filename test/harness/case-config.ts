/** The configuration of a case: the mapping of CONVENTIONS.md, "Fields". */
import type { CaseSpec } from './case-file.ts';
import type { PlainValue } from './case-value.ts';

export const JOB = 'case';

/** Options of a case that describe the file; every other option is a key of the job. */
const sourceOptions = new Set(['header', 'delimiter', 'compression', 'quote', 'encoding']);

/** The document of `schemalign.yaml`, plain data. Relative source paths start from the file's folder. */
export function caseConfig(spec: CaseSpec, connection: Readonly<Record<string, string>>, schema?: string): Record<string, unknown> {
  const { source, target, environment } = spec;
  const zone = environment?.engine_session_timezone;
  const options = Object.entries(source.options ?? {});
  const optionsOf = (ofSource: boolean) => Object.fromEntries(options.filter(([name]) => sourceOptions.has(name) === ofSource));
  return {
    version: 1,
    connections: { target: { ...connection, ...(zone === undefined ? {} : { session_timezone: zone }) } },
    audit: { max_examples: 100, ...(schema === undefined ? {} : { schema }) },
    jobs: {
      [JOB]: given({
        source: given({ path: source.file ?? pathOf(source.files), format: source.format, ...optionsOf(true) }),
        target: { connection: 'target', table: `${schema === undefined ? '' : `${schema}.`}${tableName(target.table)}` },
        mode: spec.mode,
        key: target.key,
        partition: target.partition,
        merge: spec.merge,
        replace: spec.replace,
        ...optionsOf(false),
        columns: columnRules(spec.rules ?? []),
      }),
    },
  };
}

/** A list of files as one pattern: `{a.csv,b.csv}`. Signs of patterns in their names are made ordinary. */
function pathOf(files: CaseSpec['source']['files']): string | undefined {
  if (files === undefined || typeof files === 'string') return files;
  const names = files.map((name) => name.replace(/[\\*?[\]{},]/g, '\\$&'));
  return names.length === 1 ? files[0] : `{${names.join(',')}}`;
}

/** A case writes the bare name of a table; in the configuration parts with other signs stand in double quotes. */
function tableName(table: string): string {
  const quoted = (part: string) => (/^[\p{L}\p{N}_ ]+$/u.test(part) ? part : `"${part.replaceAll('"', '""')}"`);
  return table.split('.').map(quoted).join('.');
}

function columnRules(rules: NonNullable<CaseSpec['rules']>): Record<string, unknown> | undefined {
  if (rules.length === 0) return undefined;
  // No prototype: `__proto__` is an ordinary column name.
  const byColumn: Record<string, Record<string, PlainValue>> = Object.create(null);
  for (const { column, ...rule } of rules) byColumn[column] = { ...byColumn[column], ...rule };
  return byColumn;
}

function given(entries: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(entries).filter(([, value]) => value !== undefined && value !== null));
}
