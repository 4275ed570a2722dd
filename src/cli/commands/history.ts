import { tryTargetFromUrl } from '../../config/target-url.ts';
import { Fault } from '../../core/fault.ts';
import type { RunRecord } from '../../core/record/run-record.ts';
import { inertJson, visible } from '../../reports/visible.ts';
import { addAuditFlags, auditPlace } from '../audit-place.ts';
import { textOption } from '../options.ts';
import { port } from '../run-port.ts';
import { grouped } from '../terminal.ts';
import type { Verb } from '../verb.ts';

const examples = `
  $ schemalign history                        the only connection of schemalign.yaml
  $ schemalign history orders                 the runs of the job "orders"
  $ schemalign history warehouse.duckdb --limit 50
  $ schemalign history --json
`;

export const history: Verb = {
  examples,
  describe: (command) => {
    command.usage('[JOB] [TARGET] [OPTIONS]').argument('[operands...]', 'a job, a target, or both');
    command.optionsGroup('Output:');
    command.option('--limit <N>', 'show at most N runs, the latest', '20');
    command.option('--json', 'print the run records as a JSON array');
    addAuditFlags(command);
  },
  run: async (operands, options, io) => {
    const limit = textOption(options, 'limit') ?? '20';
    if (!/^\d{1,9}$/.test(limit)) throw new Fault('USAGE', `--limit: expected a number, found ${JSON.stringify(limit)}`);
    const target = operands.find((operand) => tryTargetFromUrl(operand, io.cwd) !== undefined);
    const [job, ...others] = operands.filter((operand) => operand !== target);
    if (others.length > 0) throw new Fault('USAGE', 'expected a job, a target, or both');
    const place = await auditPlace({ ...(job === undefined ? {} : { job }), ...(target === undefined ? {} : { target }) }, options, io);
    const listRuns = await port('listRuns', io.ports);
    const runs = await listRuns(place.url, place.options);
    const latest = runs.toSorted((a, b) => (a.started_at < b.started_at ? 1 : -1)).slice(0, Number(limit));
    io.stdout.write(options.json === true ? `${inertJson(JSON.stringify(latest, null, 2))}\n` : table(latest));
    return 0;
  },
};

const headings = ['started', 'job', 'mode', 'status', 'exit', 'read', 'loaded', 'quarantined', 'run'];
const numeric = new Set(['exit', 'read', 'loaded', 'quarantined']);

function table(runs: readonly RunRecord[]): string {
  if (runs.length === 0) return 'no runs\n';
  const rows = [headings, ...runs.map(cells)];
  const widths = headings.map((_, i) => Math.max(...rows.map((row) => row[i]?.length ?? 0)));
  const lines = rows.map((row) =>
    row
      .map((cell, i) => (numeric.has(headings[i] ?? '') ? cell.padStart(widths[i] ?? 0) : cell.padEnd(widths[i] ?? 0)))
      .join('  ')
      .trimEnd(),
  );
  return `${lines.join('\n')}\n`;
}

function cells({ started_at: started, job, mode, status, exit, counts, run_id: run }: RunRecord): readonly string[] {
  const { read, loaded, quarantined } = counts;
  return [started.replace(/\.\d+/, ''), job, mode, status, String(exit), grouped(read), grouped(loaded), grouped(quarantined), run].map(
    visible,
  );
}
