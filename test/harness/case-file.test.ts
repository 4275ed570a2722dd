import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { listCases, readCase } from './case-file.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'schemalign-case-file-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const write = (text: string) => writeFileSync(join(folder, 'case.yaml'), text);

const text = `
id: x
source: {file: a.csv, options: {header: true, on_malformed: quarantine}}
target: {table: t, columns: [{name: id, type: bigint}], key: [id]}
mode: append
rules: []
expect: {exit: ok, divergences: [{kind: invalid_value, column: id, examples: [1e3, 0.50, true, null, 2024-01-02]}]}
rerun: {expect: {exit: ok, target_rows: unchanged}}
variants:
- id: b
  with: {"source.options.on_malformed": error, "target.key": null, "merge.order_by": id, "target.columns.0.type": int}
  expect: {exit: failed}
crash: {points: 2, after_kill: initial_or_final, after_rerun: final}
`;

describe('reading a case', () => {
  it('gives one story for the case with its reruns, and one per variant', () => {
    write(text);
    const [main, variant, ...others] = readCase(folder);
    expect(others).toEqual([]);
    expect(main?.steps.map(({ name }) => name)).toEqual(['run', 'run → rerun']);
    expect(main?.crash?.points).toBe(2);
    expect(variant?.steps.map(({ name, expect: wanted }) => [name, wanted.exit])).toEqual([['b', 'failed']]);
    expect(variant?.crash).toBeUndefined();
  });

  it('replaces dotted paths, makes what is missing, and removes by null', () => {
    write(text);
    const [main, variant] = readCase(folder).map(({ steps }) => steps[0]?.spec);
    expect(variant?.source.options).toEqual({ header: true, on_malformed: 'error' });
    expect(variant?.target).not.toHaveProperty('key');
    expect(variant?.target.columns).toEqual([{ name: 'id', type: 'int' }]);
    expect(variant?.merge).toEqual({ order_by: 'id' });
    expect(main?.target.columns).toEqual([{ name: 'id', type: 'bigint' }]);
  });

  it('keeps the text of examples', () => {
    write(text);
    expect(readCase(folder)[0]?.steps[0]?.expect.divergences?.[0]?.examples).toEqual(['1e3', '0.50', 'true', null, '2024-01-02']);
  });

  it('says what is wrong with a broken file', () => {
    write('id: [x');
    expect(() => readCase(folder)).toThrow('case.yaml');
  });

  it('takes a folder that is itself a case', () => {
    write(text);
    expect(listCases(folder)).toEqual([expect.objectContaining({ folder })]);
    expect(listCases(tmpdir()).map((entry) => entry.folder)).toContain(folder);
  });
});
