import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Pair, WantedColumn } from './pair-columns.ts';
import { pairColumns } from './pair-columns.ts';

const want = (name: string, ...from: string[]): WantedColumn => ({ name, from });
const pairing = (sources: readonly string[], ...targets: (string | WantedColumn)[]) =>
  pairColumns(
    sources,
    targets.map((target) => (typeof target === 'string' ? want(target) : target)),
  );
const brief = ({ source, how }: Pair) => `${how} ${source ?? '-'}`;
/** `kind severity path` of every divergence. */
const found = (result: ReturnType<typeof pairColumns>) =>
  result.divergences.map(({ kind, severity, path }) => `${kind} ${severity} ${path}`);

interface Row {
  readonly says: string;
  readonly sources: readonly string[];
  readonly targets: readonly (string | WantedColumn)[];
  readonly pairs: readonly string[];
  readonly extras?: readonly number[];
  readonly found?: readonly string[];
}

const rows: readonly Row[] = [
  { says: 'exact names in any order', sources: ['b', 'a'], targets: ['a', 'b'], pairs: ['exact 1', 'exact 0'] },
  { says: 'composed and decomposed letters are one name', sources: ['cafe\u0301'], targets: ['caf\u00e9'], pairs: ['exact 0'] },
  {
    says: 'a padded name is a variant',
    sources: ['id', ' Name '],
    targets: ['id', 'name'],
    pairs: ['exact 0', 'variant 1'],
    found: ['name_variant warning name'],
  },
  {
    says: 'the exact name wins over variants beside it',
    sources: ['Amount', 'amount', 'AMOUNT'],
    targets: ['amount'],
    pairs: ['exact 1'],
    extras: [0, 2],
    found: ['name_collision warning amount', 'extra_column warning Amount', 'extra_column warning AMOUNT'],
  },
  {
    says: 'several variants without an exact name collide',
    sources: ['Amount', 'AMOUNT'],
    targets: ['amount'],
    pairs: ['collision -'],
    found: ['name_collision error amount'],
  },
  {
    says: 'the exact name twice collides',
    sources: ['amount', 'AMOUNT', 'amount'],
    targets: ['amount'],
    pairs: ['collision -'],
    found: ['name_collision error amount'],
  },
  { says: 'a missing column', sources: [], targets: ['a'], pairs: ['missing -'], found: ['missing_column warning a'] },
  {
    says: 'a missing column that nothing can fill',
    sources: [],
    targets: [{ name: 'a', from: [], required: true }],
    pairs: ['missing -'],
    found: ['missing_column error a'],
  },
  {
    says: 'a nameless column',
    sources: ['a', '', '  '],
    targets: ['a'],
    pairs: ['exact 0'],
    extras: [1, 2],
    found: ['extra_column warning ', 'extra_column warning '],
  },
  {
    says: 'ordinary words of JavaScript',
    sources: ['__proto__', 'constructor'],
    targets: ['constructor', '__proto__', 'toString'],
    pairs: ['exact 1', 'exact 0', 'missing -'],
    found: ['missing_column warning toString'],
  },
  {
    says: 'from, in order',
    sources: ['Order No', 'x'],
    targets: [want('order_id', 'OrderID', 'Order No')],
    pairs: ['from 0'],
    extras: [1],
    found: ['extra_column warning x'],
  },
  {
    says: 'from by a variant of the listed name',
    sources: ['ORDER NO'],
    targets: [want('order_id', 'Order No')],
    pairs: ['from 0'],
    found: ['name_variant warning order_id'],
  },
  { says: 'a variant that is listed is no finding', sources: [' Name '], targets: [want('name', ' Name ')], pairs: ['from 0'] },
  {
    says: 'own name and a listed name both hit',
    sources: ['order_id', 'Order No'],
    targets: [want('order_id', 'Order No')],
    pairs: ['collision -'],
    found: ['name_collision error order_id'],
  },
  {
    says: 'two listed names hit',
    sources: ['a', 'b'],
    targets: [want('c', 'a', 'b')],
    pairs: ['collision -'],
    found: ['name_collision error c'],
  },
  {
    says: 'a listed name that stands twice',
    sources: ['a', 'a'],
    targets: [want('c', 'a')],
    pairs: ['collision -'],
    found: ['name_collision error c'],
  },
  {
    says: 'own variant and a listed name on two columns',
    sources: ['C', 'a'],
    targets: [want('c', 'a')],
    pairs: ['collision -'],
    found: ['name_collision error c'],
  },
  {
    says: 'a listed name that another target owns is no rival',
    sources: ['a', 'b'],
    targets: [want('a', 'b'), 'b'],
    pairs: ['exact 0', 'exact 1'],
  },
  {
    says: 'one column for two targets when it is listed',
    sources: ['at'],
    targets: [want('day', 'at'), 'at'],
    pairs: ['from 0', 'exact 0'],
  },
  {
    says: 'the exact name of one target is no variant of another',
    sources: ['ID'],
    targets: ['id', 'ID'],
    pairs: ['missing -', 'exact 0'],
    found: ['missing_column warning id'],
  },
  {
    says: 'a column that could be a variant of two targets',
    sources: ['Id'],
    targets: ['id', 'ID'],
    pairs: ['collision -', 'collision -'],
    found: ['name_collision error id', 'name_collision error ID'],
  },
  {
    says: 'a variant that `from` uses elsewhere is not ignored',
    sources: ['amount', 'AMOUNT'],
    targets: ['amount', want('gross', 'AMOUNT')],
    pairs: ['exact 0', 'from 1'],
  },
  { says: 'a name that begins with a dollar is a name', sources: ['$id'], targets: [want('id', '$id')], pairs: ['from 0'] },
  {
    says: 'Turkish dotless i is another letter',
    sources: ['ılk'],
    targets: ['ilk'],
    pairs: ['missing -'],
    extras: [0],
    found: ['missing_column warning ilk', 'extra_column warning ılk'],
  },
];

