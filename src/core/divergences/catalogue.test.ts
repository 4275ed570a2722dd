import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { catalogue, findKind, kindByCode, kindOf } from './catalogue.ts';
import { reasonOf, reasons } from './reasons.ts';
import { retired } from './retired.ts';

const folder = new URL('.', import.meta.url);
const notKinds = ['catalogue', 'divergence', 'example-text', 'explain', 'kind', 'reasons', 'retired', 'suggest-fix', 'wrap'];
const files = readdirSync(folder)
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  .map((name) => name.slice(0, -3));

/** The codes as they were given out. A line of this list is never changed; new kinds add lines. */
const givenOut = `
SA101 missing_column, SA102 extra_column, SA103 type_mismatch, SA104 name_variant, SA105 name_collision, SA106 column_order,
SA107 nullability_mismatch, SA201 invalid_value, SA202 lossy_value, SA203 nullability, SA204 ambiguous_format, SA205 null_budget,
SA301 malformed_record, SA302 malformed_file, SA303 duplicate_key, SA304 null_key, SA305 empty_source, SA306 outside_partition,
SA307 file_skipped, SA308 key_not_unique, SA401 schema_after_load, SA402 row_accounting, SA403 column_content, SA404 partition_count,
SA501 ignore_expired`;

describe('the catalogue of divergences', () => {
  it('has one file per kind, named like the kind', () => {
    const expected = catalogue.map((kind) => kind.name.replaceAll('_', '-'));
    expect(files.filter((name) => !notKinds.includes(name)).sort()).toEqual([...expected].sort());
  });

  it('has a name in the closed list of names for every kind, and a kind for every name', () => {
    const text = readFileSync(new URL('divergence.ts', folder), 'utf8');
    const start = text.indexOf('type KindName');
    const union = text.slice(start, text.indexOf(';', start));
    const names = [...union.matchAll(/'([a-z_]+)'/g)].map((match) => match[1]);
    expect(catalogue.map((kind) => kind.name).sort()).toEqual(names.sort());
  });

  it('keeps every code that was given out', () => {
    const live = new Map([...catalogue, ...retired].map((kind) => [kind.code as string, kind.name as string]));
    for (const pair of givenOut.trim().split(/,\s*/)) {
      const [code = '', name] = pair.split(' ');
      expect(live.get(code), code).toBe(name);
    }
  });

  it('gives no code and no name twice, also not a retired one', () => {
    const codes = [...catalogue, ...retired].map((kind) => kind.code);
    const names = [...catalogue, ...retired].map((kind) => kind.name);
    expect(new Set(codes).size).toBe(codes.length);
    expect(new Set(names).size).toBe(names.length);
    expect(codes).toEqual([...codes].sort());
  });

  it.each(catalogue.map((kind) => [kind.code, kind] as const))('%s has words for people', (_, kind) => {
    expect(kind.code).toMatch(/^SA[1-5]\d\d$/);
    expect(kind.title).toMatch(/^[A-Z].*[^.]$/);
    for (const text of [kind.summary, kind.why, kind.consequence, kind.fix]) {
      expect(text).toMatch(/^[A-Z0-9`].{40,}\.$/);
    }
    expect(kind.example.target).toMatch(/^CREATE TABLE .*;$/s);
    expect(kind.example.found.reason === null || reasonOf(kind.example.found.reason)).toBeTruthy();
  });

  it.each(catalogue.filter((kind) => kind.example.rules !== null))('$code has rules that are a YAML mapping', (kind) => {
    expect(parse(kind.example.rules ?? '')).toBeTypeOf('object');
  });

  it('finds kinds by name and by code, in any case', () => {
    expect(kindOf('lossy_value').code).toBe('SA202');
    expect(kindByCode('SA303')?.name).toBe('duplicate_key');
    expect(kindByCode('SA999')).toBeUndefined();
    expect(findKind('sa201')).toBe(findKind('Invalid-Value'));
    expect(findKind('__proto__')).toBeUndefined();
  });
});

describe('the reasons', () => {
  it.each(Object.entries(reasons))('%s has a sentence and, where one helps, a line of YAML', (_, reason) => {
    expect(reason.meaning).toMatch(/^[A-Z].{20,}\.$/);
    if (reason.fix !== '') expect(Object.keys(parse(reason.fix) as object)).toHaveLength(1);
  });

  it('does not take inherited names for reasons', () => {
    expect(reasonOf('constructor')).toBeUndefined();
    expect(reasonOf('scale')?.fix).toBe('on_lossy: round');
  });
});
