// Adds up what the target must hold, exactly.
import { columns, days, firstId, firstSecond, isoDay } from './orders.mjs';

/** Sums of numbers that pass 2^53 in the end are added up in small parts. */
const partRows = 4096;

export function makeTally(seed) {
  const count = { rows: 0, quarantined: 0, duplicates: 0, loaded: 0 };
  const faults = { invalid: new Map(), missing: new Map() };
  const sums = { orders: 0n, ms: 0n, cents: 0n, dates: 0n, quantity: 0n };
  let part = { orders: 0, ms: 0, cents: 0, dates: 0, quantity: 0 };
  const n = {
    n_amount: 0,
    n_user_id: 0,
    n_event_date: 0,
    n_active_true: 0,
    n_country_zz: 0,
    n_country_na: 0,
    n_postal_leading_zero: 0,
    n_postal_null: 0,
    n_note_null: 0,
    n_quantity: 0,
  };
  const perDay = new Array(days).fill(0);

  function flush() {
    for (const name of Object.keys(sums)) sums[name] += BigInt(part[name]);
    part = { orders: 0, ms: 0, cents: 0, dates: 0, quantity: 0 };
  }

  function addNullable(row, sign) {
    if (row.user_id !== null) n.n_user_id += sign;
    if (row.event_date !== null) {
      n.n_event_date += sign;
      part.dates += sign * row.event_date;
    }
    if (row.amount !== null) {
      n.n_amount += sign;
      part.cents += sign * row.amount;
    }
    if (row.quantity !== null) {
      n.n_quantity += sign;
      part.quantity += sign * row.quantity;
    }
  }

  function add(row, sign) {
    count.loaded += sign;
    perDay[row.dt] += sign;
    part.orders += sign * row.order_id;
    part.ms += sign * (row.created_at - firstSecond * 1000);
    addNullable(row, sign);
    if (row.active) n.n_active_true += sign;
    if (row.country === 'ZZ') n.n_country_zz += sign;
    if (row.country === 'NA') n.n_country_na += sign;
    if (row.postal_code === null) n.n_postal_null += sign;
    else if (row.postal_code[0] === '0') n.n_postal_leading_zero += sign;
    if (row.note === null) n.n_note_null += sign;
  }

  function addFaults(fields) {
    for (const name of columns) {
      const { fault } = fields[name];
      if (fault !== undefined) faults[fault].set(name, (faults[fault].get(name) ?? 0) + 1);
    }
  }

  return {
    add({ fields, fate, row, beaten }) {
      count.rows += 1;
      addFaults(fields);
      if (fate === 'quarantined') count.quarantined += 1;
      if (fate === 'superseded' || beaten !== undefined) count.duplicates += 1;
      if (beaten !== undefined) add(beaten, -1);
      if (fate === 'loaded') add(row, 1);
      if (count.rows % partRows === 0) flush();
    },
    finish() {
      flush();
      const inOrder = (map) => Object.fromEntries(columns.filter((name) => map.has(name)).map((name) => [name, map.get(name)]));
      const loaded = BigInt(count.loaded);
      return {
        rows: count.rows,
        seed,
        quarantined: count.quarantined,
        duplicates: count.duplicates,
        loaded: count.loaded,
        invalid: inOrder(faults.invalid),
        missing: inOrder(faults.missing),
        sum_amount: decimalOf(sums.cents),
        n_amount: n.n_amount,
        sum_order_id: String(loaded * firstId + 3n * sums.orders),
        sum_created_ms: String(loaded * BigInt(firstSecond) * 1000n + sums.ms),
        n_user_id: n.n_user_id,
        n_event_date: n.n_event_date,
        sum_event_date_days: String(sums.dates),
        n_active_true: n.n_active_true,
        n_country_zz: n.n_country_zz,
        n_country_na: n.n_country_na,
        n_postal_leading_zero: n.n_postal_leading_zero,
        n_postal_null: n.n_postal_null,
        n_note_null: n.n_note_null,
        sum_quantity: String(sums.quantity),
        n_quantity: n.n_quantity,
        n_channel_web: count.loaded,
        per_dt: Object.fromEntries(perDay.map((rows, day) => [isoDay(day), rows])),
      };
    },
  };
}

function decimalOf(cents) {
  const digits = String(cents < 0n ? -cents : cents).padStart(3, '0');
  return `${cents < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
