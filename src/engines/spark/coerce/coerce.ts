/** SQL of one coercion: the entry to this folder. */
import type { Coercion, SourceForm } from '../../../core/coercions/coercion.ts';
import { Fault } from '../../../core/fault.ts';
import type { ColumnRule } from '../../../core/model/policy.ts';
import type { LogicalType, TypeKind } from '../../../core/model/type.ts';
import { jsonReading } from './form-json.ts';
import { textReading } from './form-text.ts';
import { typedReading } from './form-typed.ts';
import { constantSql, inheritedRule } from './policy-sql.ts';
import type { Reading, Site, World } from './reading.ts';
import { chainer } from './reading.ts';
import { scalarText } from './scalar-text.ts';
import type { CoerceContext, ScalarRenderer, SqlCoercion, SqlInput } from './sql-coercion.ts';
import { temporalText } from './temporal.ts';

const renderers: Partial<Record<TypeKind, ScalarRenderer>> = { ...scalarText, ...temporalText };

function scalar(to: LogicalType): ScalarRenderer {
  const renderer = renderers[to.kind];
  if (renderer === undefined) throw new Fault('GAP', `text cannot be turned into ${to.kind === 'unknown' ? to.text : to.kind}`);
  return renderer;
}

type Reader<F extends SourceForm['form']> = (site: Site, from: Extract<SourceForm, { form: F }>) => Reading;

const readers: { readonly [F in SourceForm['form']]: Reader<F> } = {
  text: textReading,
  json: jsonReading,
  typed: (site, from) => typedReading(site, from.type),
};

function read(from: SourceForm, site: Site): Reading {
  return (readers[from.form] as (site: Site, from: SourceForm) => Reading)(site, from);
}

function worldOf(rule: ColumnRule, nested: ReadonlyMap<string, ColumnRule>, context: CoerceContext): World {
  return { context, nested, inherited: inheritedRule(rule), scalar, read, each: chainer() };
}

/**
 * The SQL of one coercion, for the levels described in sql-coercion.ts. Nothing in it depends on settings of the session.
 * Throws GAP when the target is a type that only some engine knows, or one that Spark does not have.
 */
export function coerceSql(coercion: Coercion, input: SqlInput, context: CoerceContext): SqlCoercion {
  const { path, to, rule, nested, defaultSql } = coercion;
  const reading = read(coercion.from, { path, to, rule, defaultSql, inside: false, world: worldOf(rule, nested, context) });
  const { raw, text, strict } = input;
  return {
    text: reading.prep(raw),
    strict: reading.strict(raw, text),
    refused: reading.rejecting === 'none' ? 'false' : `(${strict} IS NULL AND ${text} IS NOT NULL)`,
    relaxed: reading.relaxed(raw, text),
    rejects: reading.rejects(raw, text),
    issues: reading.issues(raw, text),
    notes: reading.notes({ t: raw, p: text, s: strict }),
  };
}

/** The value of a text of the configuration, such as a default, in the target's type; NULL when the law refuses it. */
export function constantValue(text: string, to: LogicalType, rule: ColumnRule): string {
  return constantSql(text, { path: '', to, rule, defaultSql: undefined, inside: false, world: worldOf(rule, new Map(), { nul: true }) });
}
