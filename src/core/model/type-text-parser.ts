/** Reads one type at the cursor. DDL readers use it for the type of a column. */
import type { Cursor, Token } from './type-text-lexer.ts';
import {
  acceptPunct,
  acceptWord,
  expectPunct,
  isPunct,
  isWord,
  peekAfter,
  skipGroup,
  take,
  takeName,
  textFault,
  tokenAt,
  unexpected,
} from './type-text-lexer.ts';
import type { TypeArguments, TypeDialect } from './type-text-scalars.ts';
import { scalarOf } from './type-text-scalars.ts';
import type { Field, LogicalType } from './type.ts';
import { list, map, struct, unknown } from './type.ts';

/** Types nested deeper than this are refused, so that no text can exhaust the stack. */
const deepest = 100;

interface Context {
  readonly cursor: Cursor;
  readonly dialect: TypeDialect;
  readonly depth: number;
}

/** The type at the cursor, which then stands behind it. A type without a logical equal is `unknown` with its own spelling. */
export function typeAt(cursor: Cursor, dialect: TypeDialect): LogicalType {
  return readType({ cursor, dialect, depth: 0 });
}

function readType(context: Context): LogicalType {
  const { cursor, depth } = context;
  if (depth > deepest) throw textFault(cursor.source, cursor.token.start, `types are nested more than ${deepest} levels deep`);
  let type = readBase({ ...context, depth: depth + 1 });
  for (let suffixes = 0; acceptArraySuffix(cursor); suffixes++) {
    if (suffixes > deepest) throw unexpected(cursor, `a type of at most ${deepest} levels`);
    type = list(type);
  }
  return type;
}

/** `[]`, `[3]`, `ARRAY`, `ARRAY[3]` behind a type. */
function acceptArraySuffix(cursor: Cursor): boolean {
  const word = acceptWord(cursor, 'array');
  if (!isArrayBrackets(cursor)) return word;
  skipGroup(cursor);
  return true;
}

function isArrayBrackets(cursor: Cursor): boolean {
  if (!isPunct(cursor.token, '[')) return false;
  const inside = peekAfter(cursor);
  return isPunct(inside, ']') || (inside.kind === 'number' && isPunct(tokenAt(cursor.source, inside.end), ']'));
}

type Composite = (context: Context, close: string) => LogicalType;

const listParts: Composite = (context, close) => {
  const element = readType(context);
  expectPunct(context.cursor, close);
  return list(element);
};

const mapParts: Composite = (context, close) => {
  const key = readType(context);
  expectPunct(context.cursor, ',');
  const value = readType(context);
  expectPunct(context.cursor, close);
  return map(key, value);
};

const structParts: Composite = (context, close) => {
  const { cursor } = context;
  const fields: Field[] = [];
  if (acceptPunct(cursor, close)) return struct(fields);
  do {
    fields.push(readField(context));
  } while (acceptPunct(cursor, ','));
  expectPunct(cursor, close);
  return struct(fields);
};

/** `unknown<"…">` is how the canonical text writes a spelling that would not read back by itself. */
const unknownParts: Composite = ({ cursor }, close) => {
  if (cursor.token.kind !== 'quoted') throw unexpected(cursor, 'a quoted spelling');
  const text = take(cursor).value;
  expectPunct(cursor, close);
  return unknown(text);
};

const composites: ReadonlyMap<string, Composite> = new Map([
  ['struct', structParts],
  ['row', structParts],
  ['list', listParts],
  ['array', listParts],
  ['map', mapParts],
  ['unknown', unknownParts],
]);
const brackets: ReadonlyMap<string, string> = new Map([
  ['<', '>'],
  ['(', ')'],
]);

function readBase(context: Context): LogicalType {
  const { cursor } = context;
  const first = cursor.token;
  if (isPunct(first, '[')) return readBracketed(context);
  if (first.kind === 'quoted') return readUnknown(cursor);
  if (first.kind !== 'word' || ends.has(first.value.toLowerCase())) throw unexpected(cursor, 'a type');
  const next = peekAfter(cursor);
  const close = next.kind === 'punct' ? brackets.get(next.value) : undefined;
  const composite = close === undefined ? undefined : composites.get(first.value.toLowerCase());
  if (composite === undefined || close === undefined) return readScalar(context);
  take(cursor);
  take(cursor);
  return composite(context, close);
}

/** T-SQL's `[int]`, `[decimal](10, 2)`, `[sys].[int]`. */
function readBracketed({ cursor, dialect }: Context): LogicalType {
  const start = cursor.token.start;
  let name = takeName(cursor, 'a type');
  while (acceptPunct(cursor, '.')) name = takeName(cursor, 'a type');
  const args = isPunct(cursor.token, '(') ? readArguments(cursor) : [];
  const type = args && scalarOf(name.toLowerCase(), dialect)?.(args);
  if (type && 'wrong' in type) throw textFault(cursor.source, start, type.wrong);
  return type ?? unknown(name);
}

