/** The conformance suite of the coercion law, for any engine: one query per source form, target type, rule and session zone. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PlainValue } from '../harness/case-value.ts';
import { type Group, type Question, questionKey, type Row } from './corpus.ts';
import { caseTypeOf, expectedVerdict, givenVerdict, type Outcome, type Verdict } from './verdict.ts';

/** Rows that one query answers. */
export interface Batch extends Question {
  readonly rows: readonly Row[];
}

/** Values to run through one coercion. */
export interface Asked extends Question {
  readonly rows: readonly Pick<Row, 'given'>[];
}

/** An engine under a session time zone. */
export interface Running {
  /** Runs one query; the outcomes are in the order of the rows. */
  evaluate(asked: Asked): Promise<readonly Outcome[]>;
  stop(): Promise<void>;
}

/** An engine that can also say what its own cast makes of the rows. */
export interface ComparedRunning extends Running {
  /** What stands for that cast, in a few words of Markdown. */
  readonly cast: string;
  /** The values of its cast; NULL where it refuses, undefined when it has no such cast at all. */
  plain(asked: Asked): Promise<readonly (PlainValue | undefined)[]>;
  version(): Promise<string>;
}

/** A row that an engine cannot answer rightly yet. When it does, the suite fails, so that the entry is taken out. */
export interface Exception {
  readonly reason: string;
  /** The version or event after which the row is expected to pass. */
  readonly until: string;
}

export interface Harness<R extends Running = Running> {
  readonly name: string;
  readonly start: (zone: string) => Promise<R>;
  /** By row id. */
  readonly exceptions: Readonly<Record<string, Exception>>;
}

/** Session zones that must not change a result: one west of UTC with daylight saving, one east with odd minutes. */
const sessionZones = ['UTC', 'America/New_York', 'Asia/Kathmandu'] as const;

/** Groups that ask the same question, as one batch. */
export function batchesOf(groups: readonly Group[]): readonly (Batch & { readonly name: string })[] {
  const byQuestion = new Map<string, Group[]>();
  for (const group of groups) byQuestion.set(questionKey(group), [...(byQuestion.get(questionKey(group)) ?? []), group]);
  return [...byQuestion.values()].map((asked) => {
    const [first] = asked as [Group];
    const { target, from, to, rule, paths } = first;
    return {
      name: `${target}: ${asked.map(({ name }) => name).join('; ')}`,
      from,
      to,
      rule,
      paths,
      rows: asked.flatMap(({ rows }) => rows),
    };
  });
}

/** Rows with a verdict other than the law's, exceptions aside; and exceptions that have passed. */
export function differences(batch: Batch, outcomes: readonly Outcome[], exceptions: Harness['exceptions']): readonly string[] {
  const type = caseTypeOf(batch.to);
  return batch.rows.flatMap((row, i) => {
    const outcome = outcomes[i];
    const given: Verdict = outcome === undefined ? 'no answer' : givenVerdict(type, outcome);
    const wanted = expectedVerdict(type, row.expected);
    const exception = exceptions[row.id];
    if (exception !== undefined) return given === wanted ? [`${row.id}: has passed; its exception (${exception.reason}) must go`] : [];
    return given === wanted ? [] : [`${JSON.stringify(row.id)}\n  law    ${wanted}\n  engine ${given}`];
  });
}

/** Declares the tests of one engine. */
export function conformance(harness: Harness, groups: readonly Group[]): void {
  describe(harness.name, () => {
    const running = new Map<string, Running>();
    beforeAll(async () => {
      for (const zone of sessionZones) running.set(zone, await harness.start(zone));
    });
    afterAll(async () => {
      for (const engine of running.values()) await engine.stop();
    });

    test.each(batchesOf(groups).map((batch) => [batch.name, batch] as const))('%s', async (_, batch) => {
      for (const zone of sessionZones) {
        const outcomes = await running.get(zone)?.evaluate(batch);
        expect(differences(batch, outcomes ?? [], harness.exceptions).join('\n'), `session zone ${zone}`).toBe('');
      }
    });

    test('exceptions name rows that exist', () => {
      const ids = new Set(groups.flatMap(({ rows }) => rows.map(({ id }) => id)));
      expect(Object.keys(harness.exceptions).filter((id) => !ids.has(id))).toEqual([]);
    });
  });
}
