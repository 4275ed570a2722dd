/** Schemas from CREATE TABLE statements of DuckDB, PostgreSQL, Spark, BigQuery and T-SQL. */
import type { Cursor, TextSource, Token } from '../model/type-text-lexer.ts';
import {
  acceptPunct,
  acceptWord,
  cursorOf,
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
} from '../model/type-text-lexer.ts';
import type { TypeDialect } from '../model/type-text-scalars.ts';
import { foldKey, nameKey } from '../model/name.ts';
import type { Column, Schema } from '../model/schema.ts';
import { takeText } from '../model/type-text-parser.ts';
import { columnAt, nameList } from './ddl-column.ts';
import { detectDialect } from './ddl-dialect.ts';

export interface DdlOptions {
  /** Name of the file, for messages. */
  readonly file?: string;
  /** The table to take, with or without its schema; the first one when not given. */
  readonly table?: string;
  /** Whose DDL it is; guessed from the text when not given. */
  readonly dialect?: TypeDialect;
}

/**
 * The schema of a table as its CREATE TABLE statement declares it: types, NOT NULL, defaults, comments, key, partition and computed
 * columns.
 * Other statements and options that say nothing about columns are passed over.
 *
 * @throws Fault SCHEMA_TEXT, with file, line and column, when there is no such statement or it cannot be read.
 */
export function parseDdl(text: string, options: DdlOptions | string = {}): Schema {
  const { file, table, dialect } = typeof options === 'string' ? ({ file: options } as DdlOptions) : options;
  const chosen = dialect ?? detectDialect(text);
  const source: TextSource = { text, backslash: chosen === 'spark' || chosen === 'bigquery', ...(file === undefined ? {} : { file }) };
  const cursor = cursorOf(source);
  const others: string[] = [];
  while (skipToTable(cursor)) {
    const names = tableName(cursor);
    const columnsFollow = isPunct(cursor.token, '(');
    if (table !== undefined && !isNamed(names, table)) others.push(names.join('.'));
    else if (columnsFollow) return withComments(cursor, names, tableAt(cursor, names, chosen));
    else throw unexpected(cursor, 'a list of columns');
  }
  const found = others.length === 0 ? 'no CREATE TABLE statement' : `only the tables ${others.join(', ')}`;
  throw textFault(source, 0, table === undefined ? 'no CREATE TABLE statement was found' : `there is no table ${table}: ${found}`);
}

const modifiers: ReadonlySet<string> = new Set([
  'or',
  'replace',
  'temp',
  'temporary',
  'unlogged',
  'external',
  'transient',
  'global',
  'local',
  'foreign',
  'refresh',
]);

/** Moves behind the next CREATE … TABLE [IF NOT EXISTS]; false at the end of the text. */
function skipToTable(cursor: Cursor): boolean {
  while (cursor.token.kind !== 'end') {
    const create = isWord(cursor.token, 'create');
    if (isPunct(cursor.token, '(')) skipGroup(cursor);
    else take(cursor);
    if (!create) continue;
    while (cursor.token.kind === 'word' && modifiers.has(cursor.token.value.toLowerCase())) take(cursor);
    if (!acceptWord(cursor, 'table')) continue;
    for (const word of ['if', 'not', 'exists']) acceptWord(cursor, word);
    return true;
  }
  return false;
}

/** The parts of a table's name; BigQuery writes all of them inside one pair of backticks, and dashes in the project's name. */
function tableName(cursor: Cursor): readonly string[] {
  const parts: string[] = [];
  do {
    const quotedWhole = cursor.source.text[cursor.token.start] === '`';
    let part = takeName(cursor, 'the name of a table');
    while (acceptPunct(cursor, '-')) part += `-${take(cursor).value}`;
    parts.push(...(quotedWhole ? part.split('.') : [part]));
  } while (acceptPunct(cursor, '.'));
  return parts;
}

function isNamed(names: readonly string[], wanted: string): boolean {
  const full = foldKey(names.join('.'));
  const key = foldKey(wanted);
  return full === key || full.endsWith(`.${key}`) || key.endsWith(`.${full}`);
}

/** What is gathered while a statement is read. */
interface Draft {
  readonly columns: Column[];
  /** Keys of the names so far: a name stands once. */
  readonly names: Set<string>;
  readonly keys: string[];
  readonly partitions: string[];
}

function tableAt(cursor: Cursor, names: readonly string[], dialect: TypeDialect): Schema {
  const draft: Draft = { columns: [], names: new Set(), keys: [], partitions: [] };
  expectPunct(cursor, '(');
  do {
    elementAt(cursor, dialect, draft);
  } while (acceptPunct(cursor, ',') && !isPunct(cursor.token, ')'));
  expectPunct(cursor, ')');
  tailAt(cursor, dialect, draft);
  const keys = new Set(draft.keys.map(foldKey));
  const partitions = new Set(draft.partitions.map(foldKey));
  return {
    name: names.join('.'),
    columns: draft.columns.map((column) => ({
      ...column,
      ...(keys.has(foldKey(column.name)) ? { key: true, nullable: false } : {}),
      ...(partitions.has(foldKey(column.name)) ? { partition: true } : {}),
    })),
  };
}

