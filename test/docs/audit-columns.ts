/** What the audit tables and their columns mean, in words. A test holds this list and the tables together. */
export interface AuditTable {
  /** What one row is. */
  readonly row: string;
  readonly text: string;
  readonly columns: Readonly<Record<string, string>>;
}

const runId = 'The run, a UUID version 7: later runs sort after earlier ones';

export const auditMeanings: Readonly<Record<string, AuditTable>> = {
  runs: {
    row: 'one run',
    text:
      'Every load leaves a row: one that committed in the same transaction as its rows, one that changed nothing in a transaction of its own. `plan` and `verify` ' +
      'write nothing.',
    columns: {
      run_id: runId,
      job: 'Name of the job; for a load without configuration that of the table',
      source: 'Path, pattern, table or query that was read',
      source_fingerprint: 'sha256 over the sha256 of the files, in order; of the text, for a table or query',
      target: 'The table, with its schema',
      mode: '`merge`, `append`, `overwrite-partition` or `replace`',
      load_token: 'For an appended table or query: the `batch` of the user, or the hash of its rows; else NULL',
      plan_hash: 'Hash of the plan; empty when the run stopped before there was one',
      status: '`finished`, `failed` or `skipped`',
      rows_read: 'Records of the source, malformed ones included',
      rows_loaded: 'Rows of the source that the target holds after the run',
      rows_inserted: 'Of these, those that are new',
      rows_updated: 'Of these, those that changed a stored row',
      rows_unchanged: 'Of these, those that were there already, as they are',
      rows_quarantined: 'Records set aside',
      rows_superseded: 'Rows that another row of the same key took the place of',
      values_altered: 'Values stored otherwise than they came, by a rule: rounded, truncated, default',
      values_nulled: 'Values made NULL by `on_invalid: "null"`',
      exit: 'Exit code of the command',
      record: 'The whole [run record](record.md)',
      started_at: 'Start of the run',
      finished_at: 'End of the run',
      tool_version: 'Version of Schemalign',
    },
  },
  issues: {
    row: 'one finding of a run',
    text: 'The findings of the run record, one row each, also those of failed runs.',
    columns: {
      run_id: runId,
      issue: 'Name of the divergence, with its reason in brackets where there is one: `lossy_value (scale)`',
      detail: 'What happened, in one sentence',
      code: '[Code](divergences/README.md) such as SA201',
      column_path: 'Column or nested path; NULL when none is concerned',
      severity: '`error`, `warning` or `remark`',
      expected_type: 'What the target says: a type, a name',
      actual_type: 'What the source says',
      row_count: 'Records concerned; for some kinds keys or files, as its page says',
      examples: 'List of `{value, masked, file, record, line}`, at most `max_examples`',
      fingerprint: 'The same for the same divergence in every run: it holds no counts',
      recorded_at: 'End of the run',
    },
  },
  quarantine: {
    row: 'one record that was set aside',
    text: 'Written in the transaction of the load. Nothing is ever removed from it.',
    columns: {
      run_id: runId,
      job: 'Name of the job',
      source_file: 'Path of the file; NULL for a table or query',
      source_row: 'Number of the record in its file, from 1; the header and blank lines are no records',
      source_line: 'Physical line of the file, from 1; known for examples and malformed records, else NULL',
      issues: 'List of `{path, code, outcome, value}`: every reason, not only the first',
      raw: 'The record as text: JSON as it stands in the file; a row of any other source as a JSON object of its texts; a malformed record as it stands in the file',
      replayed_by: 'Reserved for the run that replays the record; NULL',
    },
  },
  partitions: {
    row: 'one partition that a run touched',
    text: 'Written in the modes overwrite-partition and replace. In replace the table is one partition.',
    columns: {
      run_id: runId,
      partition: '`dt=2026-09-01/region=EU`; empty for a whole table',
      rows_before: 'Rows before the run',
      rows_after: 'Rows after the run; of a run that changed nothing, what they would be',
    },
  },
  files: {
    row: 'one file of a committed run',
    text: 'For append it is the ledger: a token is stored once for each target, so the same file is not appended twice.',
    columns: {
      run_id: runId,
      target: 'The table, with its schema',
      file: 'Path of the file; for a table or query its text',
      size: 'Bytes',
      sha256: 'sha256 of the bytes, as they lie on disk',
      rows_read: 'Records read of it',
      load_token:
        'Append only: the sha256, with `#2`, `#3` for further equal files of one run, and with the run after `@` under `--force`. NULL in other modes',
    },
  },
};