describe('pairColumns', () => {
  it.each(rows)('$says', ({ sources, targets, pairs, extras = [], found: expected = [] }) => {
    const result = pairing(sources, ...targets);
    expect(result.pairs.map(brief)).toEqual(pairs);
    expect(result.extras).toEqual(extras);
    expect(found(result)).toEqual(expected);
  });

  it('names all columns of a collision in the order of the file', () => {
    const [divergence] = pairing(['id', 'amount', 'AMOUNT', 'amount'], 'id', 'amount').divergences;
    expect(divergence).toMatchObject({ names: ['amount', 'AMOUNT', 'amount'], position: 2, expected: 'amount' });
  });

  it('gives source and target name of a variant, and the position of an extra column', () => {
    expect(pairing([' Name '], 'name').divergences).toMatchObject([{ expected: 'name', actual: ' Name ', names: [' Name '] }]);
    expect(pairing(['id', 'name', 'note', ''], 'id', 'name', 'note').divergences).toMatchObject([
      { kind: 'extra_column', path: '', position: 4 },
    ]);
  });

  it('returns a JSON path only when no column was found by name', () => {
    expect(pairing(['address'], want('zip', '$.address.zip')).pairs).toEqual([
      { target: 'zip', source: null, jsonPath: '$.address.zip', how: 'from' },
    ]);
    expect(pairing(['zip'], want('zip', '$.address.zip')).pairs).toEqual([{ target: 'zip', source: 0, how: 'exact' }]);
    expect(pairing(['Code'], want('zip', '$.address.zip', 'Code')).pairs).toEqual([{ target: 'zip', source: 0, how: 'from' }]);
  });

  it('says of a column that is read by a JSON path only that the rest of it is ignored', () => {
    expect(found(pairing(['address', 'x'], want('zip', '$.address.zip')))).toEqual([
      'extra_column remark address',
      'extra_column warning x',
    ]);
  });

  it('accounts for every column of any source exactly once', () => {
    const name = fc.constantFrom('a', 'A', ' a', 'b', 'B', '', 'c');
    fc.assert(
      fc.property(fc.array(name), fc.uniqueArray(name), (sources, targets) => {
        const result = pairing(sources, ...targets);
        const collided = result.divergences
          .filter((one) => one.kind === 'name_collision' && one.severity === 'error')
          .flatMap((one) => one.names ?? []);
        const paired = result.pairs.flatMap((pair) => (pair.source === null ? [] : [pair.source]));
        expect(new Set(paired).size).toBe(paired.length);
        sources.forEach((source, i) => {
          expect([paired.includes(i), result.extras.includes(i), collided.includes(source)]).toContain(true);
          expect(paired.includes(i) && result.extras.includes(i)).toBe(false);
        });
      }),
    );
  });
});
