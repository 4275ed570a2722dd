/** Runs the stories of a case through the real command on a fresh target. */
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { caseConfig, JOB } from './case-config.ts';
import type { Crash, Story } from './case-file.ts';
import { type Ran, runCommand } from './command.ts';
import { compareCase, probesOf } from './compare-case.ts';
import { sameRows } from './compare-rows.ts';
import type { Difference, Outcome, RecordFacts, Rows } from './outcome.ts';
import type { Target, TargetFactory } from './target.ts';

export interface Faults {
  readonly run: string;
  readonly differences: readonly Difference[];
  /** What the command said, for people. */
  readonly said: string;
}

export interface Setting {
  /** The command's file. */
  readonly bin: string;
  readonly createTarget: TargetFactory;
}

interface Stage {
  readonly bin: string;
  readonly story: Story;
  readonly target: Target;
  /** A copy of the case's folder, with the configuration in it: the working folder of the command. */
  readonly cwd: string;
}

type Step = Story['steps'][number];

/** Runs one story in a private folder that is gone afterwards; answers the runs that went wrong. */
export async function runStory(folder: string, story: Story, setting: Setting): Promise<Faults[]> {
  const work = await mkdtemp(join(tmpdir(), 'schemalign-case-'));
  let drop: Target['drop'];
  try {
    const first = story.steps[0] as Step;
    const cwd = join(work, 'case');
    await cp(folder, cwd, { recursive: true });
    const stage: Stage = { bin: setting.bin, story, target: await setting.createTarget(work, first.spec), cwd };
    drop = stage.target.drop;
    await stage.target.save('initial');
    const { faults, first: run } = await runSteps(stage);
    // A run that is wrong undisturbed fails the case already; killing it would only repeat its faults.
    if (story.crash === undefined || faults.length > 0) return faults;
    return await runCrashes(stage, story.crash, run);
  } finally {
    await drop?.();
    await rm(work, { recursive: true, force: true });
  }
}

interface FirstRun {
  /** Time that the first load took, in milliseconds. */
  readonly ms: number;
  readonly before: Rows;
  readonly after: Rows;
}

/** Every step in turn, and what the first load did to the target. */
async function runSteps(stage: Stage): Promise<{ readonly faults: Faults[]; readonly first: FirstRun }> {
  const faults: Faults[] = [];
  let first: FirstRun | undefined;
  for (const step of stage.story.steps) {
    const { outcome, load } = await runStep(stage, step);
    first ??= { ms: load.ms, before: outcome.before.target, after: outcome.after.target };
    const differences = compareCase(step, outcome);
    if (differences.length > 0)
      faults.push({ run: step.name, differences, said: outcome.record === undefined ? load.stderr + load.stdout : load.stderr });
  }
  return { faults, first: first as FirstRun };
}

async function runStep(stage: Stage, step: Step): Promise<{ readonly outcome: Outcome; readonly load: Ran }> {
  const { target } = stage;
  await configure(stage, step);
  const before = await target.readTables();
  await target.save('before');
  const plan = await command(stage, step, ['plan', JOB, '--check', '--json']);
  await target.restore('before');
  const load = await command(stage, step, ['load', JOB, '--json']);
  const record = recordOf(load.stdout);
  const outcome: Outcome = {
    planExit: plan.exit ?? -1,
    loadExit: load.exit ?? -1,
    record,
    before,
    after: await target.readTables(),
    quarantined: await target.countQuarantined(record?.run_id),
    summary: await target.ask(probesOf(step.expect.target_summary).map(({ sql }) => sql)),
  };
  return { outcome, load };
}

async function configure({ cwd, target }: Stage, step: Step): Promise<void> {
  await writeFile(join(cwd, 'schemalign.yaml'), stringify(caseConfig(step.spec, target.connection, target.schema), { version: '1.2' }));
}

function command({ bin, cwd }: Stage, step: Step, args: readonly string[], killAfter?: number): Promise<Ran> {
  return runCommand({ bin, args, cwd, timeZone: step.spec.environment?.TZ, ...(killAfter === undefined ? {} : { killAfter }) });
}

/** The run record that the command printed, undefined when it printed something else. */
function recordOf(stdout: string): (RecordFacts & { readonly run_id: string }) | undefined {
  try {
    const record = JSON.parse(stdout);
    return record?.schema === 'run-1' ? record : undefined;
  } catch {
    return undefined;
  }
}

/** Kills the first load at points spread evenly over the time it takes, looks, and starts it again. */
async function runCrashes(stage: Stage, crash: Crash, { ms: firstMs, before, after }: FirstRun): Promise<Faults[]> {
  const { target, story } = stage;
  const step = story.steps[0] as Step;
  const states: Readonly<Record<string, Rows>> = { initial: before, final: after };
  const compare = async (field: 'after_kill' | 'after_rerun'): Promise<Difference[]> => {
    const { target: rows } = await target.readTables();
    const allowed = crash[field].split('_or_');
    if (allowed.some((name) => sameRows(step.spec.target.columns, states[name] ?? [['no such state']], rows))) return [];
    return [{ field: `crash.${field}`, expected: `the ${allowed.join(' or the ')} rows`, came: JSON.stringify(rows) }];
  };
  const faults: Faults[] = [];
  let ms = firstMs;
  await configure(stage, step);
  for (let point = 1; point <= crash.points; point += 1) {
    await target.restore('initial');
    await command(stage, step, ['load', JOB, '--json'], (ms * point) / (crash.points + 1));
    const killed = await compare('after_kill');
    const rerun = await command(stage, step, ['load', JOB, '--json']);
    // The latest whole run says best how long one takes while the machine is as busy as it is now.
    ms = rerun.ms;
    const failed = rerun.exit === 0 ? [] : [{ field: 'crash.after_rerun', expected: 'exit 0', came: `exit ${rerun.exit}` }];
    const differences = [...killed, ...failed, ...(await compare('after_rerun'))];
    if (differences.length > 0) faults.push({ run: `kill ${point} of ${crash.points}`, differences, said: rerun.stderr });
  }
  return faults;
}
