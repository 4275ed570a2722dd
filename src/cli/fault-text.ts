/** Faults as people and programs read them. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { ConfigFault, type Problem } from '../config/problem.ts';
import { redactLine, redactUrl } from '../config/redact.ts';
import { Fault, type FaultPlace } from '../core/fault.ts';
import { inertJson } from '../reports/visible.ts';
import { harmless } from './terminal.ts';

export interface FaultTextOptions {
  readonly cwd: string;
  readonly color: boolean;
  /** With the stack and the cause, for those who mend Schemalign. */
  readonly debug: boolean;
}

const listed = 10;

/** `error[CODE]: message`, the place with the line and a caret, and what to do. Ends with a line end. */
export function faultText(thrown: unknown, options: FaultTextOptions): string {
  const fault = asFault(thrown);
  const problems = fault instanceof ConfigFault ? problemLines(fault, options) : undefined;
  const lines = [
    ...(problems ?? [
      heading(fault.code, plainMessage(fault), options),
      ...placeLines(fault.place, options),
      `  fix: ${harmless(redactUrl(fault.fix))}`,
    ]),
    ...(fault.statement === undefined ? [] : [`  statement: ${shortened(fault.statement)}`]),
    ...(options.debug ? stackLines(thrown) : []),
  ];
  return `${lines.join('\n')}\n`;
}

/** The fault as one JSON document. Ends with a line end. */
export function faultJson(thrown: unknown): string {
  const fault = asFault(thrown);
  const { file = null, line = null, column = null } = fault.place;
  const document = {
    schema: 'fault-1',
    code: fault.code,
    message: plainMessage(fault),
    fix: redactUrl(fault.fix),
    exit: fault.exit,
    retry: fault.retry,
    place: file === null ? null : { file: redactUrl(file), line, column },
    ...(fault.statement === undefined ? {} : { statement: redactUrl(fault.statement) }),
    ...(fault instanceof ConfigFault ? { problems: fault.problems } : {}),
  };
  return `${inertJson(JSON.stringify(document, null, 2))}\n`;
}

/** Anything else that is thrown is a bug of ours; its message may hold an address. */
export function asFault(thrown: unknown): Fault {
  if (thrown instanceof Fault) return thrown;
  const said = thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown);
  return new Fault('BUG', redactUrl(said), {
    cause: thrown,
    fix: 'This is a bug of ours, please report it with this message; SCHEMALIGN_DEBUG=1 shows where it happened.',
  });
}

/** The message without code and place, which are shown apart, and without secrets. */
function plainMessage(fault: Fault): string {
  const { file, line, column } = fault.place;
  const parts = [file, ...(line === undefined ? [] : [line, ...(column === undefined ? [] : [column])])];
  const place = file === undefined ? '' : `${parts.join(':')}: `;
  const start = `[${fault.code}] ${place}`;
  return redactUrl(fault.message.startsWith(start) ? fault.message.slice(start.length) : fault.message);
}

function heading(code: string, message: string, { color }: FaultTextOptions): string {
  const label = `error[${code}]`;
  const [first = '', ...rest] = harmless(message).split('\n');
  return [`${color ? `\x1b[1;31m${label}\x1b[0m` : label}: ${first}`, ...rest.map((line) => `  ${line}`)].join('\n');
}

function problemLines(fault: ConfigFault, options: FaultTextOptions): readonly string[] {
  const shown = fault.problems.slice(0, listed);
  const more = fault.problems.length - shown.length;
  const lines = shown.flatMap((problem) => [
    heading(fault.code, problemText(problem), options),
    ...placeLines({ file: fault.file, line: problem.line, column: problem.column }, options),
    `  fix: ${harmless(problem.fix ?? fault.fix)}`,
  ]);
  return more > 0 ? [...lines, `and ${more} more`] : lines;
}

function problemText(problem: Problem): string {
  return problem.pointer === '' ? problem.message : `${problem.pointer}: ${problem.message}`;
}

function placeLines(place: FaultPlace, options: FaultTextOptions): readonly string[] {
  if (place.file === undefined) return [];
  const { file, line, column } = place;
  const at = [file, ...(line === undefined ? [] : [line]), ...(line === undefined || column === undefined ? [] : [column])].join(':');
  return [`  at ${harmless(redactUrl(at))}`, ...excerpt(place, options)];
}

const longestLine = 120;
const configFile = /\.ya?ml$/i;

/** The line of a configuration with a caret below it. Data files are never quoted: their values follow the masks of the job. */
function excerpt({ file = '', line, column = 1 }: FaultPlace, options: FaultTextOptions): readonly string[] {
  const raw = line === undefined || !configFile.test(file) ? undefined : lineOf(resolve(options.cwd, file), line);
  if (line === undefined || raw === undefined) return [];
  const shown = redactLine(raw);
  const before = harmless(raw.slice(0, column - 1)).length;
  const gutter = String(line);
  const text = [`    ${gutter} | ${harmless(shown).slice(0, longestLine)}`];
  // A caret under a line whose secrets were taken out would point at the wrong word.
  if (shown === raw && before < longestLine) text.push(`    ${' '.repeat(gutter.length)} | ${' '.repeat(before)}^`);
  return text;
}

function lineOf(file: string, line: number): string | undefined {
  try {
    return readFileSync(file, 'utf8')
      .replace(/^\uFEFF/, '')
      .split(/\r\n|\r|\n/)[line - 1];
  } catch {
    return undefined;
  }
}

function stackLines(thrown: unknown): readonly string[] {
  const errors: Error[] = [];
  for (let at = thrown; at instanceof Error && errors.length < 5; at = at.cause) errors.push(at);
  return errors.flatMap((error, i) =>
    harmless(redactUrl(error.stack ?? error.message))
      .split('\n')
      .map((line) => `  ${i === 0 ? '' : 'cause: '}${line}`),
  );
}

function shortened(statement: string): string {
  const text = harmless(redactUrl(statement));
  return text.length > 500 ? `${text.slice(0, 500)}…` : text;
}
