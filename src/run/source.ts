/** Reads what can be known of a source before the engine reads it: which files, their bytes, and whether they were loaded before. */
import { createHash } from 'node:crypto';
import { redactUrl } from '../config/redact.ts';
import { Fault } from '../core/fault.ts';
import type { Job } from '../core/model/policy.ts';
import type { Schema } from '../core/model/schema.ts';
import { examineFile } from '../sources/examine.ts';
import { findFiles } from '../sources/find-files.ts';
import type { SourceFile } from '../sources/source-file.ts';
import { expiredDrafts } from './ignore.ts';
import type { Run } from './run.ts';
import { type Stamp, stampFile } from './steady.ts';
import type { SourceInput } from './engine.ts';
import type { Draft } from './draft.ts';

export interface ListedFile {
  readonly file: SourceFile;
  /** The run that loaded it before, when it is left out now. */
  readonly skippedBy: string | null;
  readonly token: string | null;
}

export interface SourceRead {
  /** What is staged: files that an earlier run has loaded are not among these. */
  readonly input: SourceInput;
  readonly listed: readonly ListedFile[];
  readonly stamps: readonly Stamp[];
  readonly description: string;
  /** sha256 over the sha256 of the files, in order. */
  readonly fingerprint: string;
  /** Load token of the run as a whole, for a table or query. */
  readonly token: string | null;
  /** The run that appended the same table or query before. */
  readonly skippedBy?: string;
}

export async function readSource(run: Run, target: Schema | null): Promise<SourceRead> {
  const { job, options } = run;
  const { source } = job;
  if (source.kind === 'query') {
    const text = source.table ?? source.query ?? '';
    const fingerprint = createHash('sha256').update(text).digest('hex');
    return {
      input: { files: [], spec: source },
      listed: [],
      stamps: [],
      description: redactUrl(text),
      fingerprint,
      token: source.batch ?? null,
    };
  }
  const found = await findFiles(source);
  const files: SourceFile[] = [];
  const stamps: Stamp[] = [];
  const names = target === null ? [] : target.columns.flatMap((column) => [column.name, ...(job.columns.get(column.name)?.from ?? [])]);
  for (const one of found) {
    options.onProgress?.({ phase: 'examine', rows: files.length, total: found.length });
    stamps.push(await stampFile(one));
    files.push(
      await examineFile(one, source, {
        ...(names.length > 0 ? { targetNames: names } : {}),
        ...(options.signal ? { signal: options.signal } : {}),
      }),
    );
  }
  const digest = createHash('sha256');
  for (const file of files) digest.update(file.sha256);
  return {
    input: { files, spec: source },
    listed: files.map((file) => ({ file, skippedBy: null, token: null })),
    stamps,
    description: source.path,
    fingerprint: digest.digest('hex'),
    token: null,
  };
}

/** Formats must not be mixed: each has its own way of saying what a column is. */
export function checkSource(_job: Job, read: SourceRead): void {
  const formats = [...new Set(read.input.files.map((file) => (file.format === 'ndjson' ? 'json' : file.format)))];
  if (formats.length > 1) {
    throw new Fault('SOURCE_FORMAT', `${read.description} holds files of several formats: ${formats.join(', ')}`, {
      fix: 'Name one kind of file in the path, or a format.',
    });
  }
}

/**
 * What can be said before a row is read: files that cannot be read to their end, those that an earlier run has loaded, and entries under
 * `ignore` that hold no longer.
 */
export function sourceDrafts({ job, startedAt }: Run, read: SourceRead): readonly Draft[] {
  return [...damageDrafts(read), ...skippedDrafts(read), ...expiredDrafts(job, startedAt.toISOString().slice(0, 10))];
}

function skippedDrafts({ listed }: SourceRead): readonly Draft[] {
  const skipped = listed.filter((entry) => entry.skippedBy !== null);
  if (skipped.length === 0) return [];
  const runs = [...new Set(skipped.map((entry) => entry.skippedBy))];
  const by = runs.length === 1 ? `run ${runs[0]}` : `${runs.length} earlier runs`;
  return [
    {
      name: 'file_skipped',
      severity: 'remark',
      path: null,
      count: skipped.length,
      outcome: 'ignored',
      consequence: `loaded before by ${by}, and skipped now`,
      examples: skipped.slice(0, 5).map(({ file }) => ({ value: null, masked: false, file: file.path, record: null, line: null })),
    },
  ];
}

/** Files that cannot be read to their end fail the run whatever the policies say. */
function damageDrafts(read: SourceRead): readonly Draft[] {
  return read.input.files.flatMap((file, position): Draft[] =>
    file.damage === undefined
      ? []
      : [
          {
            name: 'malformed_file',
            reason: file.damage.reason,
            severity: 'error',
            path: null,
            count: 1,
            files: [position],
            outcome: 'failed',
            consequence: `the file is not whole, so nothing of it is loaded: ${file.damage.message} (at byte ${file.damage.offset})`,
            examples: [{ value: null, masked: false, file: file.path, record: null, line: null }],
          },
        ],
  );
}

/** Load tokens of the files as the record lists them; only append has them. */
export function tokensOf(read: SourceRead): readonly (string | null)[] {
  return read.input.spec.kind === 'query' ? [read.token] : read.listed.map((entry) => entry.token);
}
