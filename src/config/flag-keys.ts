/** The flags of a job: every key of a job, of a column rule and of the audit, in the order in which help shows them. */
import { sharedColumnKeys } from './column-keys.ts';
import { auditKeys, engineKeys, ignoreShape, mergeKeys, ownJobKeys, partitionKeys, rootKeys, sourceKeys, targetKeys } from './file-keys.ts';
import type { Key, Shape } from './shape.ts';

export interface FlagKey {
  /** Without the dashes in front. */
  readonly flag: string;
  /** Path into the flags: `job.source.path`, `audit.schema`. */
  readonly path: readonly string[];
  readonly key: Key;
  readonly group: string;
}

const dashed = (name: string): string => name.replaceAll('_', '-');

/** Keys that are called otherwise on the command line, where their own name is taken or says too little. */
const renamed: Readonly<Record<string, string>> = {
  'job.source.table': 'source-table',
  'job.partition.columns': 'partition-columns',
  'job.partition.values': 'partition-values',
  'audit.schema': 'audit-schema',
  'audit.prefix': 'audit-prefix',
};

/** Keys without a flag: operands stand for them, or another flag does. */
const withoutFlag = new Set([
  'job.source.path',
  'job.target.connection',
  'job.source',
  'job.target',
  'job.merge',
  'job.partition',
  'job.replace',
  'job.columns',
  'job.replace.max_shrink',
  'job.replace.allow_empty',
]);

function flagsOf(keys: readonly Key[], parent: readonly string[], group: string): readonly FlagKey[] {
  return keys.flatMap((key) => {
    const path = [...parent, key.name];
    const name = path.join('.');
    return withoutFlag.has(name) ? [] : [{ flag: renamed[name] ?? dashed(key.name), path, key, group }];
  });
}

export const flagKeys: readonly FlagKey[] = [
  ...flagsOf(targetKeys, ['job', 'target'], 'Target'),
  ...flagsOf(engineKeys, ['engine'], 'Target'),
  ...flagsOf(sourceKeys, ['job', 'source'], 'Source'),
  ...flagsOf(ownJobKeys, ['job'], 'Loading'),
  ...flagsOf(mergeKeys, ['job', 'merge'], 'Loading'),
  ...flagsOf(partitionKeys, ['job', 'partition'], 'Loading'),
  ...flagsOf(sharedColumnKeys, ['job'], 'Values (for every column without a rule of its own)'),
  ...flagsOf(auditKeys, ['audit'], 'Audit and exit code'),
  ...flagsOf(
    rootKeys.filter((key) => key.name === 'fail_on'),
    ['root'],
    'Audit and exit code',
  ),
];

/** The word that stands for the value in help. */
export function placeholder(shape: Shape): string {
  if (shape.kind === 'choice') return shape.values.join('|');
  if (shape.kind === 'number') return 'N';
  return shape === ignoreShape ? 'YAML' : shape.kind === 'text' ? 'TEXT' : 'LIST';
}
