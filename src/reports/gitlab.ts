/** GitLab's code quality report. https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format */
import type { Severity } from '../core/model/severity.ts';
import type { Finding } from '../core/record/finding.ts';
import type { RunRecord } from '../core/record/run-record.ts';
import { acceptedText, cutText, exampleLine, sentenceOf, titleOf, verdictLine } from './finding-lines.ts';
import type { Report } from './report.ts';
import { jobPlace, locationOf, type Place, sortFindings } from './summary.ts';
import { inertJson, visible } from './visible.ts';

export const gitlab: Report = {
  extension: 'json',
  mediaType: 'application/json',
  render: (record) => document([record]),
  renderAll: document,
};

interface Issue {
  readonly description: string;
  readonly check_name: string;
  readonly fingerprint: string;
  readonly severity: 'info' | 'minor' | 'major' | 'critical' | 'blocker';
  readonly location: { readonly path: string; readonly lines: { readonly begin: number } };
}

const severities: Record<Severity, Issue['severity']> = { error: 'critical', warning: 'minor', remark: 'info' };

function document(records: readonly RunRecord[]): string {
  const issues = records.flatMap((record) => [
    ...faultIssue(record),
    ...sortFindings(record.findings).map((finding) => issueOf(finding, record)),
  ]);
  return `${inertJson(JSON.stringify(apart(issues), null, 2))}\n`;
}

function issueOf(finding: Finding, record: RunRecord): Issue {
  const [first] = finding.examples;
  const parts = [
    `${titleOf(finding)} in job ${visible(cutText(record.job))}: ${sentenceOf(finding)}`,
    ...(first === undefined ? [] : [`for example ${exampleLine(first)}`]),
    ...(acceptedText(finding) === undefined ? [] : [`${acceptedText(finding)}`]),
  ];
  return {
    description: parts.join('; '),
    check_name: finding.code,
    fingerprint: finding.fingerprint,
    severity: severities[finding.severity],
    location: locationIn(locationOf(finding, record)),
  };
}

function faultIssue(record: RunRecord): Issue[] {
  const { fault } = record;
  if (fault === null) return [];
  return [
    {
      description: `${verdictLine(record)} Fix: ${visible(cutText(fault.fix, 500))}`,
      check_name: fault.code,
      fingerprint: `${record.job} ${fault.code}`,
      severity: 'blocker',
      location: locationIn(jobPlace(record)),
    },
  ];
}

/** GitLab shows paths without `./`, and wants a line: the first, where none is known. */
const locationIn = ({ file, line }: Place): Issue['location'] => ({
  path: visible(file.replace(/^\.\//, '')),
  lines: { begin: line ?? 1 },
});

/** Of equal fingerprints GitLab keeps the first issue only. Findings that differ in what became of the rows share theirs. */
function apart(issues: readonly Issue[]): Issue[] {
  const seen = new Map<string, number>();
  return issues.map((issue) => {
    const before = seen.get(issue.fingerprint) ?? 0;
    seen.set(issue.fingerprint, before + 1);
    return before === 0 ? issue : { ...issue, fingerprint: `${issue.fingerprint}-${before + 1}` };
  });
}
