/** One load per mode, large enough that a kill falls into each of its phases. */
import { csv } from './place.ts';
import type { Story } from './kill.ts';

const header = 'id,day,amount,note';
const days = ['2026-09-01', '2026-09-02', '2026-09-03', '2026-09-04'];
const rows = 200_000;
/** One line in 2,000 has an amount that does not fit. */
const isBad = (i: number): boolean => i % 2_000 === 7;
const line = (i: number, day = days[i % 4]): string => `${i},${day},${isBad(i) ? 'n/a' : `${i % 977}.50`},note ${i * 7919}`;
const bad = rows / 2_000;
const expected = { read: rows, loaded: rows - bad, quarantined: bad };
const create = 'CREATE TABLE t (id BIGINT NOT NULL, day DATE, amount DECIMAL(12,2), note VARCHAR)';
/** Half of it is what the source has, so that a merge finds new, changed and unchanged rows. */
const stored = `INSERT INTO t SELECT i, DATE '2026-09-01' + (i % 4)::INTEGER, CASE WHEN i < 50000 THEN (i % 977) + 0.5 ELSE 0 END, 'note ' || (i * 7919) FROM range(100000) r(i)`;
const quarantine = ['--on-invalid', 'quarantine'] as const;
const whole = { 'in.csv': () => csv(header, rows, (i) => line(i)) };

export const stories = {
  merge: { before: [create, stored], files: whole, load: ['in.csv', 'w.duckdb', '--table', 't', '--key', 'id', ...quarantine], expected },
  append: {
    before: [create, stored],
    files: { 'in/a.csv': () => csv(header, rows / 2, (i) => line(i)), 'in/b.csv': () => csv(header, rows / 2, (i) => line(i + rows / 2)) },
    load: ['in', 'w.duckdb', '--table', 't', ...quarantine],
    expected,
  },
  'overwrite-partition': {
    before: [create, stored],
    files: { 'in.csv': () => csv(header, rows, (i) => line(i, days[i % 2])) },
    load: [
      'in.csv',
      'w.duckdb',
      '--table',
      't',
      '--mode',
      'overwrite-partition',
      '--partition-columns',
      'day',
      '--partition-values',
      'present',
      ...quarantine,
    ],
    expected,
  },
  replace: {
    before: [create, stored],
    files: whole,
    load: ['in.csv', 'w.duckdb', '--table', 't', '--mode', 'replace', ...quarantine],
    expected,
  },
  // Half as many: the types of a new table are found from all rows first, which takes its time.
  create: {
    before: [],
    files: { 'in.csv': () => csv(header, rows / 2, (i) => line(i).replace('n/a', '1.25')) },
    load: ['in.csv', 'w.duckdb', '--table', 't', '--key', 'id', '--create'],
    expected: { read: rows / 2, loaded: rows / 2, quarantined: 0 },
  },
} as const satisfies Record<string, Story>;
