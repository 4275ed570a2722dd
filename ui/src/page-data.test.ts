import { describe, expect, it } from 'vitest';
import { cleanRecord, column, failedRecord, finding, sampleRecord } from '../../test/fixtures/records.ts';
import { partsOf } from './effect-bar.ts';
import { filterFindings } from './filter-findings.ts';
import { preparePage, readEmbedded } from './page-data.ts';
import { visibleItems } from './schema-tree.ts';
import { type Choice, createStore, nothingChosen as everything } from './store.ts';
import { type Stream, streamsOf } from './streams.ts';

const paths = (...names: string[]) => names.map((name) => column(name, [name, 'string'], 'string', 'text-to-string'));
const pageOf = (names: string[], findings = sampleRecord().findings) =>
  preparePage({ record: { ...sampleRecord(), columns: paths(...names), findings }, kinds: {}, reasons: {} });

describe('the column list', () => {
  it('nests a path under the longest path it continues, and a name with a dot under nothing', () => {
    const items = pageOf(['a', 'a.b', 'a.b.c', 'items', 'items[]', 'items[].price', 'x.y', 'ab'], []).items;
    expect(items.map(({ label, depth }) => [label, depth])).toEqual([
      ['a', 0],
      ['b', 1],
      ['c', 2],
      ['items', 0],
      ['[]', 1],
      ['price', 2],
      ['x.y', 0],
      ['ab', 0],
    ]);
  });

  it('has what only the source has below its parent, or at the end', () => {
    const extra = (path: string) => finding('SA102', 'extra_column', 'warning', { path });
    const items = pageOf(['id', 'name'], [extra('id.extra'), extra('')]).items;
    expect(items.map(({ label, depth, type }) => [label, depth, type === null])).toEqual([
      ['id', 0, false],
      ['extra', 1, true],
      ['name', 0, false],
      ['', 0, true],
    ]);
  });

  it('takes in the parts of nested columns, and marks what is around a finding', () => {
    const page = preparePage({
      record: {
        ...sampleRecord(),
        columns: [column('items', ['items', 'json'], 'list<struct<price:int>>', 'r'), column('id', null, 'int', 'r')],
        findings: [finding('SA202', 'lossy_value', 'error', { path: 'items[].price' })],
      },
      kinds: {},
      reasons: {},
      fields: [[0, [['items[].price', 'int']]]],
    });
    expect(page.items.map(({ path, depth, worst, marks }) => [path, depth, worst, marks.error])).toEqual([
      ['items', 0, 'error', 1],
      ['items[].price', 1, 'error', 1],
      ['id', 0, null, 0],
    ]);
  });

  it('leaves out what is inside a closed node, and finds what is searched with what is around it', () => {
    const { items } = pageOf(['a', 'a.b', 'a.b.c', 'd', 'd.e'], []);
    const shown = (view: Partial<Parameters<typeof visibleItems>[1]>) =>
      visibleItems(items, { closed: new Set(), query: '', onlyMarked: false, ...view }).map((item) => item.path);
    expect(shown({ closed: new Set(['a']) })).toEqual(['a', 'd', 'd.e']);
    expect(shown({ closed: new Set(['a.b', 'd']) })).toEqual(['a', 'a.b', 'd']);
    expect(shown({ query: 'B.C', closed: new Set(['a']) })).toEqual(['a', 'a.b', 'a.b.c']);
    expect(shown({ onlyMarked: true })).toEqual([]);
  });

  it('is made in a moment of the longest and strangest names', () => {
    const dots = '.'.repeat(100_000);
    const start = performance.now();
    expect(pageOf(['.', dots, '[]'.repeat(50_000), `${dots}.x`], []).items).toHaveLength(4);
    expect(performance.now() - start).toBeLessThan(2000);
  });

  it('marks a column by its worst finding that nobody has accepted, and each column of a key', () => {
    const { itemOf } = pageOf(
      ['id', 'region', 'a,b'],
      [
        finding('SA303', 'duplicate_key', 'error', { path: 'id,region' }),
        finding('SA201', 'invalid_value', 'remark', { path: 'id' }),
        finding('SA303', 'duplicate_key', 'warning', { path: 'a,b', ignored: { reason: 'r', until: null } }),
      ],
    );
    expect([itemOf.get('id')?.worst, itemOf.get('region')?.worst, itemOf.get('a,b')?.worst]).toEqual(['error', 'error', null]);
    expect(itemOf.get('a,b')?.findings).toHaveLength(1);
  });
});

