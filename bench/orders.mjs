// The messy orders, one at a time. Each answer is what the generator decided to write, never read back from the text,
// so that no engine's way of reading can leak into it. The rules are in README.md.
import { makeDraw } from './random.mjs';

export const columns = [
  'order_id',
  'user_id',
  'created_at',
  'event_date',
  'amount',
  'active',
  'country',
  'postal_code',
  'quantity',
  'status',
  'currency',
  'note',
  'legacy_flag',
  'dt',
];

/** 2^53 + 1: a double on the way loses the last digit. Order i has the number firstId + 3 i. */
export const firstId = 9007199254740993n;
/** 2024-01-01T00:00:00Z in seconds. */
export const firstSecond = 1704067200;
export const days = 30;

const countries = ['DE', 'US', 'BR', 'FR', 'NA', 'NO', 'GB', 'IN', 'JP', 'CA', 'AU', 'MX', 'ES', 'IT', 'PT'];
const statuses = ['new', 'paid', 'shipped', 'returned'];
const currencies = ['EUR', 'USD', 'BRL', 'GBP'];
const notes = [
  '',
  '',
  '',
  'gift wrap',
  'leave at door, ring twice',
  'said "call me"',
  ' padded ',
  'NULL',
  'nan',
  'N/A',
  'São Paulo, 2º andar',
  'ok',
  "it's late",
  'a;b|c',
  '0012',
  'true',
];
const trues = ['true', '1', 'yes', 'TRUE', 'Y', 'True', 'true', 'true'];
const falses = ['false', '0', 'no', 'FALSE', 'n', 'False', 'false', 'false'];
const offsets = [
  ['Z', 0],
  ['Z', 0],
  ['+02:00', 7200],
  ['-03:00', -10800],
];
const bad = {
  createdAt: ['N/A', 'not a date', '2024-13-45T00:00:00', '31/02/2024 10:00:00', '1706745600x', '0000-00-00T00:00:00'],
  eventDate: ['2024-02-30', 'yesterday', '32/01/2024', '2024-1'],
  amount: ['abc', '12,34.50', '1.234,56', '99999999999.99', '--5', '1e2'],
  quantity: ['2.5', 'two', '99999999999', '1e1'],
  userId: ['unknown', '12.7', '123-456', '9223372036854775808'],
  active: ['maybe', '2', 'sim', 'on?'],
};

const two = (n) => String(n).padStart(2, '0');
/** Texts of the days from two before the first to two after the last. */
const dayTexts = Array.from({ length: days + 4 }, (_, i) => new Date((firstSecond + (i - 2) * 86400) * 1000).toISOString().slice(0, 10));
const isoOfDay = dayTexts;
const dmyOfDay = dayTexts.map((iso) => `${iso.slice(8)}/${iso.slice(5, 7)}/${iso.slice(0, 4)}`);
const clock = Array.from({ length: 86400 }, (_, s) => `${two(Math.floor(s / 3600))}:${two(Math.floor(s / 60) % 60)}:${two(s % 60)}`);
const firstDay = firstSecond / 86400 - 2;

export const isoDay = (day) => isoOfDay[day + 2];

const iso = (second) => `${isoOfDay[Math.floor(second / 86400) - firstDay]}T${clock[second % 86400]}`;
const dmy = (second) => `${dmyOfDay[Math.floor(second / 86400) - firstDay]} ${clock[second % 86400]}`;

const cents = (n) => `${Math.floor(n / 100)}.${two(n % 100)}`;

/** 1234567 cents as 12,345.67. */
function grouped(n) {
  const whole = String(Math.floor(n / 100));
  const at = whole.length - 3;
  return `${at > 0 ? `${whole.slice(0, at)},${whole.slice(at)}` : whole}.${two(n % 100)}`;
}

/**
 * Kinds of text per column. `text` is what is written, `value` what it means (null: NULL), `fault` is 'invalid' or 'missing'.
 * @typedef {{ text: string, value: any, fault?: 'invalid' | 'missing' }} Field
 */

/** The ring of recent good orders, of which some are written again with another time. */
const ringSize = 1024;

