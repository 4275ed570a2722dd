import { Fault } from '../core/fault.ts';
import type { Io } from './io.ts';
import { textOption } from './options.ts';
import { type Inspected, port } from './run-port.ts';
import type { Options } from './verb.ts';

/** The schema of an operand of `inspect`, `diff` or `verify --against`. A stop by Ctrl-C need not wait for it: nothing is written. */
export async function inspectOperand(operand: string, options: Options, io: Io): Promise<Inspected> {
  const inspectAny = await port('inspectAny', io.ports);
  const query = textOption(options, 'query');
  const format = textOption(options, 'format');
  const sample = sampleOf(textOption(options, 'sample'));
  const reading = inspectAny(operand, {
    cwd: io.cwd, signal: io.signal, ...(query === undefined ? {} : { query }), ...(format === undefined ? {} : { format }), ...(sample === undefined ? {} : { sample }),
  });
  return Promise.race([reading, aborted(io.signal)]);
}

function sampleOf(text: string | undefined): number | undefined {
  if (text === undefined || text === 'all') return undefined;
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new Fault('USAGE', `--sample: expected a number of records or all, found ${JSON.stringify(text)}`);
  return Number(text);
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    else signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
