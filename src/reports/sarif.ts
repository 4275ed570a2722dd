/** SARIF 2.1.0, as code scanning reads it: the finding at its line of configuration, the examples in the data beside it. */
import type { Log, Notification, ReportingDescriptor, Result, Run } from 'sarif';
import { kindByCode } from '../core/divergences/catalogue.ts';
import type { Severity } from '../core/model/severity.ts';
import type { Finding } from '../core/record/finding.ts';
import { countToJson } from '../core/record/numbers.ts';
import type { RunRecord } from '../core/record/run-record.ts';
import { version } from '../version.ts';
import { cutText, exampleLine, sentenceOf, titleOf, verdictLine } from './finding-lines.ts';
import { explainUrl } from './links.ts';
import type { Report } from './report.ts';
import { physicalLocation, sarifText } from './sarif-text.ts';
import { jobPlace, locationOf, sortFindings } from './summary.ts';
import { inertJson } from './visible.ts';

export const sarif: Report = {
  extension: 'sarif',
  mediaType: 'application/sarif+json',
  render: (record) => document([record]),
  renderAll: document,
};

const schema = 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json';
const levels = { error: 'error', warning: 'warning', remark: 'note' } as const satisfies Record<Severity, Result.level>;

/** One run of the tool over all jobs: code scanning takes one run for each upload and tool. */
function document(records: readonly RunRecord[]): string {
  const found = records.flatMap((record) => sortFindings(record.findings).map((finding) => ({ finding, record })));
  const codes = [...new Set(found.map(({ finding }) => finding.code))].sort();
  const run: Run = {
    tool: { driver: { name: 'Schemalign', semanticVersion: version, informationUri: explainUrl('README'), rules: codes.map(ruleOf) } },
    columnKind: 'unicodeCodePoints',
    invocations: [
      {
        executionSuccessful: records.every(({ fault }) => fault === null),
        toolExecutionNotifications: records.flatMap(notificationsOf),
        properties: { jobs: records.map(jobOf) },
      },
    ],
    results: found.map(({ finding, record }) => resultOf(finding, record, codes.indexOf(finding.code))),
  };
  const log: Log = { $schema: schema, version: '2.1.0', runs: [run] };
  return `${inertJson(JSON.stringify(log, null, 2))}\n`;
}

/** What the catalogue says of a code. A code of a later version has no page here, but its name. */
function ruleOf(code: string): ReportingDescriptor {
  const kind = kindByCode(code);
  if (kind === undefined) return { id: code };
  return {
    id: code,
    name: pascal(kind.name),
    shortDescription: { text: sarifText(`${kind.title}.`) },
    fullDescription: { text: sarifText(kind.summary) },
    help: { text: sarifText([kind.why, kind.consequence, kind.fix].join('\n\n')) },
    helpUri: explainUrl(code),
    properties: { tags: ['data'], precision: 'very-high' },
  };
}

const pascal = (name: string): string => name.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());

function resultOf(finding: Finding, record: RunRecord, ruleIndex: number): Result {
  const related = finding.examples.filter(({ file }) => file !== null);
  const { fix, ignored } = finding;
  return {
    ruleId: finding.code,
    ruleIndex,
    level: levels[finding.severity],
    message: { text: sarifText(`${titleOf(finding)} in job ${cutText(record.job)}: ${sentenceOf(finding)}`) },
    locations: [
      {
        physicalLocation: physicalLocation(locationOf(finding, record)),
        ...(finding.path === null ? {} : { logicalLocations: [{ fullyQualifiedName: finding.path, kind: 'member' }] }),
      },
    ],
    ...(related.length === 0
      ? {}
      : {
          relatedLocations: related.map((example, id) => ({
            id,
            message: { text: sarifText(exampleLine(example)) },
            physicalLocation: physicalLocation({ file: example.file ?? '', line: example.line, column: null }),
          })),
        }),
    partialFingerprints: { 'schemalignFinding/v1': finding.fingerprint },
    ...(ignored === null ? {} : { suppressions: [{ kind: 'external', status: 'accepted', justification: cutText(ignored.reason, 1000) }] }),
    properties: {
      job: record.job,
      outcome: finding.outcome,
      count: countToJson(finding.count),
      ...(finding.share === null ? {} : { share: finding.share }),
      ...(fix === null ? {} : { fix: fix.yaml, ...(fix.pointer === null ? {} : { fixPointer: fix.pointer }) }),
      ...(ignored?.until == null ? {} : { ignoredUntil: ignored.until }),
    },
  };
}

/** Faults are no results: the tool could not do its work. */
function notificationsOf(record: RunRecord): Notification[] {
  const { fault } = record;
  if (fault === null) return [];
  return [
    {
      level: 'error',
      descriptor: { id: fault.code },
      message: { text: sarifText(`${verdictLine(record)} Fix: ${cutText(fault.fix, 500)}`) },
      locations: [{ physicalLocation: physicalLocation(jobPlace(record)) }],
    },
  ];
}

const jobOf = ({ job, run_id, verb, status, exit, counts }: RunRecord) => ({
  job,
  run_id,
  verb,
  status,
  exit,
  read: countToJson(counts.read),
});
