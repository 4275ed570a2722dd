/** Reads the first records of a CSV text that is at hand as a string. For the head of a file only; `scanCsv` streams. */
import type { Newline } from './source-file.ts';

export interface HeadRecord {
  /** Cells as written, without their quotes. */
  readonly cells: readonly string[];
  /** Physical lines, from 1, on which the record starts and ends. */
  readonly line: number;
  readonly endLine: number;
  /** Undefined at the end of the text. */
  readonly newline: Newline | undefined;
  /** What is wrong with its quotes, if anything. */
  readonly fault: 'unclosed' | 'after_quote' | undefined;
}

interface Marks {
  readonly delimiter: string;
  readonly quote: string;
}

/** A place in the text that moves forward, counting physical lines. */
interface Cursor {
  readonly text: string;
  at: number;
  line: number;
}

interface Cell {
  readonly text: string;
  readonly fault: HeadRecord['fault'];
}

/** The records of a text, one by one; blank lines are none. Line 1 is the first line of `text` plus `skipped`. */
export function* headRecords(text: string, marks: Marks, skipped = 0): Generator<HeadRecord> {
  const cursor: Cursor = { text, at: 0, line: 1 + skipped };
  while (cursor.at < text.length) if (takeNewline(cursor) === undefined) yield takeRecord(cursor, marks);
}

function takeRecord(cursor: Cursor, marks: Marks): HeadRecord {
  const line = cursor.line;
  const cells: string[] = [];
  let fault: HeadRecord['fault'];
  for (;;) {
    const cell = marks.quote !== '' && cursor.text.startsWith(marks.quote, cursor.at) ? takeQuoted(cursor, marks) : takeBare(cursor, marks);
    cells.push(cell.text);
    fault ??= cell.fault;
    if (!cursor.text.startsWith(marks.delimiter, cursor.at)) break;
    cursor.at += marks.delimiter.length;
  }
  const endLine = cursor.line;
  return { cells, line, endLine, newline: takeNewline(cursor), fault };
}

function takeBare(cursor: Cursor, marks: Marks): Cell {
  const start = cursor.at;
  while (cursor.at < cursor.text.length && !isNewline(cursor.text[cursor.at]) && cursor.text[cursor.at] !== marks.delimiter) cursor.at += 1;
  return { text: cursor.text.slice(start, cursor.at), fault: undefined };
}

function takeQuoted(cursor: Cursor, marks: Marks): Cell {
  const { text } = cursor;
  let value = '';
  for (let from = cursor.at + 1; ; from = cursor.at + 1) {
    const close = text.indexOf(marks.quote, from);
    const piece = text.slice(from, close < 0 ? undefined : close);
    value += piece;
    cursor.line += newlinesIn(piece);
    cursor.at = close < 0 ? text.length : close + 1;
    if (close < 0) return { text: value, fault: 'unclosed' };
    if (text[cursor.at] !== marks.quote) break;
    value += marks.quote;
  }
  if (cursor.at === text.length || isNewline(text[cursor.at]) || text[cursor.at] === marks.delimiter)
    return { text: value, fault: undefined };
  // The record is lost; go on at the next line end.
  while (cursor.at < text.length && !isNewline(text[cursor.at])) cursor.at += 1;
  return { text: value, fault: 'after_quote' };
}

const isNewline = (character: string | undefined): boolean => character === '\n' || character === '\r';

function newlinesIn(text: string): number {
  return text.match(/\r\n|\r|\n/gu)?.length ?? 0;
}

function takeNewline(cursor: Cursor): Newline | undefined {
  const newline = (['\r\n', '\n', '\r'] as const).find((candidate) => cursor.text.startsWith(candidate, cursor.at));
  if (newline === undefined) return undefined;
  cursor.at += newline.length;
  cursor.line += 1;
  return newline;
}
