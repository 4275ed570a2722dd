import { expect, test } from 'vitest';
import { boolean, uuid } from '../../src/core/model/type.ts';
import { disagreements, many, refused, shares, value } from './bulk.ts';
import { Random } from './random.ts';

const withoutBlanks = (text: string): string => text.replace(/^[\t-\r ]+|[\t-\r ]+$/g, '');
const anyCase = (random: Random, word: string): string =>
  [...word].map((sign) => (random.chance(0.5) ? sign.toUpperCase() : sign)).join('');

function texts(seed: number, make: (random: Random) => string): readonly string[] {
  const random = new Random(seed);
  return Array.from({ length: many }, () => random.edited(random.blanks(make(random)), 0.3));
}

test('boolean', async () => {
  const given = texts(11, (random) => anyCase(random, random.pick(['true', 'false', 'true', 'false', 'yes', 'no', 't', '1', '0', 'on'])));
  const read = (text: string) => {
    const word = withoutBlanks(text).replace(/[A-Z]/g, (sign) => sign.toLowerCase());
    return word === 'true' || word === 'false' ? value(word === 'true') : refused('invalid_value');
  };
  expect(shares(given, read).values).toBeGreaterThan(0.25);
  expect(await disagreements({ to: boolean, texts: given, read })).toEqual([]);
});

test('uuid', async () => {
  const given = texts(12, (random) => {
    const parts = [8, 4, 4, 4, 12].map((count) => random.text('0123456789abcdefABCDEF', count, count));
    return random.chance(0.9)
      ? parts.join('-')
      : random.pick([parts.join(''), `{${parts.join('-')}}`, parts.slice(1).join('-'), parts.reverse().join('-')]);
  });
  const read = (text: string) => {
    const inner = withoutBlanks(text);
    return /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(inner) ? value(inner.toLowerCase()) : refused('invalid_value');
  };
  expect(shares(given, read).values).toBeGreaterThan(0.4);
  expect(await disagreements({ to: uuid, texts: given, read })).toEqual([]);
});
