/** Maps: objects whose keys are values too. */
import type { LogicalType } from '../../../core/model/type.ts';
import { asJson, jsonPiece } from './json-form.ts';
import { caseSql, fresh } from './levels.ts';
import type { Part, Split } from './nested.ts';
import { flattened, overRows, shaped } from './nested.ts';
import { issueSql, jsonFallback, leafReading, ownRejecting, settled, settledIssues, settledValue } from './policy-sql.ts';
import type { Leaf, Reading, Site } from './reading.ts';
import { nullOf } from './sql-type.ts';

/**
 * A map from keys and values. A key that does not fit, or two keys that become one, are faults of the map itself:
 * an entry without a key cannot be stored.
 */
export function mapReading(
  site: Site,
  split: Split,
  parts: { readonly key: Leaf; readonly keyType: LogicalType; readonly value: Part; readonly valueType: LogicalType },
): Reading {
  const { keyType, valueType } = parts;
  const { reading, take } = parts.value;
  const key = leafReading(parts.key, {
    ...site,
    to: keyType,
    rule: { ...site.rule, onLossy: 'invalid' },
    defaultSql: site.defaultSql && nullOf(keyType),
  });
  const [k, e, n, kp, ks, kt] = [fresh(), fresh(), fresh(), fresh(), fresh(), fresh()];
  const rows = (j: string): string => `json_each(${j}) WITH ORDINALITY AS ${fresh()}(${k}, ${e}, ${n})`;
  const keyLevels = [[[kp, key.prep(k)]], [[ks, key.strict(k, kp)]], [[kt, `(${asJson(keyType, ks)} #>> '{}')`]]] as const;
  const hasLostKey = `coalesce(bool_or(${ks} IS NULL), false)`;
  const hasEqualKeys = `count(DISTINCT ${kt} COLLATE "C") < count(*)`;
  const text = (piece: string): string =>
    `CAST('{' || coalesce(string_agg(CAST(to_json(${kt}) AS text) || ':' || ${piece}, ',' ORDER BY ${n}), '') || '}' AS json)`;
  const strict = (j: string): string => {
    const [t, p, s] = [fresh(), fresh(), fresh()];
    const all = reading.rejecting === 'none' ? 'true' : `coalesce(bool_and(${s} IS NOT NULL OR ${p} IS NULL), true)`;
    return overRows(
      rows(j),
      [...keyLevels, [[t, take(e)]], [[p, reading.prep(t)]], [[s, reading.strict(t, p)]]],
      `CASE WHEN ${j} IS NOT NULL AND ${all} AND NOT ${hasLostKey} AND NOT (${hasEqualKeys}) THEN ${text(jsonPiece(valueType, s))} END`,
    );
  };
  const settle = (j: string): string => {
    const [r, i] = [fresh(), fresh()];
    const lost = `CASE WHEN ${ks} IS NULL THEN ${key.issues(k, kp)} END`;
    const inner = flattened(`jsonb_agg(${settledIssues(r)} ORDER BY ${n})`);
    const keys = flattened(`jsonb_agg(${i} ORDER BY ${n}) FILTER (WHERE ${i} IS NOT NULL)`);
    const equal = issueSql(site, { code: `'invalid_value:duplicate_key_in_object'`, value: split.shown(`CAST(${j} AS text)`) });
    const value = caseSql([[`${hasLostKey} OR ${hasEqualKeys}`, jsonFallback(site)]], text(`CAST(${settledValue(r)} AS text)`));
    const issues = caseSql(
      [
        [hasLostKey, `${keys} || ${inner}`],
        [hasEqualKeys, `${equal} || ${inner}`],
      ],
      inner,
    );
    return overRows(rows(j), [...keyLevels, [[r, reading.settle(take(e))]], [[i, lost]]], settled(value, issues));
  };
  return shaped(site, split, { strict, settle, rejecting: [reading.rejecting, ownRejecting(site)] });
}
