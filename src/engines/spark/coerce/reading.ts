/**
 * How one place of a value is read: the pieces of which `coerceSql` is composed, for a whole column and, by nesting, for each part.
 *
 * In all of them `t` is the value as it arrives and `p` the same value prepared (level 2). Both are evaluated several times:
 * columns, lambda variables or parts of them, never big expressions.
 */
import type { SourceForm } from '../../../core/coercions/coercion.ts';
import type { ColumnRule } from '../../../core/model/policy.ts';
import type { LogicalType } from '../../../core/model/type.ts';
import { ident, literal } from '../quote.ts';
import type { CoerceContext, ScalarRenderer, SqlNote } from './sql-coercion.ts';

/** What holds for the whole column while its parts are read. */
export interface World {
  readonly context: CoerceContext;
  /** Rules by full path. */
  readonly nested: ReadonlyMap<string, ColumnRule>;
  /** Rule of the parts that have none of their own. */
  readonly inherited: ColumnRule;
  readonly scalar: (to: LogicalType) => ScalarRenderer;
  readonly read: (from: SourceForm, site: Site) => Reading;
  readonly each: Each;
}

/**
 * `transform` with fresh variables, one stage after the other, so that a big expression is written and computed once: each stage
 * packs what the next one needs.
 */
export type Each = (list: string, ...stages: readonly ((variable: string) => string)[]) => string;

/** One place in a value: the column itself or something inside it. */
export interface Site {
  readonly path: string;
  readonly to: LogicalType;
  readonly rule: ColumnRule;
  /** What `onInvalid: default` stores; undefined when there is nothing. */
  readonly defaultSql: string | undefined;
  /** Inside a lambda: a part of a nested value. */
  readonly inside: boolean;
  readonly world: World;
}

/** Whether refused values of a place let the whole record go. `none`: no value can be refused there. */
export type Rejecting = 'none' | 'never' | 'always' | 'some';

export interface Reading {
  readonly prep: (t: string) => string;
  /** True when `prep` gives back what it is given. */
  readonly plain: boolean;
  readonly strict: (t: string, p: string) => string;
  /** From a list of values: a list of STRUCT<v, n>, the strict value and whether there was any. */
  readonly strictEach: (list: string) => string;
  /** From a list of values: a list of STRUCT<v, i>, the value under the policies and its issues. */
  readonly settleEach: (list: string) => string;
  readonly rejecting: Rejecting;
  /** The next three are asked for refused values only. */
  readonly relaxed: (t: string, p: string) => string;
  readonly rejects: (t: string, p: string) => string;
  readonly issues: (t: string, p: string) => string;
  readonly notes: (place: NotePlace) => readonly SqlNote[];
}

/** Where remarks are looked for: `t` and `p` as above, `s` the accepted value. */
export interface NotePlace {
  readonly t: string;
  readonly p: string;
  readonly s: string;
}

/** How a scalar is read, without any policy. */
export interface Leaf {
  readonly prep: (t: string) => string;
  readonly plain: boolean;
  readonly strict: (t: string, p: string) => string;
  /** Code of a refused value; undefined when every value fits. */
  readonly reason: ((t: string, p: string) => string) | undefined;
  readonly round?: ((t: string, p: string) => string) | undefined;
  readonly truncate?: ((t: string, p: string) => string) | undefined;
  /** The refused value as text for people. */
  readonly shown: (t: string, p: string) => string;
  readonly notes?: (place: NotePlace, path: string) => readonly SqlNote[];
}

export const structureCode = 'invalid_value:structure';

/** Lambda variables have names that no column of the staging levels has. */
export function chainer(): Each {
  let last = 0;
  return (list, ...stages) =>
    stages.reduce((input, stage) => {
      last += 1;
      const variable = `sa${last}`;
      return `transform(${input}, ${variable} -> ${stage(variable)})`;
    }, list);
}

/** Length of SQL from which it is better kept out of the generated code. */
const bigSql = 300;

/**
 * SQL over `x` that few values need. Spark interprets the bodies of lambdas, so it does not count toward the size of the generated code, which
 * Java compiles no more beyond 8,000 bytes and refuses beyond 64 KiB; and `x` is computed once.
 */
export function seldom({ world }: Pick<Site, 'world'>, x: string, render: (x: string) => string): string {
  const sql = render(x);
  return sql.length > bigSql ? `${world.each(`array(${x})`, render)}[0]` : sql;
}

/** A struct of named values. */
export const pack = (entries: Readonly<Record<string, string>> | readonly (readonly [name: string, value: string])[]): string => {
  const pairs = Array.isArray(entries) ? entries : Object.entries(entries);
  return `named_struct(${pairs.map(([name, value]) => `${literal(name)}, ${value}`).join(', ')})`;
};

/** A member of a struct. */
export const member = (struct: string, name: string): string => `${struct}.${ident(name)}`;

/** A `CASE` that needs no branch when there is none. */
export function caseSql(branches: readonly (readonly [when: string, then: string])[], otherwise: string): string {
  if (branches.length === 0) return otherwise;
  return `CASE ${branches.map(([when, then]) => `WHEN ${when} THEN ${then}`).join(' ')} ELSE ${otherwise} END`;
}
