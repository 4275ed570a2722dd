/** A finding in lines of plain text, for formats that have no layout of their own. Nothing of the data is obeyed by a terminal. */
import type { Example, Finding } from '../core/record/finding.ts';
import type { RunRecord } from '../core/record/run-record.ts';
import { placeOf, sizeOf, subjectOf, typesOf, verdictOf } from './summary.ts';
import { visible } from './visible.ts';

/** Characters of a value or name; the rest is cut. Formats of machines have limits for a message. */
const longest = 200;

export function cutText(text: string, most = longest): string {
  const characters = [...text];
  return characters.length <= most ? text : `${characters.slice(0, most - 1).join('')}…`;
}

const shown = (text: string): string => cutText(visible(text));

/** `SA201 invalid_value (scale)`. */
export function titleOf({ code, name, reason }: Finding): string {
  return `${code} ${visible(name)}${reason === null ? '' : ` (${visible(reason)})`}`;
}

/** `amount: 25 records, 0.2 %; string → decimal(12,2); 25 records were quarantined`. */
export function sentenceOf(finding: Finding): string {
  const parts = [sizeOf(finding), typesOf(finding), finding.consequence].filter((part) => part !== '').map(shown);
  const subject = shown(subjectOf(finding));
  return `${subject === '' ? '' : `${subject}: `}${parts.join('; ')}`;
}

/** `in/a.csv:19 "1,234.50"`. */
export function exampleLine(example: Example): string {
  return `${shown(placeOf(example))} ${valueText(example)}`.trimStart();
}

/** The value in quotes, NULL without them; what was masked says so, and shows nothing when it was dropped. */
function valueText({ value, masked }: Example): string {
  if (value === null) return masked ? '(masked)' : 'NULL';
  return `"${shown(value)}"${masked ? ' (masked)' : ''}`;
}

/** `accepted until 2027-03-31: marketing only`, or undefined. */
export function acceptedText({ ignored }: Finding): string | undefined {
  if (ignored === null) return undefined;
  return `ignored${ignored.until === null ? '' : ` until ${visible(ignored.until)}`}: ${shown(ignored.reason)}`;
}

/** The lines that settle it, with their place in the configuration. */
function fixLines({ fix, config }: Finding): string[] {
  if (fix === null || fix.yaml === '') return [];
  const yaml = fix.yaml.split('\n').map((line, i) => `${i === 0 ? 'fix: ' : '     '}${shown(line)}`);
  const places = [
    ...(fix.pointer === null ? [] : [shown(fix.pointer)]),
    ...(config == null ? [] : [`${shown(config.file)}:${config.line}`]),
  ];
  return places.length === 0 ? yaml : [...yaml, `     at ${places.join(', ')}`];
}

/** Everything that is known of a finding: the sentence, examples with their place, the fix, and where it is explained. */
export function detailLines(finding: Finding): string[] {
  const accepted = acceptedText(finding);
  return [
    sentenceOf(finding),
    ...finding.examples.map(exampleLine),
    ...(accepted === undefined ? [] : [accepted]),
    ...fixLines(finding),
    `see: schemalign explain ${finding.code}`,
  ];
}

/** `LOADED orders: What fits was loaded …`: the verdict of a run in one line. */
export function verdictLine(record: RunRecord): string {
  const { word, sentence } = verdictOf(record);
  return `${word} ${shown(record.job)}: ${shown(sentence.replace(/:$/, '.'))}`;
}