/** @param seed decides everything. */
export function makeOrders(seed) {
  const draw = makeDraw(seed);
  const ring = new Array(ringSize).fill(null);

  function orderId(i) {
    const kind = draw(10000);
    const text = String(firstId + 3n * BigInt(i));
    if (kind < 20) {
      const broken = [`${text}a`, '1e3', '9223372036854775808', `${text.slice(-6)}.7`][kind & 3];
      return { text: broken, value: null, fault: 'invalid' };
    }
    if (kind < 22) return { text: '', value: null, fault: 'missing' };
    if (kind < 122) return { text: ` ${text} `, value: i };
    const first = kind < 172 && i > ringSize ? ring[(i - 1 - draw(512)) % ringSize] : null;
    if (first !== null) return { text: String(firstId + 3n * BigInt(first.order)), value: first.order, repeats: first };
    return { text, value: i };
  }

  /** Milliseconds, `day` from 0, and the text in one of the shapes. Repeats never tie with the order they repeat. */
  function createdAt(i, repeats) {
    let day = draw(days);
    let at = (firstSecond + day * 86400 + draw(86400)) * 1000;
    let kind = draw(1000);
    if (repeats) {
      const distance = (1 + draw(4096)) * (draw(2) === 0 ? 1000 : -1000);
      at = Math.floor((repeats.at + distance) / 1000) * 1000;
      day = Math.min(Math.max(Math.floor((at / 1000 - firstSecond) / 86400), 0), days - 1);
      if (kind < 6 || (kind >= 600 && kind < 855 && kind & 1)) kind = 500;
    }
    const second = at / 1000;
    if (kind < 5) return { text: bad.createdAt[i % 6], value: null, fault: 'invalid', day };
    if (kind === 5 && draw(4) === 0) return { text: '', value: null, fault: 'missing', day };
    if (kind >= 855) return { text: dmy(second), value: at, day };
    if (kind < 600) return { text: iso(second), value: at, day };
    const [offset, ahead] = offsets[kind & 3];
    const fraction = kind & 1 ? draw(1000) : null;
    const tail = fraction === null ? '' : `.${String(fraction).padStart(3, '0')}`;
    return { text: `${iso(second + ahead)}${tail}${offset}`, value: at + (fraction ?? 0), day };
  }

  function userId(i) {
    const kind = draw(1000);
    if (kind < 1) return { text: bad.userId[i & 3], value: null, fault: 'invalid' };
    if (kind < 21) return { text: '', value: null, fault: 'missing' };
    const value = 1 + draw(2 ** 20);
    return { text: String(value), value };
  }

  /** The value is in days from 1970. */
  function eventDate(i, ofOrder) {
    const kind = draw(1000);
    const day = ofOrder + (kind & 1);
    if (kind < 2) return { text: bad.eventDate[i & 3], value: null, fault: 'invalid' };
    if (kind < 10) return { text: '', value: null, fault: 'missing' };
    return { text: (kind < 110 ? dmyOfDay : isoOfDay)[day + 2], value: firstSecond / 86400 + day };
  }

  /** The value is in cents. */
  function amount(i) {
    const kind = draw(10000);
    const value = draw(200000);
    if (kind < 10) return { text: bad.amount[i % 6], value: null, fault: 'invalid' };
    if (kind < 110) return { text: `${cents(value)}${1 + (value % 9)}`, value: null, fault: 'invalid' };
    if (kind < 150) return { text: '', value: null, fault: 'missing' };
    if (kind < 650) {
      const large = value + 100000 + kind * 100000;
      return { text: grouped(large), value: large };
    }
    if (kind < 700) return { text: `${cents(value)}00`, value };
    return kind < 800 ? { text: `-${cents(value)}`, value: -value } : { text: cents(value), value };
  }

  /** Empty and invalid take the default. */
  function active(i) {
    const kind = draw(1000);
    if (kind < 1) return { text: bad.active[i & 3], value: false, fault: 'invalid' };
    if (kind < 6) return { text: '', value: false, fault: 'missing' };
    return kind & 1 ? { text: trues[(kind >> 1) & 7], value: true } : { text: falses[(kind >> 1) & 7], value: false };
  }

  function country() {
    const kind = draw(100);
    const text = countries[kind % 15];
    return kind < 5 ? { text: '', value: 'ZZ', fault: 'missing' } : { text, value: text };
  }

  function postalCode(i) {
    const text = draw(1000) >= 970 ? '' : String(((draw(65536) ^ Math.imul(i, 7919)) >>> 0) % 100000).padStart(5, '0');
    return text === '' ? { text, value: null, fault: 'missing' } : { text, value: text };
  }

  function quantity(k) {
    if (k % 500 === 7) return { text: bad.quantity[(k >>> 9) & 3], value: null, fault: 'invalid' };
    const value = 1 + ((k >>> 7) % 99);
    return { text: String(value), value };
  }

  const plain = (text) => ({ text, value: text });

  function note(k) {
    const text = notes[(k >>> 11) & 15];
    return text === '' ? { text, value: null, fault: 'missing' } : { text, value: text };
  }

  /** What the target holds of this order, and which earlier one it beats. */
  function outcome(i, fields, { repeats, day }) {
    const slot = i % ringSize;
    ring[slot] = null;
    const { order_id: id, created_at: at } = fields;
    if (id.fault || at.fault) return { fate: 'quarantined' };
    const row = Object.fromEntries(columns.map((name) => [name, fields[name].value]));
    row.dt = day;
    if (!repeats) {
      ring[slot] = { order: i, at: at.value, row };
      return { fate: 'loaded', row };
    }
    if (at.value < repeats.at) return { fate: 'superseded' };
    const beaten = repeats.row;
    Object.assign(repeats, { at: at.value, row });
    return { fate: 'loaded', row, beaten };
  }

  /** Order i: its fields by column, a hash `k` of i for what else varies, and its outcome. Orders must be asked for in turn. */
  return function order(i) {
    const { repeats, ...id } = orderId(i);
    const { day, ...at } = createdAt(i, repeats);
    const k = Math.imul(i, 2654435761) >>> 0;
    const fields = {
      order_id: id,
      user_id: userId(i),
      created_at: at,
      event_date: eventDate(i, day),
      amount: amount(i),
      active: active(i),
      country: country(),
      postal_code: postalCode(i),
      quantity: quantity(k),
      status: plain(statuses[k & 3]),
      currency: plain(currencies[(k >>> 3) & 3]),
      note: note(k),
      legacy_flag: plain(k & 32 ? 'L' : 'x'),
      dt: plain(isoDay(day)),
    };
    return { k, fields, ...outcome(i, fields, { repeats, day }) };
  };
}
