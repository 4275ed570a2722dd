import { describe, expect, test } from 'vitest';
import { canonical } from '../harness/case-value.ts';
import { type Group, questionKey, readCorpus, type Row, targets } from './corpus.ts';
import { differences } from './suite.ts';
import { caseTypeOf } from './verdict.ts';

const groups = readCorpus();
const rowsOf = (target: string): readonly Row[] => groups.filter((group) => group.target === target).flatMap(({ rows }) => rows);
const all = targets.flatMap(rowsOf);
const isRefusal = ({ expected }: Row): boolean => expected.kind === 'refused';

describe('the corpus', () => {
  test('has at least 800 rows', () => {
    expect(all.length).toBeGreaterThanOrEqual(800);
  });

  test.each(targets)('%s: at least 40 rows, a third of them refusals', (target) => {
    const rows = rowsOf(target);
    expect(rows.length).toBeGreaterThanOrEqual(40);
    expect(rows.filter(isRefusal).length * 3).toBeGreaterThanOrEqual(rows.length);
    expect(rows.filter((row) => !isRefusal(row)).length).toBeGreaterThan(0);
  });

  test('asks nothing twice', () => {
    const asked = groups.flatMap((group) => group.rows.map(({ given }) => `${questionKey(group)} ${JSON.stringify(given)}`));
    expect(asked.filter((question, i) => asked.indexOf(question) !== i)).toEqual([]);
  });

  test('names every row once', () => {
    const ids = all.map(({ id }) => id);
    expect(ids.filter((id, i) => ids.indexOf(id) !== i)).toEqual([]);
  });

  test('says where every expectation comes from', () => {
    expect(
      groups.filter(({ source }) => typeof source !== 'string' || source === '').map(({ target, name }) => `${target}/${name}`),
    ).toEqual([]);
  });

  test('expects only values that the target type has', () => {
    const misfits = (group: Group): readonly string[] =>
      group.rows.flatMap(({ id, expected }) => {
        const written = expected.kind === 'refused' ? null : canonical(caseTypeOf(group.to), expected.value);
        return JSON.stringify(written).includes('misfit:') ? [id] : [];
      });
    expect(groups.flatMap(misfits)).toEqual([]);
  });
});

describe('an exception', () => {
  const group = groups.find(({ target }) => target === 'int8') as Group;
  const [row] = group.rows as [Row];
  const one = { ...group, rows: [{ ...row, expected: { kind: 'value', value: 7 } as const }] };
  const exceptions = { [row.id]: { reason: 'no such cast', until: 'version 2' } };

  test('lets a row differ', () => {
    expect(differences(one, [{ value: 8, faults: [] }], {})).toHaveLength(1);
    expect(differences(one, [{ value: 8, faults: [] }], exceptions)).toEqual([]);
  });

  test('that passes is a failure', () => {
    expect(differences(one, [{ value: 7, faults: [] }], exceptions)).toEqual([expect.stringContaining('must go')]);
  });
});