/** The schema with the texts of the `COMMENT ON COLUMN` statements that follow. */
function withComments(cursor: Cursor, names: readonly string[], schema: Schema): Schema {
  const comments = new Map<string, string>();
  while (cursor.token.kind !== 'end') {
    const starts = isWord(cursor.token, 'comment');
    skipGroup(cursor);
    if (!starts || !acceptWord(cursor, 'on') || !acceptWord(cursor, 'column')) continue;
    const parts = tableName(cursor);
    if (!acceptWord(cursor, 'is') || isWord(cursor.token, 'null')) continue;
    const text = takeText(cursor, 'the text of the comment');
    if (parts.length > 1 && isNamed(names, parts.slice(0, -1).join('.'))) comments.set(nameKey(parts.at(-1) as string), text);
  }
  return {
    ...schema,
    columns: schema.columns.map((column) => {
      const comment = comments.get(nameKey(column.name));
      return comment === undefined ? column : { ...column, comment };
    }),
  };
}

function elementAt(cursor: Cursor, dialect: TypeDialect, draft: Draft): void {
  if (isTableConstraint(cursor, dialect)) constraintAt(cursor, draft);
  else addColumn(cursor, dialect, draft);
}

function addColumn(cursor: Cursor, dialect: TypeDialect, draft: Draft): void {
  const { start } = cursor.token;
  const column = columnAt(cursor, dialect);
  if (draft.names.has(nameKey(column.name))) throw textFault(cursor.source, start, `the column "${column.name}" is declared twice`);
  draft.names.add(nameKey(column.name));
  draft.columns.push(column);
}

/** Words that begin a constraint of the table when one of the others follows; any of them may also name a column. */
const constraintStarts: ReadonlyMap<string, readonly string[]> = new Map([
  ['primary', ['key']],
  ['foreign', ['key']],
  ['unique', ['(', 'key', 'nulls', 'clustered', 'nonclustered', 'index']],
  ['check', ['(']],
  ['exclude', ['using', '(']],
  ['period', ['for']],
]);

function isTableConstraint(cursor: Cursor, dialect: TypeDialect): boolean {
  const { token } = cursor;
  if (token.kind !== 'word') return false;
  const word = token.value.toLowerCase();
  const next = peekAfter(cursor);
  if (word === 'constraint') return isConstraintBody(cursor, next);
  if (word === 'like') return next.kind === 'word' || next.kind === 'quoted';
  if (word === 'index') return dialect === 'tsql';
  return constraintStarts.get(word)?.some((follower) => isWord(next, follower) || isPunct(next, follower)) ?? false;
}

/** `CONSTRAINT name PRIMARY …` and not a column named constraint. */
function isConstraintBody(cursor: Cursor, name: Token): boolean {
  const body = isPunct(name, '[') ? afterBrackets(cursor, name) : tokenAt(cursor.source, name.end);
  return body.kind === 'word' && constraintStarts.has(body.value.toLowerCase());
}

function afterBrackets({ source }: Cursor, open: Token): Token {
  const close = source.text.indexOf(']', open.end);
  return tokenAt(source, close < 0 ? source.text.length : close + 1);
}

function constraintAt(cursor: Cursor, draft: Draft): void {
  if (acceptWord(cursor, 'constraint')) takeName(cursor, 'the name of a constraint');
  if (acceptWord(cursor, 'primary')) {
    for (const word of ['key', 'clustered', 'nonclustered']) acceptWord(cursor, word);
    draft.keys.push(...nameList(cursor));
  }
  while (!isPunct(cursor.token, ',') && !isPunct(cursor.token, ')')) {
    if (cursor.token.kind === 'end') throw unexpected(cursor, '`)`');
    skipGroup(cursor);
  }
}

/** What follows the list of columns, up to the end of the statement. */
function tailAt(cursor: Cursor, dialect: TypeDialect, draft: Draft): void {
  while (cursor.token.kind !== 'end' && !isPunct(cursor.token, ';') && !isWord(cursor.token, 'create')) {
    const starts = isWord(cursor.token, 'partitioned') || isWord(cursor.token, 'partition');
    skipGroup(cursor);
    if (starts && acceptWord(cursor, 'by')) partitionAt(cursor, dialect, draft);
  }
}

/** `(a, b)`, `(a INT, days(b))`, `RANGE (a)`, `a`, `DATE(a)`: plain names are partition columns, functions of columns are not. */
function partitionAt(cursor: Cursor, dialect: TypeDialect, draft: Draft): void {
  for (const word of ['range', 'list', 'hash']) acceptWord(cursor, word);
  if (!acceptPunct(cursor, '(')) {
    if (isPunct(peekAfter(cursor), '(')) return;
    draft.partitions.push(takeName(cursor, 'the name of a column'));
    return;
  }
  do {
    partitionEntry(cursor, dialect, draft);
  } while (acceptPunct(cursor, ','));
  expectPunct(cursor, ')');
}

function partitionEntry(cursor: Cursor, dialect: TypeDialect, draft: Draft): void {
  if (isPunct(cursor.token, '(') || isPunct(peekAfter(cursor), '(')) {
    if (!isPunct(cursor.token, '(')) take(cursor);
    skipGroup(cursor);
    return;
  }
  const entry = cursor.token;
  draft.partitions.push(takeName(cursor, 'the name of a column'));
  if (isPunct(cursor.token, ',') || isPunct(cursor.token, ')')) return;
  cursor.token = entry;
  addColumn(cursor, dialect, draft);
}
