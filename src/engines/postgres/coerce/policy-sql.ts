/** What becomes of refused values: the column policies in SQL. */
import type { ColumnRule, OnInvalid } from '../../../core/model/policy.ts';
import { literal } from '../quote.ts';
import { asJson } from './json-form.ts';
import { caseSql, fresh, inLevels, once } from './levels.ts';
import type { Leaf, Reading, Rejecting, Site } from './reading.ts';
import { isScalar, nullOf, sqlType } from './sql-type.ts';

export const noIssues = `CAST('[]' AS jsonb)`;

type Outcome = 'rejected' | 'nulled' | 'defaulted' | 'altered';

const outcomes: Record<OnInvalid, Outcome> = { error: 'rejected', quarantine: 'rejected', null: 'nulled', default: 'defaulted' };

const outcomeOf = ({ rule, defaultSql }: Site): Outcome =>
  rule.onInvalid === 'default' && defaultSql === undefined ? 'nulled' : outcomes[rule.onInvalid];

/** What a refused value is replaced by, other than by rounding. */
function fallback(site: Site): string {
  return outcomeOf(site) === 'defaulted' ? `CAST(${site.defaultSql} AS ${sqlType(site.to)})` : nullOf(site.to);
}

/** The same as json. */
export function jsonFallback(site: Site): string {
  if (outcomeOf(site) !== 'defaulted') return 'CAST(NULL AS json)';
  return isScalar(site.to) ? asJson(site.to, fallback(site)) : `to_json(${fallback(site)})`;
}

export const ownRejecting = (site: Site): Rejecting => (outcomeOf(site) === 'rejected' ? 'always' : 'never');

/** Of a place that is refused when any of its parts is. */
export function joinRejecting(parts: readonly Rejecting[]): Rejecting {
  const kinds = new Set(parts.filter((part) => part !== 'none'));
  if (kinds.size > 1) return 'some';
  return [...kinds][0] ?? 'none';
}

/** A jsonb list of the issue of one refused value; `code`, `value` and `outcome` are SQL of text. */
export function issueSql(site: Site, issue: { readonly code: string; readonly value: string; readonly outcome?: string }): string {
  const outcome = issue.outcome ?? literal(outcomeOf(site));
  const object = `'path', ${literal(site.path)}, 'code', ${issue.code}, 'outcome', ${outcome}, 'value', ${issue.value}`;
  return `jsonb_build_array(jsonb_build_object(${object}))`;
}

/** Both of json: a value under the policies, and its issues. */
export const settled = (value: string, issues: string): string => `json_build_object('v', ${value}, 'i', ${issues})`;
export const settledValue = (pair: string): string => `(${pair} -> 'v')`;
export const settledIssues = (pair: string): string => `CAST(${pair} -> 'i' AS jsonb)`;

/** A list of issues that holds one with which the record must go. */
export const anyRejected = (issues: string): string => `(${issues} @> CAST('[{"outcome":"rejected"}]' AS jsonb))`;

/** The nearby value that the rule allows for a lossy one, NULL when there is none; undefined when the rule allows none. */
function nearby(leaf: Leaf, rule: ColumnRule): Leaf['round'] {
  if (rule.onLossy === 'invalid') return undefined;
  return rule.onLossy === 'round' ? leaf.round : leaf.truncate;
}

/** A scalar with its policies. */
export function leafReading(leaf: Leaf, site: Site): Reading {
  const near = nearby(leaf, site.rule);
  const reason = leaf.reason ?? (() => 'NULL');
  const altered = (t: string, p: string, code: string): string =>
    near === undefined ? nullOf(site.to) : `CASE WHEN ${code} LIKE 'lossy_value%' THEN ${near(t, p)} END`;
  const listed = (t: string, p: string, fault: { readonly code: string; readonly altered: string }): string => {
    const outcome = `CASE WHEN ${fault.altered} IS NULL THEN ${literal(outcomeOf(site))} ELSE 'altered' END`;
    return issueSql(site, { code: fault.code, value: leaf.shown(t, p), ...(near === undefined ? {} : { outcome }) });
  };
  const inAll = (t: string, p: string, use: (code: string, altered: string) => string): string =>
    once(reason(t, p), (code) => once(altered(t, p, code), (a) => use(code, a)));
  const settle = (raw: string): string => {
    const [t, p, s, c, a] = [fresh(), fresh(), fresh(), fresh(), fresh()];
    const code = leaf.reason === undefined ? 'CAST(NULL AS text)' : `CASE WHEN ${s} IS NULL AND ${p} IS NOT NULL THEN ${reason(t, p)} END`;
    return inLevels(
      [[[t, raw]], [[p, leaf.prep(t)]], [[s, leaf.strict(t, p)]], [[c, code]], [[a, altered(t, p, c)]]],
      caseSql(
        [
          [`${c} IS NULL`, settled(asJson(site.to, s), noIssues)],
          [`${a} IS NOT NULL`, settled(asJson(site.to, a), listed(t, p, { code: c, altered: a }))],
        ],
        settled(jsonFallback(site), listed(t, p, { code: c, altered: a })),
      ),
    );
  };
  return {
    prep: leaf.prep,
    strict: leaf.strict,
    settle,
    rejecting: leafRejecting(leaf, site, near !== undefined),
    relaxed: (t, p) => (near === undefined ? fallback(site) : inAll(t, p, (_, a) => `coalesce(${a}, ${fallback(site)})`)),
    rejects: (t, p) => {
      if (leaf.reason === undefined || ownRejecting(site) === 'never') return 'false';
      return near === undefined ? 'true' : inAll(t, p, (_, a) => `${a} IS NULL`);
    },
    issues: (t, p) => (leaf.reason === undefined ? noIssues : inAll(t, p, (code, a) => listed(t, p, { code, altered: a }))),
    notes: (place) => leaf.notes?.(place, site.path) ?? [],
  };
}

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

/** A text of the configuration, read into a type by the law; NULL when it does not fit. A constant would be cast while planning. */
export function constantSql(text: string, site: Site): string {
  const reading = site.world.read({ form: 'text' }, { ...site, rule: { ...site.rule, onInvalid: 'null' } });
  return once(`CAST(${literal(text)} AS text) COLLATE "C"`, (x) => reading.strict(x, x));
}

/** The place of a part below `parent`. Its default, if it has one, is read from text by the law of its own type. */
export function partSite(parent: Site, path: string, to: Site['to']): Site {
  const { world } = parent;
  const rule = world.nested.get(path) ?? world.inherited;
  const site: Site = { path, to, rule, world, inside: true, defaultSql: undefined };
  if (rule.default === undefined || rule.onInvalid !== 'default') return site;
  return { ...site, defaultSql: constantSql(rule.default, site) };
}
