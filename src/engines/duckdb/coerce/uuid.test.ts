import { expect, test } from 'vitest';
import { type Outcomes, outcomes } from '../../../../test/harness/evaluate-scalar.ts';
import { uuid } from '../../../core/model/type.ts';

const invalid = 'invalid_value';
const id = '0f8fad5b-d9cb-469f-a165-70867728950e';

test('8-4-4-4-12 hexadecimal digits, any case', async () => {
  const table: Outcomes = [
    [id, id],
    [id.toUpperCase(), id],
    ['0F8fAD5b-D9cb-469F-a165-70867728950E', id],
    [` ${id}`, id],
    [`${id}\r\n`, id],
    [`\t${id.toUpperCase()} `, id],
    ['00000000-0000-0000-0000-000000000000', '00000000-0000-0000-0000-000000000000'],
    ['ffffffff-ffff-ffff-ffff-ffffffffffff', 'ffffffff-ffff-ffff-ffff-ffffffffffff'],
    ['', invalid],
    [' ', invalid],
    [id.replaceAll('-', ''), invalid],
    [`{${id}}`, invalid],
    [`urn:uuid:${id}`, invalid],
    [id.slice(1), invalid],
    [`${id}0`, invalid],
    [id.replace('f', 'g'), invalid],
    [id.replace('-', '_'), invalid],
    [id.replace('-', ' '), invalid],
    [`${id.slice(0, 35)}-`, invalid],
    [`-${id.slice(0, 35)}`, invalid],
    ['0f8f-ad5bd9cb-469f-a165-70867728950e', invalid],
    ['0f8fad5bd-9cb-469f-a165-70867728950e', invalid],
    ['--------d9cb-469f-a165-70867728950e0', invalid],
    ['{0f8fad5-d9cb-469f-a165-70867728950}', invalid],
    ['{f8fad5b-d9cb-469f-a165-7086772895}0', invalid],
    [`${id}\u0000`, invalid],
    [id.replace('0', '\u0000'), invalid],
    [id.replace('0', '\uff10'), invalid],
    [`\u00a0${id}`, invalid],
    [id.replaceAll('-', '\u2010'), invalid],
    ['not a uuid', invalid],
    ['123', invalid],
  ];
  expect(await outcomes(uuid, table)).toEqual(table);
});

test('trim: never', async () => {
  const table: Outcomes = [
    [id, id],
    [` ${id}`, invalid],
    [`${id}\n`, invalid],
  ];
  expect(await outcomes(uuid, table, { rule: { trim: 'never' } })).toEqual(table);
});
