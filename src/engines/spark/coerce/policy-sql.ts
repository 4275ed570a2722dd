/** What becomes of refused values: the column policies in SQL. */
import type { ColumnRule, OnInvalid } from '../../../core/model/policy.ts';
import { literal } from '../quote.ts';
import type { Leaf, Reading, Rejecting, Site } from './reading.ts';
import { caseSql, member, pack } from './reading.ts';
import { nullOf, sqlType } from './sql-type.ts';

export const issueType = 'STRUCT<path: STRING, code: STRING, outcome: STRING, value: STRING>';
export const noIssues = `CAST(array() AS ARRAY<${issueType}>)`;

type Outcome = 'rejected' | 'nulled' | 'defaulted' | 'altered';

const outcomes: Record<OnInvalid, Outcome> = { error: 'rejected', quarantine: 'rejected', null: 'nulled', default: 'defaulted' };

const outcomeOf = ({ rule, defaultSql }: Site): Outcome =>
  rule.onInvalid === 'default' && defaultSql === undefined ? 'nulled' : outcomes[rule.onInvalid];

/** What a refused value is replaced by, other than by rounding. */
export function fallback(site: Site): string {
  return outcomeOf(site) === 'defaulted' ? `CAST(${site.defaultSql} AS ${sqlType(site.to)})` : nullOf(site.to);
}

export const ownRejecting = (site: Site): Rejecting => (outcomeOf(site) === 'rejected' ? 'always' : 'never');

/** Of a place that is refused when any of its parts is. */
export function joinRejecting(parts: readonly Rejecting[]): Rejecting {
  const kinds = new Set(parts.filter((part) => part !== 'none'));
  if (kinds.size > 1) return 'some';
  return [...kinds][0] ?? 'none';
}

/** The issue of one refused value; `code`, `value` and `outcome` are SQL. */
export function issueSql(site: Site, issue: { readonly code: string; readonly value: string; readonly outcome?: string }): string {
  const outcome = issue.outcome ?? literal(outcomeOf(site));
  const texts = { path: literal(site.path), code: issue.code, outcome, value: issue.value };
  return `CAST(${pack(texts)} AS ${issueType})`;
}

export const settled = (value: string, issues: string): string => pack({ v: value, i: issues });

/** A list of issues that holds one with which the record must go. */
export const anyRejected = (issues: string): string => `exists(${issues}, issue -> issue.outcome = 'rejected')`;

/** The nearby value that the rule allows for a lossy one, NULL when there is none; undefined when the rule allows none. */
function nearby(leaf: Leaf, rule: ColumnRule): Leaf['round'] {
  if (rule.onLossy === 'invalid') return undefined;
  return rule.onLossy === 'round' ? leaf.round : leaf.truncate;
}

/** A scalar with its policies. */
export function leafReading(leaf: Leaf, site: Site): Reading {
  const { each } = site.world;
  const near = nearby(leaf, site.rule);
  const reason = leaf.reason ?? (() => 'NULL');
  const altered = (t: string, p: string, code: string): string =>
    near === undefined ? nullOf(site.to) : `CASE WHEN startswith(${code}, 'lossy_value') THEN ${near(t, p)} END`;
  const stored = (value: string): string => (near === undefined ? fallback(site) : `coalesce(${value}, ${fallback(site)})`);
  const listed = (t: string, p: string, fault: { readonly code: string; readonly altered: string }): string => {
    const outcome = `CASE WHEN ${fault.altered} IS NULL THEN ${literal(outcomeOf(site))} ELSE 'altered' END`;
    return `array(${issueSql(site, { code: fault.code, value: leaf.shown(t, p), ...(near === undefined ? {} : { outcome }) })})`;
  };
  const ready = (list: string): string => each(list, (t) => pack({ t, p: leaf.plain ? t : leaf.prep(t) }));
  const settleEach = (list: string): string => {
    const at = (e: string) => ({ t: member(e, 't'), p: member(e, 'p'), s: member(e, 's'), code: member(e, 'c'), altered: member(e, 'a') });
    const read = (e: string): string => pack({ ...pairOf(at(e)), s: leaf.strict(at(e).t, at(e).p) });
    if (leaf.reason === undefined) return each(ready(list), read, (e) => settled(at(e).s, noIssues));
    const coded = (e: string): string =>
      pack({
        ...pairOf(at(e)),
        s: at(e).s,
        c: `CASE WHEN ${at(e).s} IS NULL AND ${at(e).p} IS NOT NULL THEN ${reason(at(e).t, at(e).p)} END`,
      });
    const rounded = (e: string): string => pack({ ...pairOf(at(e)), s: at(e).s, c: at(e).code, a: altered(at(e).t, at(e).p, at(e).code) });
    return each(ready(list), read, coded, rounded, (e) =>
      caseSql([[`${at(e).code} IS NULL`, settled(at(e).s, noIssues)]], settled(stored(at(e).altered), listed(at(e).t, at(e).p, at(e)))),
    );
  };
  return {
    prep: leaf.prep,
    plain: leaf.plain,
    strict: leaf.strict,
    strictEach: (list) =>
      each(ready(list), (e) => pack({ v: leaf.strict(member(e, 't'), member(e, 'p')), n: `(${member(e, 'p')} IS NOT NULL)` })),
    settleEach,
    rejecting: leafRejecting(leaf, site, near !== undefined),
    relaxed: (t, p) => stored(altered(t, p, reason(t, p))),
    rejects: (t, p) => {
      if (leaf.reason === undefined || ownRejecting(site) === 'never') return 'false';
      return near === undefined ? 'true' : `(${altered(t, p, reason(t, p))} IS NULL)`;
    },
    issues: (t, p) => (leaf.reason === undefined ? noIssues : listed(t, p, { code: reason(t, p), altered: altered(t, p, reason(t, p)) })),
    notes: (place) => leaf.notes?.(place, site.path) ?? [],
  };
}

const pairOf = ({ t, p }: { readonly t: string; readonly p: string }): { t: string; p: string } => ({ t, p });

function leafRejecting(leaf: Leaf, site: Site, near: boolean): Rejecting {
  if (leaf.reason === undefined) return 'none';
  const own = ownRejecting(site);
  return own === 'always' && near ? 'some' : own;
}

/** The rule without what belongs to one path alone: default, null tokens, source names, formats. */
export function inheritedRule(rule: ColumnRule): ColumnRule {
  const { default: _default, formats: _formats, ...rest } = rule;
  return { ...rest, from: [], nullValues: [] };
}

/** A text of the configuration, read into a type by the law; NULL when it does not fit. */
export function constantSql(text: string, site: Site): string {
  const reading = site.world.read({ form: 'text' }, { ...site, rule: { ...site.rule, onInvalid: 'null' } });
  return `${site.world.each(`array(${literal(text)})`, (x) => reading.strict(x, x))}[0]`;
}

/** The place of a part below `parent`. Its default, if it has one, is read from text by the law of its own type. */
export function partSite(parent: Site, path: string, to: Site['to']): Site {
  const { world } = parent;
  const rule = world.nested.get(path) ?? world.inherited;
  const site: Site = { path, to, rule, world, inside: true, defaultSql: undefined };
  if (rule.default === undefined || rule.onInvalid !== 'default') return site;
  return { ...site, defaultSql: constantSql(rule.default, site) };
}
