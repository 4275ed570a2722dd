/**
 * How one place of a value is read: the pieces of which `coerceSql` is composed, for a whole column and, by nesting, for each part.
 *
 * In all of them `t` is the value as it arrives and `p` the same value prepared (level 2). Both are evaluated several times:
 * columns or cheap pieces of SQL, never big expressions.
 */
import type { SourceForm } from '../../../core/coercions/coercion.ts';
import type { ColumnRule } from '../../../core/model/policy.ts';
import type { LogicalType } from '../../../core/model/type.ts';
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
}

/** One place in a value: the column itself or something inside it. */
export interface Site {
  readonly path: string;
  readonly to: LogicalType;
  readonly rule: ColumnRule;
  /** What `onInvalid: default` stores; undefined when there is nothing. */
  readonly defaultSql: string | undefined;
  /** A part of a nested value. */
  readonly inside: boolean;
  readonly world: World;
}

/** Whether refused values of a place let the whole record go. `none`: no value can be refused there. */
export type Rejecting = 'none' | 'never' | 'always' | 'some';

export interface Reading {
  readonly prep: (t: string) => string;
  /** The value in the type of `sqlType`; json for a nested value inside of another. */
  readonly strict: (t: string, p: string) => string;
  /** From a value as it arrives: json, an object of `v`, the value under the policies as json, and `i`, its issues. */
  readonly settle: (t: string) => string;
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
