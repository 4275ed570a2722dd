/** Which line of the configuration a finding belongs to: the one that causes it, or the one that would settle it. */
import type { Job } from '../core/model/policy.ts';
import type { ConfigPlace, Finding, Outcome } from '../core/record/finding.ts';

/** The member of a JSON pointer. https://www.rfc-editor.org/rfc/rfc6901 */
export const member = (text: string): string => `/${text.replaceAll('~', '~0').replaceAll('/', '~1')}`;

/** Keys of the job that decide about a kind whatever the column. */
const jobKeys: Readonly<Record<string, readonly string[]>> = {
  malformed_record: ['/on_malformed'],
  null_key: ['/merge/on_null_key', '/key'],
  duplicate_key: ['/merge/on_duplicate_key', '/key'],
  key_not_unique: ['/key'],
  empty_source: ['/replace/allow_empty', '/partition/allow_empty', '/mode'],
  outside_partition: ['/partition/values', '/partition'],
  partition_count: ['/partition'],
  extra_column: ['/on_extra'],
  file_skipped: ['/source/path'],
  malformed_file: ['/source/path'],
  column_order: ['/source/path'],
};

/** Keys of a column or job that have brought an outcome about. */
const outcomeKeys: Partial<Readonly<Record<Outcome, readonly string[]>>> = {
  quarantined: ['/on_invalid'],
  nulled: ['/on_invalid'],
  defaulted: ['/default', '/on_invalid', '/on_missing'],
  altered: ['/on_lossy'],
  ignored: ['/on_extra'],
};

/** The line of a finding, or null when the job has no configuration file. */
export function placeOfFinding(
  job: Job,
  { name, path, outcome, fix }: Pick<Finding, 'name' | 'path' | 'outcome' | 'fix'>,
): ConfigPlace | null {
  const { origin } = job;
  if (origin?.places === undefined) return null;
  const column = path === null ? [] : [`/columns${member(path)}`];
  const keys = [...(jobKeys[name] ?? []), ...(outcomeKeys[outcome] ?? [])];
  const below = [...column.flatMap((at) => keys.map((key) => at + key)), ...keys, ...column];
  const wanted = below.flatMap((at) => [origin.pointer + at, `/defaults${at}`]);
  const exact = [...(fix?.pointer == null ? [] : [fix.pointer]), ...wanted].find((at) => origin.places?.has(at));
  return placeAt(job, exact ?? fix?.pointer ?? origin.pointer);
}

/** Where a pointer stands, or the nearest key around it; null when the job has no configuration file. */
export function placeAt({ origin }: Job, pointer: string): ConfigPlace | null {
  if (origin?.places === undefined) return null;
  let around = pointer;
  while (around !== '' && !origin.places.has(around)) around = around.slice(0, around.lastIndexOf('/'));
  return { file: origin.file, ...(origin.places.get(around) ?? { line: 1, column: 1 }) };
}
