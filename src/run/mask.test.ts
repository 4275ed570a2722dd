import { describe, expect, it } from 'vitest';
import { builtInRule, type ColumnRule, type Job, type Mask } from '../core/model/policy.ts';
import { maskedPartition, maskOfPath, maskOfRecord, maskText } from './mask.ts';

const rule = (mask: Mask, from: readonly string[] = []): ColumnRule => ({ ...builtInRule, mask, from });
const job = (columns: Readonly<Record<string, ColumnRule>>, defaultRule = builtInRule): Job =>
  ({ defaultRule, columns: new Map(Object.entries(columns)) }) as unknown as Job;

describe('maskText', () => {
  it.each([
    ['AB-12', 'AA-99'],
    ['ann@example.org', 'aaa@aaaaaaa.aaa'],
    ['Łódź 5', 'Aaaa 9'],
    ['e\u0301', 'a'],
    ['日本', 'aa'],
    ['٣½', '99'],
    ['', ''],
    ['-- ?', '-- ?'],
  ])('keeps the shape of %j as %j', (value, shape) => {
    expect(maskText(value, 'shape')).toBe(shape);
  });

  it('drops, hashes and leaves', () => {
    expect(maskText('x', 'drop')).toBeNull();
    expect(maskText('x', 'none')).toBe('x');
    // printf x | sha256sum
    expect(maskText('x', 'hash')).toBe('sha256:2d711642b726');
  });
});

describe('the mask of a path', () => {
  it.each<[string, Mask, Job]>([
    ['email', 'shape', job({ email: rule('shape') })],
    ['other', 'none', job({ email: rule('shape') })],
    // What is inside shows in the value of what is around it, and what is around speaks for what is inside.
    ['customer', 'drop', job({ 'customer.email': rule('drop') })],
    ['customer.name', 'none', job({ 'customer.email': rule('drop') })],
    ['customer.email.host', 'drop', job({ 'customer.email': rule('drop') })],
    ['customer.email', 'hash', job({ customer: rule('hash'), 'customer.email': rule('none') })],
    ['items', 'shape', job({ 'items[].note': rule('shape') })],
    ['items[].note', 'shape', job({ items: rule('shape') })],
    ['customers', 'none', job({ customer: rule('drop') })],
    // Two columns that are filled from one place of the source show the same values.
    ['zip', 'drop', job({ zip: rule('none', ['$.address.zip']), address: rule('none'), code: rule('drop', ['$.address.code']) })],
    ['address', 'drop', job({ zip: rule('drop', ['$.address.zip']) })],
    ['copy', 'hash', job({ copy: rule('none', ['mail']), mail_to: rule('hash', ['mail']) })],
    ['any', 'shape', job({}, rule('shape'))],
    ['id', 'none', job({ id: rule('none') }, rule('shape'))],
  ])('%s is %s', (path, mask, of) => {
    expect(maskOfPath(of, path)).toBe(mask);
  });

  it('of whole records is the strongest of all, and no hash', () => {
    expect(maskOfRecord(job({ a: rule('shape'), b: rule('none') }))).toBe('shape');
    expect(maskOfRecord(job({ a: rule('shape'), b: rule('hash') }))).toBe('drop');
    expect(maskOfRecord(job({ a: rule('none') }))).toBe('none');
  });

  it('holds for the values of partitions', () => {
    const partition = { values: { client: 'Ann', dt: '2026-01-01', gone: null }, before: 1, after: 2 };
    expect(maskedPartition(partition, job({ client: rule('drop'), dt: rule('shape'), gone: rule('drop') }))).toEqual({
      values: { client: '(masked)', dt: '9999-99-99', gone: null },
      before: 1,
      after: 2,
    });
  });
});
