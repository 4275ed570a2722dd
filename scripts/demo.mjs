// `make demo`: the whole job on real files, told as a story. Everything is done by the command itself; this only says what comes next.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { isFresh } from './fresh.mjs';

const root = resolve(import.meta.dirname, '..');
const folder = join(root, '.demo');
const database = join(folder, 'warehouse.duckdb');
const report = join(folder, 'report.html');
const command = join(root, 'dist/cli/bin.js');

if (!isFresh(join(root, 'dist/.built'), [join(root, 'src'), join(root, 'tsconfig.base.json'), join(root, 'tsconfig.build.json')])) {
  const built = spawnSync(process.execPath, [join(root, 'scripts/build.mjs')], { cwd: root, stdio: 'inherit' });
  if (built.status !== 0) process.exit(built.status ?? 1);
}

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });

const { DuckDBInstance } = await import('@duckdb/node-api');

/** Runs statements on the demo's database and returns the rows of the last one. */
async function sql(text) {
  const instance = await DuckDBInstance.create(database);
  const connection = await instance.connect();
  try {
    return (await connection.runAndReadAll(text)).getRowObjectsJson();
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

const colour = process.stdout.isTTY && process.env.NO_COLOR === undefined;
const bold = (text) => (colour ? `\u001b[1m${text}\u001b[22m` : text);
const say = (text) => process.stdout.write(`\n${text}\n`);
let step = 0;

function chapter(title, text) {
  step += 1;
  say(`${bold(`${step}. ${title}`)}\n   ${text.trim().replace(/\n\s*/g, '\n   ')}`);
}

/** Shows a command as a reader would type it in the folder `demo`, runs it there, and checks its exit code. */
function schemalign(args, { exit, lines = Infinity }) {
  say(`   $ schemalign ${args.map((arg) => (/^[\w./=:-]+$/.test(arg) ? arg : `'${arg}'`)).join(' ')}`);
  const run = spawnSync(process.execPath, [command, ...args], {
    cwd: join(root, 'demo'),
    encoding: 'utf8',
    env: { ...process.env, ...(colour ? { FORCE_COLOR: '1' } : {}) },
  });
  const shown = run.stdout.trimEnd().split('\n');
  const rest = shown.length > lines ? [`… ${shown.length - lines} more lines`] : [];
  say([...shown.slice(0, lines), ...rest].map((line) => `     ${line}`).join('\n'));
  if (run.status === exit) return;
  process.stderr.write(run.stderr);
  process.stderr.write(`\nThe demo expected exit code ${exit}, and got ${run.status}.\n`);
  process.exit(1);
}

await sql(readFileSync(join(root, 'demo/warehouse.sql'), 'utf8'));
const movies = '../node_modules/vega-datasets/data/movies.json';

say(bold('Schemalign on real files: 3,201 movies as JSON, into a warehouse table that was designed before anyone saw them.'));

chapter('What comes in', 'The schema of the file, found on all of its rows.');
schemalign(['inspect', movies], { exit: 0 });

chapter(
  'Without any rules',
  `
  A plan counts what every cast would do, and writes nothing. Exit code 1: the load would fail, and each finding says why,
  where, and which line of configuration settles it.`,
);
schemalign(['plan', movies, '../.demo/warehouse.duckdb', '--table', 'movies', '--key', 'title'], { exit: 1, lines: 26 });

chapter(
  'With the rules written down',
  `
  demo/schemalign.yaml maps the names, declares the date format "MMM dd yyyy", takes the newest film of a title that occurs twice, and
  sets the film without a title aside.`,
);
schemalign(['plan', 'movies'], { exit: 0, lines: 18 });

chapter('Load', 'Cast, set aside, merge and check, in one transaction. Rows read = loaded + quarantined + superseded.');
schemalign(['load', 'movies', '--report', `html=${relative(join(root, 'demo'), report)}`], { exit: 0, lines: 6 });

chapter('Load again', 'The same file once more changes nothing, and says so.');
schemalign(['load', 'movies'], { exit: 0, lines: 6 });

chapter('Verify', 'Each column of the batch is held against what the table holds now.');
schemalign(['verify', 'movies'], { exit: 0, lines: 4 });

chapter(
  'Codes that begin with 0, and fractions where whole numbers are expected',
  `
  42,049 zip codes, 3,256 of which begin with 0, land as text. Employment figures such as 15351.5 do not fit an INTEGER column:
  one column has a rule that rounds them, the other sets its rows aside. Both are counted.`,
);
schemalign(['load', 'zipcodes'], { exit: 0, lines: 4 });
schemalign(['load', 'employment'], { exit: 0, lines: 22 });

chapter('What is there now', 'The tables, what was set aside, and the runs, all in the same database.');
const [count] = await sql(`
  SELECT (SELECT count(*) FROM movies) AS movies, (SELECT count(*) FROM zipcodes WHERE zip_code LIKE '0%') AS zip_codes_with_0,
    (SELECT count(*) FROM employment) AS employment, (SELECT count(*) FROM audit_schema_quarantine) AS quarantine`);
say(
  Object.entries(count)
    .map(([name, n]) => `     ${name.padEnd(18)} ${Number(n).toLocaleString('en-US').padStart(7)}`)
    .join('\n'),
);
schemalign(['history', '../.demo/warehouse.duckdb'], { exit: 0 });

if (!existsSync(report)) throw new Error('the report was not written');
say(`${bold('The report of the first load, to open in a browser:')}\n  ${report}\n`);
