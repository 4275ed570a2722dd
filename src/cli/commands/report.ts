import { tryTargetFromUrl } from '../../config/target-url.ts';
import { Fault } from '../../core/fault.ts';
import { isReportFormat, reportFormats } from '../../reports/format-names.ts';
import { renderReport } from '../../reports/registry.ts';
import { addAuditFlags, auditPlace } from '../audit-place.ts';
import { fromCwd } from '../job-of.ts';
import { textOption } from '../options.ts';
import { beforeRun } from '../previous-run.ts';
import { printReport } from '../run-output.ts';
import { port } from '../run-port.ts';
import { colorOn, harmless, widthOf } from '../terminal.ts';
import type { Options, Verb } from '../verb.ts';
import { writeWhole } from '../write-file.ts';

const examples = `
  $ schemalign report                         the latest run
  $ schemalign report --job orders --format html --out run.html
  $ schemalign report 0197c2f0 warehouse.duckdb --format markdown
`;

export const report: Verb = {
  examples,
  describe: (command) => {
    command.usage('[RUN] [TARGET] [OPTIONS]').argument('[operands...]', 'a run id or how it begins, and a target');
    command.optionsGroup('Output:');
    command.option('--format <FORMAT>', `${reportFormats.join(', ')} [text]`);
    command.option('--json', 'the same as --format json');
    command.option('--out <FILE>', 'write to a file');
    command.optionsGroup('Run:');
    command.option('--job <NAME>', 'the latest run of this job');
    addAuditFlags(command);
  },
  run: async (operands, options, io) => {
    const format = formatOf(options);
    const target = operands.find((operand) => tryTargetFromUrl(operand, io.cwd) !== undefined);
    const [run, ...others] = operands.filter((operand) => operand !== target);
    if (others.length > 0) throw new Fault('USAGE', 'expected a run, a target, or both');
    const job = textOption(options, 'job');
    const place = await auditPlace({ ...(job === undefined ? {} : { job }), ...(target === undefined ? {} : { target }) }, options, io);
    const readRun = await port('readRun', io.ports);
    const record = await readRun(place.url, run, place.options);
    const out = textOption(options, 'out');
    const toTerminal = out === undefined;
    const previous = format === 'html' ? await beforeRun(place.url, record, place.options, io)() : undefined;
    const page = { color: toTerminal && colorOn(io.stdout, io.env), width: widthOf(io.stdout) };
    const text = await renderReport(format, record, { ...page, ...(previous === undefined ? {} : { previous }) });
    if (out === undefined) printReport(format, text, io);
    else {
      await writeWhole(fromCwd(out, io), text);
      io.stderr.write(`${harmless(`wrote ${out}`)}\n`);
    }
    return 0;
  },
};

/** The format named, else the one that the extension of the file means, else text. */
function formatOf(options: Options): string {
  const named = options.json === true ? 'json' : textOption(options, 'format');
  if (named !== undefined && !isReportFormat(named)) {
    throw new Fault('USAGE', `there is no report format ${JSON.stringify(named)}`, { fix: `Choose one of ${reportFormats.join(', ')}.` });
  }
  const extension = /\.([a-z]+)$/i.exec(textOption(options, 'out') ?? '')?.[1]?.toLowerCase() ?? '';
  return named ?? byExtension[extension] ?? 'text';
}

const byExtension: Readonly<Record<string, string>> = {
  html: 'html',
  htm: 'html',
  md: 'markdown',
  json: 'json',
  xml: 'junit',
  sarif: 'sarif',
};
