/** JUnit XML, as CI systems read it: a suite per run, a case for the run itself, for each finding and for each column that has none. */
import type { Finding } from '../core/record/finding.ts';
import type { RunRecord } from '../core/record/run-record.ts';
import { acceptedText, cutText, detailLines, sentenceOf, titleOf, verdictLine } from './finding-lines.ts';
import type { Report } from './report.ts';
import { figuresOf, isFailing, locationOf, pathText, sortFindings, subjectOf } from './summary.ts';
import { element, textElement, xmlDeclaration } from './xml.ts';

export const junit: Report = {
  extension: 'xml',
  mediaType: 'application/xml',
  render: (record) => document([record]),
  renderAll: document,
};

type Outcome = 'passed' | 'failure' | 'error' | 'skipped';

interface Case {
  readonly outcome: Outcome;
  readonly xml: string;
}

interface Suite {
  readonly xml: string;
  readonly tally: Tally;
}

/** The counts that JUnit wants as attributes. */
interface Tally {
  readonly tests: number;
  readonly failures: number;
  readonly errors: number;
  readonly skipped: number;
  /** Seconds. */
  readonly time: number;
}

function document(records: readonly RunRecord[]): string {
  const suites = records.map(suiteOf);
  const sum = (key: keyof Tally): number => suites.reduce((total, { tally }) => total + tally[key], 0);
  const tally = { tests: sum('tests'), failures: sum('failures'), errors: sum('errors'), skipped: sum('skipped'), time: sum('time') };
  const root = element(
    'testsuites',
    { name: 'schemalign', ...written(tally) },
    suites.map(({ xml }) => xml),
  );
  return `${xmlDeclaration}\n${root}\n`;
}

const written = (tally: Tally): Record<keyof Tally, string> => ({
  tests: String(tally.tests),
  failures: String(tally.failures),
  errors: String(tally.errors),
  skipped: String(tally.skipped),
  time: seconds(tally.time),
});

const seconds = (time: number): string => time.toFixed(3);

function suiteOf(record: RunRecord): Suite {
  const time = record.phases.reduce((sum, { ms }) => sum + ms, 0) / 1000;
  const cases = [
    runCase(record, time),
    ...sortFindings(record.findings).map((finding) => findingCase(finding, record)),
    ...fitting(record),
  ];
  const count = (outcome: Outcome): number => cases.filter((one) => one.outcome === outcome).length;
  const tally = { tests: cases.length, failures: count('failure'), errors: count('error'), skipped: count('skipped'), time };
  const attributes = { name: record.job, ...written(tally), timestamp: record.started_at.slice(0, 19) };
  return { tally, xml: element('testsuite', attributes, [properties(record), ...cases.map(({ xml }) => xml)]) };
}

/** What the run was, and the six numbers. */
function properties(record: RunRecord): string {
  const facts: readonly (readonly [string, string])[] = [
    ['run_id', record.run_id],
    ['verb', record.verb],
    ['mode', record.mode],
    ['source', record.source.description],
    ['target', record.target.table],
    ...figuresOf(record).map(({ label, count }) => [label, String(count)] as const),
  ];
  return element(
    'properties',
    {},
    facts.map(([name, value]) => element('property', { name, value: cutText(value) })),
  );
}

/** The run itself: an error when a fault has stopped it, a failure when it failed for nothing that a finding tells. */
function runCase(record: RunRecord, time: number): Case {
  const attributes = { classname: record.job, name: record.verb, time: seconds(time) };
  const { fault } = record;
  if (fault !== null) {
    const error = textElement('error', { type: fault.code, message: cutText(verdictLine(record), 500) }, [
      ...fault.message.split('\n'),
      `fix: ${fault.fix}`,
    ]);
    return { outcome: 'error', xml: element('testcase', attributes, [error]) };
  }
  const untold = record.exit !== 0 && !record.findings.some((finding) => isFailing(finding, record));
  const children = untold ? [element('failure', { type: 'exit', message: verdictLine(record) })] : [];
  return { outcome: untold ? 'failure' : 'passed', xml: element('testcase', attributes, children) };
}

/** What became of the rows tells findings of one kind and column apart. Ignored values are no ignored findings. */
const outcomes: Partial<Record<Finding['outcome'], string>> = { none: '', ignored: ', not loaded' };

function findingCase(finding: Finding, record: RunRecord): Case {
  const { file, line } = locationOf(finding, record);
  const outcome = outcomes[finding.outcome] ?? `, ${finding.outcome}`;
  const attributes = {
    classname: classOf(record, finding.path === null ? null : subjectOf(finding)),
    name: `${titleOf(finding)}${outcome}`,
    time: seconds(0),
    file,
    line: line ?? undefined,
  };
  const accepted = acceptedText(finding);
  if (accepted !== undefined)
    return { outcome: 'skipped', xml: element('testcase', attributes, [element('skipped', { message: accepted })]) };
  if (!isFailing(finding, record)) {
    return { outcome: 'passed', xml: element('testcase', attributes, [textElement('system-out', {}, told(finding))]) };
  }
  const failure = textElement('failure', { type: `${finding.code} ${finding.name}`, message: sentenceOf(finding) }, detailLines(finding));
  return { outcome: 'failure', xml: element('testcase', attributes, [failure]) };
}

const told = (finding: Finding): string[] => {
  const [sentence = '', ...rest] = detailLines(finding);
  return [`${finding.severity}: ${sentence}`, ...rest];
};

/** Columns of which nothing is said. */
function fitting(record: RunRecord): Case[] {
  const found = new Set(record.findings.map(({ path }) => path));
  return record.columns
    .filter(({ path }) => !found.has(path))
    .map(({ path }) => ({
      outcome: 'passed',
      xml: element('testcase', { classname: classOf(record, path), name: 'fits', time: seconds(0) }),
    }));
}

const classOf = ({ job }: RunRecord, subject: string | null): string => (subject === null ? job : `${job}.${cutText(pathText(subject))}`);
