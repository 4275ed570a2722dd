/** `npm run cases -- DIR [--engine NAME]`: every case below DIR through the real command, one line each. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { type CaseFolder, listCases, readCase, type Story } from './case-file.ts';
import { type Faults, runStory, type Setting } from './case-run.ts';
import { CannotHold } from './cannot-hold.ts';
import { targets } from './target.ts';

const USAGE = 'npm run --silent cases -- [DIR] [--engine NAME]';
/** Cases at a time: each runs an engine of its own, which is busy on several threads already. */
const AT_ONCE = 2;

interface Result {
  readonly faults: readonly Faults[];
  readonly runs: number;
  readonly seconds: number;
  /** Why stories were not run: the engine has no such table. */
  readonly lacks: readonly string[];
}

/** Runs the cases and answers the exit code: 0 when all passed, 1 when one failed, 2 when there is nothing to run. */
export async function main(root: string, from: string, args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { engine: { type: 'string', default: 'duckdb' } },
    allowPositionals: true,
  });
  const createTarget = Object.hasOwn(targets, values.engine) ? targets[values.engine] : undefined;
  const folder = positionals[0] === undefined ? resolve(root, 'test/cases') : resolve(from, positionals[0]);
  const bin = resolve(root, 'dist/cli/bin.js');
  if (createTarget === undefined) return refuse(`no engine ${values.engine}; there is ${Object.keys(targets).join(', ')}`);
  if (!existsSync(folder)) return refuse(`no folder ${folder}`);
  if (!existsSync(bin)) return refuse(`${bin} is missing: run npm run build`);
  const cases = listCases(folder);
  if (cases.length === 0) return refuse(`no case.yaml in the folders of ${folder}`);
  const { failed, skipped } = await runAll(cases, { bin, createTarget });
  console.log(`${cases.length - failed - skipped} passed, ${failed} failed${skipped === 0 ? '' : `, ${skipped} skipped`}`);
  return failed === 0 ? 0 : 1;
}

function refuse(message: string): number {
  console.error(`${message}\n${USAGE}`);
  return 2;
}

/** Runs the cases in a few lanes and prints them in their order; answers how many failed, and of how many no story could be run. */
async function runAll(cases: readonly CaseFolder[], setting: Setting): Promise<{ failed: number; skipped: number }> {
  const lanes: Promise<unknown>[] = Array.from({ length: AT_ONCE }, () => Promise.resolve());
  const results = cases.map((entry, i) => {
    const result = (lanes[i % AT_ONCE] as Promise<unknown>).then(() => runCase(entry, setting));
    lanes[i % AT_ONCE] = result;
    return { entry, result };
  });
  let failed = 0;
  let skipped = 0;
  for (const { entry, result } of results) {
    const { faults, runs, seconds, lacks } = await result;
    const verdict = faults.length > 0 ? 'FAIL' : runs === 0 ? 'skip' : 'ok  ';
    failed += verdict === 'FAIL' ? 1 : 0;
    skipped += verdict === 'skip' ? 1 : 0;
    console.log(`${verdict} ${entry.id} (${runs} ${runs === 1 ? 'run' : 'runs'}, ${seconds.toFixed(1)} s)`);
    for (const reason of lacks) console.log(`     not run: ${reason}`);
    for (const fault of faults) printFault(fault);
  }
  return { failed, skipped };
}

async function runCase({ folder }: CaseFolder, setting: Setting): Promise<Result> {
  const started = performance.now();
  const faults: Faults[] = [];
  const lacks: string[] = [];
  let runs = 0;
  for (const story of storiesOf(folder, faults)) {
    const name = story.steps[0]?.name ?? 'run';
    try {
      faults.push(...(await runStory(folder, story, setting)));
      runs += story.steps.length + 2 * (story.crash?.points ?? 0);
    } catch (error) {
      if (error instanceof CannotHold) lacks.push(`${name}: ${error.message}`);
      else faults.push(broken(name, error));
    }
  }
  return { faults, runs, seconds: (performance.now() - started) / 1000, lacks };
}

function storiesOf(folder: string, faults: Faults[]): Story[] {
  try {
    return readCase(folder);
  } catch (error) {
    faults.push(broken('case.yaml', error));
    return [];
  }
}

function broken(run: string, error: unknown): Faults {
  const came = error instanceof Error ? error.message : String(error);
  return { run, differences: [{ field: 'runner', expected: 'a run', came }], said: '' };
}

function printFault({ run, differences, said }: Faults): void {
  for (const { field, expected, came } of differences)
    console.log(`     ${run}: ${field}\n       expected ${expected}\n       came     ${came}`);
  if (said.trim() !== '') console.log(`       the command said: ${said.trim().split('\n').slice(0, 8).join('\n         ')}`);
}