describe('the filters', () => {
  const page = preparePage({ record: sampleRecord(), kinds: {}, reasons: {} });
  const names = (choice: Partial<Choice>) => filterFindings(page, { ...everything, ...choice }).map((found) => found.path ?? found.name);

  it('let everything through, worst first, at the start', () => {
    expect(filterFindings(page, everything)).toBe(page.findings);
    expect(page.findings[0]?.path).toBe('amount');
  });

  it('look for all words in names, values and files', () => {
    expect(names({ query: '1,234.50' })).toEqual(['amount']);
    expect(names({ query: 'sa202 PRICE' })).toEqual(['items[].price']);
    expect(names({ query: 'nothing like it' })).toEqual([]);
  });

  it('combine severity, kind and column with what is nested in it', () => {
    expect(names({ severity: 'remark' })).toEqual(['file_skipped', 'column_order']);
    expect(names({ kind: 'SA201', severity: 'warning' })).toEqual(['amount', 'seen_at', 'customer.birth']);
    expect(names({ column: 'customer' })).toEqual(['customer.birth', 'customer.address.zip']);
    expect(names({ column: 'no such' })).toEqual([]);
  });
});

describe('the pictures', () => {
  const names = (streams: readonly Stream[]): unknown => streams.map(({ name, parts }) => [name, ...parts.map((part) => part.name)]);

  it('account for every row that was read', () => {
    for (const record of [sampleRecord(), cleanRecord(), failedRecord()]) {
      expect(streamsOf(record).reduce((sum, stream) => sum + stream.count, 0)).toBe(record.counts.read);
    }
    expect(names(streamsOf(failedRecord()))).toEqual([['not loaded']]);
  });

  it('take a stream apart only where its parts make up the whole', () => {
    const record = sampleRecord();
    expect(names(streamsOf(record))).toEqual([['loaded', 'inserted', 'updated', 'unchanged'], ['quarantined'], ['superseded']]);
    const two = [
      finding('SA201', 'invalid_value', 'warning', { path: 'a', count: 30, outcome: 'quarantined' }),
      finding('SA301', 'malformed_record', 'warning', { count: 7, outcome: 'quarantined' }),
    ];
    expect(names(streamsOf({ ...record, findings: two }))).toContainEqual(['quarantined', 'invalid_value', 'malformed_record']);
    expect(names(streamsOf(cleanRecord()))).toEqual([['loaded']]);
  });

  it('count each value of a column once', () => {
    const [birth] = [column('birth', null, 'date', 'r', { ok: 90, invalid: 8, lossy: 2, nulled: 5, altered: 2 })];
    expect(birth && partsOf(birth)).toEqual([
      { name: 'fit', count: 90 },
      { name: 'altered', count: 2 },
      { name: 'nulled', count: 5 },
      { name: 'refused', count: 3 },
    ]);
  });
});

describe('the store', () => {
  it('tells of a change with what was before', () => {
    const store = createStore(everything);
    const seen: [string, string][] = [];
    store.watch((choice, before) => seen.push([choice.query, before.query]));
    store.choose({ query: 'a' });
    store.choose({ query: 'b' });
    expect(seen).toEqual([
      ['a', ''],
      ['b', 'a'],
    ]);
    expect(store.choice().query).toBe('b');
  });

  it('reads no record from an empty page', () => {
    expect(readEmbedded(' \n')).toBeNull();
  });
});
