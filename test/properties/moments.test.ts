import { describe, expect, test } from 'vitest';
import { date, timestamp, timestamptz } from '../../src/core/model/type.ts';
import type { Expected } from '../conformance/corpus.ts';
import { disagreements, many, refused, shares, value } from './bulk.ts';
import { daysIn, inYears, microsPerDay, type Moment, readMoment, stampText } from './moment-reading.ts';
import { Random } from './random.ts';
import { changesOf, instantsOf, zoneTable } from './zone-table.ts';

const pad = (n: number, width: number): string => String(n).padStart(width, '0');

function dayText(random: Random): string {
  const year = random.chance(0.3) ? random.pick([1, 4, 1582, 1900, 1969, 1970, 2000, 2024, 2026, 9999]) : random.int(1, 9999);
  const month = random.chance(0.2) ? 2 : random.int(1, 12);
  const day = random.chance(0.1) ? random.int(28, 32) : random.int(1, daysIn(year, month));
  return `${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}`;
}

function clockText(random: Random): string {
  const hour = random.chance(0.2) ? random.pick([0, 23, 24]) : random.int(0, 23);
  const minute = random.chance(0.2) ? random.pick([0, 59, 60]) : random.int(0, 59);
  const minutes = `${pad(hour, 2)}:${pad(minute, 2)}`;
  if (random.chance(0.2)) return minutes;
  const seconds = `${minutes}:${pad(random.chance(0.05) ? 60 : random.int(0, 59), 2)}`;
  if (random.chance(0.4)) return seconds;
  return `${seconds}.${random.chance(0.7) ? random.digits(1, 6) : random.digits(1, 9)}${random.chance(0.2) ? '000' : ''}`;
}

function offsetText(random: Random): string {
  if (random.chance(0.3)) return 'Z';
  const hour = random.int(0, random.chance(0.9) ? 14 : 19);
  const minutes = random.pick(['', pad(random.pick([0, 30, 45, 59, 60]), 2), `:${pad(random.pick([0, 30, 45, 15]), 2)}`]);
  return `${random.pick(['+', '-'])}${pad(hour, 2)}${minutes}`;
}

const texts = (seed: number, make: (random: Random) => string): readonly string[] => {
  const random = new Random(seed);
  return Array.from({ length: many }, () => random.edited(random.blanks(make(random)), 0.1));
};

const stampOf = (random: Random): string => `${dayText(random)}${random.pick(['T', ' '])}${clockText(random)}`;

/** Refusals for what is no local time; else what `then` says. */
function local(text: string, then: (moment: Moment) => Expected): Expected {
  const moment = readMoment(text);
  if (moment === undefined) return refused('invalid_value');
  return moment.offset === undefined ? then(moment) : refused('invalid_value:offset_without_target_zone');
}

const microseconds = (moment: Moment, then: Expected): Expected => (moment.below === 0 ? then : refused('lossy_value:sub_microsecond'));

async function agree(claim: Parameters<typeof disagreements>[0]): Promise<void> {
  expect(shares(claim.texts, claim.read).values).toBeGreaterThan(0.3);
  expect(shares(claim.texts, claim.read).refusals).toBeGreaterThan(0.1);
  expect(await disagreements(claim)).toEqual([]);
}

describe('local dates and times against a calendar in BigInt', () => {
  test('date', async () => {
    const given = texts(1, (random) => {
      if (random.chance(0.7)) return dayText(random);
      return `${dayText(random)}${random.pick(['T', ' '])}${random.chance(0.5) ? random.pick(['00:00', '00:00:00', '00:00:00.000000000']) : clockText(random)}`;
    });
    const read = (text: string) =>
      local(text, ({ local: micros, below }) =>
        micros % microsPerDay === 0n && below === 0 ? value(stampText(micros).slice(0, 10)) : refused('lossy_value'),
      );
    await agree({ to: date, texts: given, read, session: 'Asia/Kathmandu' });
  });

  test('timestamp', async () => {
    const given = texts(2, (random) =>
      random.chance(0.1) ? dayText(random) : `${stampOf(random)}${random.chance(0.1) ? offsetText(random) : ''}`,
    );
    const read = (text: string) => local(text, (moment) => microseconds(moment, value(stampText(moment.local))));
    await agree({ to: timestamp, texts: given, read, session: 'America/New_York' });
  });
});

describe('instants', () => {
  test('by their offset', async () => {
    const given = texts(3, (random) => `${stampOf(random)}${random.chance(0.95) ? offsetText(random) : ''}`);
    const read = (text: string): Expected => {
      const moment = readMoment(text);
      if (moment === undefined) return refused('invalid_value');
      if (moment.offset === undefined) return refused('invalid_value:missing_timezone');
      const instant = moment.local - BigInt(moment.offset) * 60_000_000n;
      return inYears(instant) ? microseconds(moment, value(`${stampText(instant)}Z`)) : refused('invalid_value:out_of_range');
    };
    await agree({ to: timestamptz, texts: given, read, session: 'America/New_York' });
  });

  const zones = ['America/New_York', 'Europe/Lisbon', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'Pacific/Apia'] as const;
  const [first, last] = [1972, 2037];

  test.each(zones)('by the clocks of %s', async (zone) => {
    const table = zoneTable(zone, first, last);
    const changes = changesOf(table).filter((micros) => micros > BigInt(table.from) * 1000n && micros < BigInt(table.to) * 1000n);
    const random = new Random(zone.length);
    const given = Array.from({ length: many / zones.length }, () => {
      const near = random.chance(0.5) ? random.pick(changes) + BigInt(random.int(-7200, 7200)) * 1_000_000n : undefined;
      const days = BigInt(random.int(0, 365 * (last - first) - 1)) * microsPerDay;
      const micros =
        near ?? BigInt(table.from) * 1000n + days + BigInt(random.int(0, 86_399)) * 1_000_000n + BigInt(random.int(0, 999_999));
      return stampText(micros);
    });
    const read = (text: string): Expected => {
      const instants = instantsOf(table, readMoment(text)?.local as bigint);
      return instants.length === 1 ? value(`${stampText(instants[0] as bigint)}Z`) : refused('invalid_value:local_time_undefined');
    };
    const session = zone === 'America/New_York' ? 'Asia/Kathmandu' : 'America/New_York';
    expect(shares(given, read).values).toBeGreaterThan(0.5);
    expect(shares(given, read).refusals).toBeGreaterThan(0.01);
    expect(await disagreements({ to: timestamptz, texts: given, rule: { timezone: zone }, session, read })).toEqual([]);
  });
});
