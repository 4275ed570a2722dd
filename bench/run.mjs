// npm run --silent bench -- --rows N [--format csv] [--runs 5] [--memory 1GB]: what README.md says. Ends with one line of JSON.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { isFresh } from '../scripts/fresh.mjs';

const here = import.meta.dirname;
const root = resolve(here, '..');
const store = join(root, 'build', 'bench');
const say = (text) => process.stderr.write(`${text}\n`);
const formats = ['csv', 'ndjson', 'json', 'parquet'];

function readOptions() {
  const text = (given) => ({ type: 'string', ...(given === undefined ? {} : { default: given }) });
  const { values } = parseArgs({
    options: {
      rows: text('100000'),
      format: text('csv'),
      runs: text('5'),
      seed: text('42'),
      memory: text(),
      command: text(),
      keep: { type: 'boolean' },
    },
  });
  const whole = (name, least) => {
    const number = Number(values[name]);
    if (Number.isSafeInteger(number) && number >= least) return number;
    say(`bench: --${name} takes a whole number from ${least}`);
    process.exit(2);
  };
  if (!formats.includes(values.format)) {
    say(`bench: --format takes one of ${formats.join(', ')}`);
    process.exit(2);
  }
  return { ...values, rows: whole('rows', 1), runs: whole('runs', 1), seed: whole('seed', 0) };
}

/** The command's script: the given one, or dist, built anew when it is older than src. */
function commandOf(given) {
  if (given !== undefined) return resolve(process.env.INIT_CWD ?? process.cwd(), given);
  const at = (...path) => join(root, ...path);
  if (!isFresh(at('dist/.built'), [at('src'), at('tsconfig.base.json'), at('tsconfig.build.json')])) {
    say('building dist …');
    const { status } = spawnSync(process.execPath, [at('scripts/build.mjs')], { cwd: root, stdio: ['ignore', 2, 2] });
    if (status !== 0) process.exit(2);
  }
  return at('dist/cli/bin.js');
}

/** The folder of the data, made when it is not there: kept per rows, seed and format, and by what the generator is. */
async function dataOf({ rows, seed, format }) {
  const hash = createHash('sha256');
  for (const name of ['random.mjs', 'orders.mjs', 'expected.mjs', 'gen.mjs']) hash.update(readFileSync(join(here, name)));
  const folder = join(store, `${format}-${rows}-${seed}-${hash.digest('hex').slice(0, 8)}`);
  if (!existsSync(folder)) {
    say(`making ${rows} rows of ${format} …`);
    mkdirSync(store, { recursive: true });
    const making = mkdtempSync(join(store, 'making-'));
    const { generate } = await import('./gen.mjs');
    await generate({ rows, folder: making, seed, formats: [format] });
    renameSync(making, folder);
  }
  return { folder, file: join(folder, `orders.${format}`), expected: JSON.parse(readFileSync(join(folder, 'expected.json'), 'utf8')) };
}

function contenders(options, data, command) {
  const floor = [join(here, 'floor_node.mjs'), data.folder, '--format', options.format, '--threads', String(availableParallelism())];
  if (options.memory !== undefined) floor.push('--memory', options.memory);
  return [
    { name: 'schemalign', args: [command, 'load', 'orders', '--json'] },
    { name: 'floor', args: floor },
    { name: 'naive', args: [...floor, '--mode', 'naive'] },
  ];
}

async function main() {
  const options = readOptions();
  const command = commandOf(options.command);
  const data = await dataOf(options);
  const { makeTarget, writeJob } = await import('./job.mjs');
  const { wrongAnswers } = await import('./answers.mjs');
  const { measure, median } = await import('./measure.mjs');
  const folder = mkdtempSync(join(store, 'run-'));
  try {
    writeJob({ folder, file: data.file, format: options.format, memory: options.memory });
    const processes = contenders(options, data, command);
    const taken = Object.fromEntries(processes.map(({ name }) => [name, []]));
    const wrong = new Set();
    const phases = [];
    // The first round only warms the disk; its answers count all the same.
    for (let round = 0; round <= options.runs; round += 1) {
      for (const { name, args } of processes) {
        if (name === 'schemalign') await makeTarget(folder);
        const { stdout, ...figures } = await measure(args, { cwd: folder });
        if (round > 0) taken[name].push(figures);
        say(
          `${round === 0 ? 'warm-up' : `run ${round}`}  ${name.padEnd(10)}  wall ${figures.wall.toFixed(2)} s  cpu ${figures.cpu.toFixed(2)} s  peak ${figures.peak.toFixed(0)} MiB`,
        );
        if (name !== 'schemalign') continue;
        const record = JSON.parse(stdout);
        if (round > 0) phases.push(record.phases);
        for (const line of await wrongAnswers({ record, folder, expected: data.expected })) wrong.add(line);
      }
    }
    for (const line of wrong) say(`WRONG ${line}`);
    console.log(JSON.stringify(summary({ options, taken, wrong, phases, median })));
    return wrong.size === 0 ? 0 : 1;
  } finally {
    if (options.keep) say(`kept ${folder}`);
    else rmSync(folder, { recursive: true, force: true });
  }
}

/** Ratios are taken round by round, then the median of them. */
function summary({ options, taken, wrong, phases, median }) {
  const figure = (name, key) => round(median(taken[name].map((one) => one[key])));
  const ratio = (key, base) => round(median(taken.schemalign.map((one, i) => one[key] / taken[base][i][key])));
  const names = phases[0].map((phase) => phase.name);
  return {
    answers_right: wrong.size === 0,
    cpu_vs_floor: ratio('cpu', 'floor'),
    wall_vs_floor: ratio('wall', 'floor'),
    cpu_vs_naive: ratio('cpu', 'naive'),
    peak_mib: figure('schemalign', 'peak'),
    rows: options.rows,
    format: options.format,
    runs: options.runs,
    memory: options.memory ?? null,
    cpu_s: figure('schemalign', 'cpu'),
    wall_s: figure('schemalign', 'wall'),
    floor_cpu_s: figure('floor', 'cpu'),
    floor_wall_s: figure('floor', 'wall'),
    naive_cpu_s: figure('naive', 'cpu'),
    floor_peak_mib: figure('floor', 'peak'),
    phases_ms: Object.fromEntries(
      names.map((name) => [name, median(phases.map((run) => run.find((phase) => phase.name === name)?.ms ?? 0))]),
    ),
  };
}

const round = (number) => Math.round(number * 1000) / 1000;

process.exitCode = await main().catch((error) => {
  say(`bench: ${error.message}`);
  return 2;
});