function readField(context: Context): Field {
  const { cursor } = context;
  const name = takeName(cursor, 'the name of a field');
  acceptPunct(cursor, ':');
  const type = readType(context);
  let field: Field = { name, type };
  for (;;) {
    if (isWord(cursor.token, 'not') && isWord(peekAfter(cursor), 'null')) {
      take(cursor);
      take(cursor);
      field = { ...field, nullable: false };
    } else if (acceptWord(cursor, 'comment')) {
      field = { ...field, comment: takeText(cursor, 'the text of the comment') };
    } else if (isWord(cursor.token, 'options') && isPunct(peekAfter(cursor), '(')) {
      take(cursor);
      field = { ...field, ...descriptionOption(cursor) };
    } else if (!acceptWord(cursor, 'null')) {
      return field;
    }
  }
}

export function takeText(cursor: Cursor, what: string): string {
  if (cursor.token.kind !== 'text' && cursor.token.kind !== 'quoted') throw unexpected(cursor, what);
  return take(cursor).value;
}

/** The comment in BigQuery's `(description="…", …)`; the cursor stands on the parenthesis. */
export function descriptionOption(cursor: Cursor): { readonly comment?: string } {
  expectPunct(cursor, '(');
  let comment: string | undefined;
  while (!isPunct(cursor.token, ')')) {
    if (cursor.token.kind === 'end') throw unexpected(cursor, '`)`');
    const isDescription = isWord(cursor.token, 'description') && isPunct(peekAfter(cursor), '=');
    skipGroup(cursor);
    if (!isDescription) continue;
    take(cursor);
    comment = takeText(cursor, 'the text of the description');
  }
  take(cursor);
  return comment === undefined ? {} : { comment };
}

/** The longest phrase of up to three words that names a type, its arguments, and a time zone clause. */
function readScalar(context: Context): LogicalType {
  const { cursor, dialect } = context;
  const start = cursor.token;
  const phrase = longestPhrase(cursor, dialect);
  if (phrase === undefined) return readUnknown(cursor);
  for (let n = 0; n < phrase.words; n++) take(cursor);
  const args = isPunct(cursor.token, '(') ? readArguments(cursor) : [];
  const zone = zoneClause(cursor);
  const scalar = scalarOf(`${phrase.spelling}${zone ?? ''}`, dialect);
  const type = args && scalar?.(args);
  if (type && 'wrong' in type) throw textFault(cursor.source, start.start, type.wrong);
  if (type !== undefined && !isWord(cursor.token, 'unsigned')) return type;
  cursor.token = start;
  return readUnknown(cursor);
}

function longestPhrase(cursor: Cursor, dialect: TypeDialect): { readonly words: number; readonly spelling: string } | undefined {
  let found: { words: number; spelling: string } | undefined;
  let spelling = '';
  let token = cursor.token;
  for (let words = 1; words <= 3 && token.kind === 'word'; words++) {
    spelling += `${words === 1 ? '' : ' '}${token.value.toLowerCase()}`;
    if (scalarOf(spelling, dialect) !== undefined) found = { words, spelling };
    token = tokenAt(cursor.source, token.end);
  }
  return found;
}

/** ` with time zone`, ` without time zone`, ` with local time zone`, taken from the text where one stands. */
function zoneClause(cursor: Cursor): string | undefined {
  let token: Token = cursor.token;
  let clause = '';
  for (let words = 0; words < 4 && token.kind === 'word'; words++) {
    clause += ` ${token.value.toLowerCase()}`;
    token = tokenAt(cursor.source, token.end);
    if (!/^ (?:with|without|with local) time zone$/.test(clause)) continue;
    cursor.token = token;
    return clause;
  }
  return undefined;
}

/** Arguments in parentheses; undefined when they are not whole numbers. */
function readArguments(cursor: Cursor): TypeArguments | undefined {
  const open = cursor.token;
  take(cursor);
  const args: (number | 'max')[] = [];
  do {
    const token = cursor.token;
    const plain = token.kind === 'number' && /^\d{1,15}$/.test(token.value);
    if (!plain && !isWord(token, 'max')) {
      cursor.token = open;
      skipGroup(cursor);
      return undefined;
    }
    // Oracle's VARCHAR2(10 CHAR)
    take(cursor);
    if (!acceptWord(cursor, 'char')) acceptWord(cursor, 'byte');
    args.push(plain ? Number(token.value) : 'max');
  } while (acceptPunct(cursor, ','));
  expectPunct(cursor, ')');
  return args;
}

/** Words that end the spelling of an unknown type: what may follow a type in DDL. */
const ends: ReadonlySet<string> = new Set([
  'not',
  'null',
  'comment',
  'default',
  'primary',
  'unique',
  'check',
  'references',
  'constraint',
  'generated',
  'as',
  'collate',
  'options',
  'identity',
  'using',
  'sparse',
  'masked',
  'auto_increment',
  'autoincrement',
  'on',
  'hidden',
  'rowguidcol',
  'enforced',
  'compression',
  'encode',
]);

function readUnknown(cursor: Cursor): LogicalType {
  const { start } = cursor.token;
  let end = start;
  for (let token = cursor.token; !endsUnknown(cursor, token, start); token = cursor.token) {
    end = skipGroup(cursor, true);
  }
  return unknown(cursor.source.text.slice(start, end));
}

function endsUnknown(cursor: Cursor, token: Token, start: number): boolean {
  if (token.kind === 'end') return true;
  if (token.kind === 'punct') return !['(', '<', '.', '%'].includes(token.value);
  return token.start > start && token.kind === 'word' && (ends.has(token.value.toLowerCase()) || isWord(cursor.token, 'array'));
}
