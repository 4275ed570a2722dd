import { countToJson } from '../core/record/numbers.ts';
import type { RunRecord } from '../core/record/run-record.ts';
import { version } from '../version.ts';
import type { Report } from './report.ts';
import { worstExit } from './summary.ts';
import { inertJson } from './visible.ts';

/**
 * A run record as JSON by schema/run-record.schema.json: whole numbers beyond 2^53 are strings of their digits, and characters that a
 * terminal would obey are escapes.
 */
export function recordToJson(record: RunRecord, indent = 0): string {
  return toJson(record, indent);
}

/** Runs of several jobs as one document by schema/check.schema.json. */
function checkToJson(records: readonly RunRecord[]): string {
  return toJson({ schema: 'check-1', tool_version: version, exit: worstExit(records.map(({ exit }) => exit)), jobs: records }, 2);
}

function toJson(document: unknown, indent: number): string {
  return inertJson(JSON.stringify(document, (_, value: unknown) => (isNumber(value) ? countToJson(value) : value), indent));
}

const isNumber = (value: unknown): value is number | bigint => typeof value === 'number' || typeof value === 'bigint';

export const json: Report = {
  extension: 'json',
  mediaType: 'application/json',
  render: (record) => `${recordToJson(record, 2)}\n`,
  renderAll: (records) => `${checkToJson(records)}\n`,
};
