/** Holds what a run did against what must be true of it, and against what must be true of every run. */
import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import type { Finding } from '../../src/core/record/finding.ts';
import type { RunRecord } from '../../src/core/record/run-record.ts';
import type { Attempt, Expected, ExpectedFinding } from './attempt.ts';
import type { FaultDocument, Outcome } from './stand.ts';

export function judge(attempt: Attempt, outcome: Outcome): void {
  const { expect: expected } = attempt;
  expect(outcome.exit, whatCame(outcome)).toBe(expected.exit);
  if (expected.fault !== undefined) judgeFault(expected, outcome);
  for (const finding of expected.findings ?? []) judgeFinding(finding, expected, outcome);
  judgeTables(expected, outcome);
  if (expected.failedRun) expect(outcome.runs).toEqual([{ status: 'failed', exit: expected.exit }]);
  judgeManners(outcome);
  judgeSecrets(expected, outcome);
  expect(outcome.made, 'files made').toEqual(expected.makes ?? []);
  expect(outcome.leftovers, 'temporary files left').toEqual([]);
}

const isFault = (document: Outcome['document']): document is FaultDocument => document?.schema === 'fault-1';
const findingsOf = (document: Outcome['document']): readonly Finding[] =>
  document?.schema === 'run-1' ? (document as RunRecord).findings : [];

/** Enough to see from a failed test what came instead. */
function whatCame({ exit, err, document }: Outcome): string {
  const findings = findingsOf(document).map(
    ({ severity, name, reason, path, count, examples: [first], consequence }) =>
      `${severity} ${name} ${reason} ${path} x${count} ${first?.file}:${first?.line} ${String(first?.value).slice(0, 80)} | ${consequence}`,
  );
  return [`exit ${exit}`, err.trim(), ...findings].join('\n');
}

function judgeFault({ fault, file, line, column, says, fix }: Expected, outcome: Outcome): void {
  const { document, err } = outcome;
  const found = (isFault(document) ? document : { code: 'none', message: '', fix: '', place: null }) as FaultDocument;
  expect(found.code, whatCame(outcome)).toBe(fault);
  if (file !== undefined) expect(found.place?.file ?? found.message, 'file').toContain(file);
  if (line !== undefined) expect(found.place?.line, 'line').toBe(line);
  if (column !== undefined) expect(found.place?.column, 'column').toBe(column);
  if (says !== undefined) expect(found.message).toMatch(says);
  expect(found.fix, 'advice').toMatch(fix ?? /\S+ \S+/);
  // The text for people says the same.
  expect(err).toContain(`error[${fault}]: `);
  expect(err).toMatch(/^ {2}fix: \S/m);
}

function judgeFinding(wanted: ExpectedFinding, { says, fix }: Expected, outcome: Outcome): void {
  const found = findingsOf(outcome.document).filter((finding) => fits(finding, wanted));
  expect(found.length, `${JSON.stringify(wanted)} among: ${whatCame(outcome)}`).toBeGreaterThan(0);
  const [first] = found as [Finding];
  if (says !== undefined) expect(found.map((finding) => finding.consequence).join('\n')).toMatch(says);
  if (fix !== undefined) expect(`${first.fix?.yaml ?? ''} ${first.consequence}`, 'advice').toMatch(fix);
  expect(first.consequence, 'consequence').toMatch(/\w+ \w+/);
}

function fits(finding: Finding, { file, line, value, ...plain }: ExpectedFinding): boolean {
  const same = Object.entries(plain).every(([key, wanted]) => finding[key as keyof Finding] === wanted);
  const place = (example: Finding['examples'][number]): boolean =>
    (file === undefined || example.file === file) &&
    (line === undefined || example.line === line) &&
    (value === undefined || example.value === value);
  const placeless = line === undefined && value === undefined && (file === undefined || finding.files.includes(file));
  return same && (placeless || finding.examples.some(place));
}

/** The target and the canary are as before; only where rows are expected may the target have changed. */
function judgeTables({ rows, exit }: Expected, { before, after, rows: found, runs, document }: Outcome): void {
  if (rows === undefined) expect(after, 'tables').toEqual(before);
  else {
    expect(found).toEqual(rows.are);
    expect(after['main.canary'], 'canary').toBe(before['main.canary']);
  }
  const record = document?.schema === 'run-1' ? (document as RunRecord) : undefined;
  if (record === undefined || record.verb !== 'load') return;
  // The record and the audit row agree with what the process said.
  expect(record.exit).toBe(exit);
  expect(runs.at(-1)).toEqual({ status: record.status, exit: record.exit });
  if (exit !== 0) expect({ status: record.status, committed: record.committed }).toEqual({ status: 'failed', committed: false });
}

/** Controls, marks that turn the direction of text, characters without width: what a terminal or an editor would obey or hide. */
const obeyed = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/u;
const stack = /^\s+at .+(?:\(.+:\d+:\d+\)|node:\S+|\.[jt]s:\d+:\d+)$|node_modules|\[object Object\]|\bundefined\b/m;

/** What holds for every run, whatever came in. */
function judgeManners({ exit, out, err, reports, ms }: Outcome): void {
  expect(exit, 'a bug of ours').not.toBe(70);
  expect(ms, 'it did not hang').toBeLessThan(15_000);
  for (const [where, text] of Object.entries({ out, err, ...reports })) {
    expect(obeyed.exec(text), `${where} holds a character that a terminal obeys`).toBeNull();
    if (where !== 'run.html') expect(stack.exec(text)?.[0], `${where} holds a stack trace`).toBeUndefined();
  }
}

function judgeSecrets({ secrets = [], makes = [] }: Expected, { out, err, reports, audit }: Outcome): void {
  const places = { out, err, audit, ...reports, ...Object.fromEntries(makes.map((path) => [path, readFileSync(path, 'utf8')])) };
  for (const secret of secrets) {
    for (const [where, text] of Object.entries(places)) expect(text.includes(secret), `${where} holds the secret ${secret}`).toBe(false);
  }
}
