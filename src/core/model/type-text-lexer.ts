/** Tokens of type texts and DDL of several dialects, read one at a time from any offset. */
import { Fault } from '../fault.ts';

/** A text being read, and the file it came from, for messages. */
export interface TextSource {
  readonly text: string;
  readonly file?: string;
  /** Whether a backslash in a quoted string takes the next character as it is (Spark, BigQuery). */
  readonly backslash?: boolean;
}

export type TokenKind = 'word' | 'quoted' | 'text' | 'number' | 'punct' | 'bad' | 'end';

export interface Token {
  readonly kind: TokenKind;
  /** What the token means: a name without its quotes, a string without its quotes, the spelling of anything else. */
  readonly value: string;
  /** Offsets of the first character and of the one after the last, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
}

/** The reading position in a text. */
export interface Cursor {
  readonly source: TextSource;
  token: Token;
}

const gap = /(?:\s+|--[^\n]*|\/\*[\s\S]*?\*\/)*/uy;
const word = /[\p{L}\p{M}_@#$][\p{L}\p{M}\p{N}_@#$]*/uy;
const number = /\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const dollarTag = /\$(?:[\p{L}_][\p{L}\p{N}_]*)?\$/uy;
const quoteKinds: ReadonlyMap<string, TokenKind> = new Map([
  ['"', 'quoted'],
  ['`', 'quoted'],
  ["'", 'text'],
]);

/** The token at or after an offset; white space and comments are passed over. Never throws: a broken token has the kind `bad`. */
export function tokenAt(source: TextSource, offset: number): Token {
  const { text } = source;
  const start = offset + (match(gap, text, offset)?.length ?? 0);
  const first = text[start];
  if (first === undefined) return { kind: 'end', value: '', start, end: start };
  const quoteKind = quoteKinds.get(first);
  if (quoteKind !== undefined) return quotedAt(source, start, first, quoteKind);
  const tag = match(dollarTag, text, start);
  if (tag !== undefined) return dollarQuotedAt(text, start, tag);
  const spelled = match(word, text, start);
  if (spelled !== undefined) return { kind: 'word', value: spelled, start, end: start + spelled.length };
  const digits = match(number, text, start);
  if (digits !== undefined) return { kind: 'number', value: digits, start, end: start + digits.length };
  if (text.startsWith('/*', start)) return { kind: 'bad', value: 'a comment that does not end', start, end: text.length };
  return { kind: 'punct', value: first, start, end: start + 1 };
}

function match(pattern: RegExp, text: string, offset: number): string | undefined {
  pattern.lastIndex = offset;
  return pattern.exec(text)?.[0];
}

function quotedAt(source: TextSource, start: number, quote: string, kind: TokenKind): Token {
  const { text } = source;
  const escapes = source.backslash === true && quote !== '`';
  let value = '';
  for (let at = start + 1; at < text.length; at++) {
    const char = text[at] as string;
    if (escapes && char === '\\' && at + 1 < text.length) {
      at++;
      value += text[at];
    } else if (char !== quote) {
      value += char;
    } else if (text[at + 1] === quote) {
      at++;
      value += quote;
    } else {
      return { kind, value, start, end: at + 1 };
    }
  }
  return { kind: 'bad', value: `a ${quote} that is not closed`, start, end: text.length };
}

function dollarQuotedAt(text: string, start: number, tag: string): Token {
  const from = start + tag.length;
  const close = text.indexOf(tag, from);
  if (close < 0) return { kind: 'bad', value: `a ${tag} that is not closed`, start, end: text.length };
  return { kind: 'text', value: text.slice(from, close), start, end: close + tag.length };
}

export function cursorOf(source: TextSource): Cursor {
  return { source, token: tokenAt(source, 0) };
}

/** The token after the current one, without moving. */
export function peekAfter(cursor: Cursor): Token {
  return tokenAt(cursor.source, cursor.token.end);
}

/** Moves on and gives the token that was current. */
export function take(cursor: Cursor): Token {
  const { token } = cursor;
  if (token.kind === 'bad') throw textFault(cursor.source, token.start, token.value);
  cursor.token = tokenAt(cursor.source, token.end);
  return token;
}

export function isPunct(token: Token, value: string): boolean {
  return token.kind === 'punct' && token.value === value;
}

/** Whether the token is this unquoted word, in any case; `value` is lower case. */
export function isWord(token: Token, value: string): boolean {
  return token.kind === 'word' && token.value.toLowerCase() === value;
}

export function acceptPunct(cursor: Cursor, value: string): boolean {
  const found = isPunct(cursor.token, value);
  if (found) take(cursor);
  return found;
}

export function acceptWord(cursor: Cursor, value: string): boolean {
  const found = isWord(cursor.token, value);
  if (found) take(cursor);
  return found;
}

export function expectPunct(cursor: Cursor, value: string): void {
  if (!acceptPunct(cursor, value)) throw unexpected(cursor, `\`${value}\``);
}

/** A name in any quoting: plain, `"…"`, `` `…` ``, `[…]`. */
export function takeName(cursor: Cursor, what: string): string {
  const { token } = cursor;
  if (isPunct(token, '[')) return bracketName(cursor);
  if (token.kind !== 'word' && token.kind !== 'quoted') throw unexpected(cursor, what);
  return take(cursor).value;
}

function bracketName(cursor: Cursor): string {
  const { source, token } = cursor;
  let value = '';
  for (let at = token.end; at < source.text.length; at++) {
    const char = source.text[at] as string;
    if (char === ']' && source.text[at + 1] !== ']') {
      cursor.token = tokenAt(source, at + 1);
      return value;
    }
    if (char === ']') at++;
    value += char;
  }
  throw textFault(source, token.start, 'a [ that is not closed');
}

const closers: ReadonlyMap<string, string> = new Map([
  ['(', ')'],
  ['[', ']'],
  ['<', '>'],
  ['{', '}'],
]);

/**
 * Passes over one token, or over a whole bracketed group when it opens one, and gives the offset behind it.
 * `angles`: whether `<` opens a group.
 */
export function skipGroup(cursor: Cursor, angles = false): number {
  const open = take(cursor);
  let { end } = open;
  const expected: string[] = [];
  const enter = (token: Token): boolean => {
    const closer = token.kind === 'punct' && (angles || token.value !== '<') ? closers.get(token.value) : undefined;
    if (closer !== undefined) expected.push(closer);
    return closer !== undefined;
  };
  enter(open);
  while (expected.length > 0) {
    if (cursor.token.kind === 'end') throw textFault(cursor.source, open.start, `a ${open.value} that is not closed`);
    const token = take(cursor);
    end = token.end;
    if (!enter(token) && isPunct(token, expected.at(-1) as string)) expected.pop();
  }
  return end;
}

/** The fault of a token that does not belong there. */
export function unexpected(cursor: Cursor, wanted: string): Fault {
  const { token, source } = cursor;
  if (token.kind === 'bad') return textFault(source, token.start, token.value);
  const found = token.kind === 'end' ? 'the text ends' : `\`${source.text.slice(token.start, token.end)}\` stands`;
  return textFault(source, token.start, `${found} where ${wanted} is expected`);
}

/** A SCHEMA_TEXT fault at an offset. Columns count UTF-16 units from 1. Without a file the message itself names the place. */
export function textFault(source: TextSource, offset: number, message: string): Fault {
  const before = source.text.slice(0, offset).split('\n');
  const line = before.length;
  const column = (before.at(-1) as string).length + 1;
  const place = source.file === undefined ? { line, column } : { file: source.file, line, column };
  const where = line === 1 ? `column ${column}: ` : `line ${line}, column ${column}: `;
  return new Fault('SCHEMA_TEXT', source.file === undefined ? `${where}${message}` : message, { place });
}
