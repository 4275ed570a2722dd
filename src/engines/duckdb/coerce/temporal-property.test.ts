import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Outcome, sessionZones, TemporalProbe } from '../../../../test/harness/temporal-probe.ts';

let probe: TemporalProbe;
beforeAll(async () => {
  probe = await TemporalProbe.open();
});
afterAll(() => probe.close());

/** A date and time in the proleptic Gregorian calendar, with nanoseconds. */
interface Civil {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly nanos: number;
}

const leap = (year: number): boolean => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
const daysIn = (year: number, month: number): number => [31, leap(year) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0;

/** Days from 0001-01-01, counted year by year and month by month. */
function dayNumber(year: number, month: number, day: number): number {
  const before = year - 1;
  let days = before * 365 + Math.floor(before / 4) - Math.floor(before / 100) + Math.floor(before / 400);
  for (let m = 1; m < month; m += 1) days += daysIn(year, m);
  return days + day - 1;
}

const microsPerDay = 86_400_000_000n;
const lastMicro = BigInt(dayNumber(9999, 12, 31) + 1) * microsPerDay - 1n;

/** Microseconds from 0001-01-01T00:00:00, nanoseconds cut. */
function microsOf(civil: Civil): bigint {
  const seconds = civil.hour * 3600 + civil.minute * 60 + civil.second;
  return (
    BigInt(dayNumber(civil.year, civil.month, civil.day)) * microsPerDay +
    BigInt(seconds) * 1_000_000n +
    BigInt(Math.floor(civil.nanos / 1000))
  );
}

const pad = (n: number | bigint, width: number): string => String(n).padStart(width, '0');

/** `yyyy-MM-dd HH:mm:ss[.ffffff]` without trailing zeros; undefined outside of the years 1 to 9999. */
function stampOf(micros: bigint): string | undefined {
  if (micros < 0n || micros > lastMicro) return undefined;
  let days = Number(micros / microsPerDay);
  let year = Math.max(1, Math.floor(days / 366));
  while (dayNumber(year + 1, 1, 1) <= days) year += 1;
  days -= dayNumber(year, 1, 1);
  let month = 1;
  for (; days >= daysIn(year, month); month += 1) days -= daysIn(year, month);
  const rest = micros % microsPerDay;
  const seconds = rest / 1_000_000n;
  const fraction = pad(rest % 1_000_000n, 6).replace(/0+$/, '');
  const clock = [seconds / 3600n, (seconds / 60n) % 60n, seconds % 60n].map((part) => pad(part, 2)).join(':');
  return `${pad(year, 4)}-${pad(month, 2)}-${pad(days + 1, 2)} ${clock}${fraction === '' ? '' : `.${fraction}`}`;
}

const anyYear = fc.oneof(
  { arbitrary: fc.integer({ min: 1, max: 9999 }), weight: 3 },
  fc.constantFrom(1, 1582, 1900, 1969, 1970, 2000, 2024, 9999),
);
const anyNanos = fc.oneof(
  fc.constant(0),
  fc.integer({ min: 0, max: 999_999 }).map((n) => n * 1000),
  fc.integer({ min: 0, max: 999_999_999 }),
  fc.constant(999_999_999),
);

const anyCivil: fc.Arbitrary<Civil> = fc
  .record({
    year: anyYear,
    month: fc.integer({ min: 1, max: 12 }),
    day: fc.integer({ min: 1, max: 31 }),
    hour: fc.integer({ min: 0, max: 23 }),
    minute: fc.integer({ min: 0, max: 59 }),
    second: fc.integer({ min: 0, max: 59 }),
    nanos: anyNanos,
  })
  .map((civil) => ({ ...civil, day: Math.min(civil.day, daysIn(civil.year, civil.month)) }));

const dateText = ({ year, month, day }: Civil): string => `${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}`;

/** The shortest fraction that says all of it, filled up to some length. */
function timeText({ hour, minute, second, nanos }: Civil, digits: number): string {
  const shortest = pad(nanos, 9).replace(/0+$/, '');
  const fraction = shortest.padEnd(Math.max(digits, shortest.length), '0');
  const seconds = second === 0 && fraction === '' && minute % 2 === 0 ? '' : `:${pad(second, 2)}${fraction === '' ? '' : `.${fraction}`}`;
  return `${pad(hour, 2)}:${pad(minute, 2)}${seconds}`;
}

const anyOffset = fc
  .record({ minutes: fc.integer({ min: -1080, max: 1080 }), style: fc.constantFrom('Z', 'hh', 'hhmm', 'hh:mm') })
  .map(({ minutes, style }) => {
    const sign = minutes < 0 ? '-' : '+';
    const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
    if (style === 'Z') return { text: 'Z', minutes: 0 };
    if (style === 'hh') return { text: `${sign}${pad(hours, 2)}`, minutes: (minutes < 0 ? -1 : 1) * hours * 60 };
    return { text: `${sign}${pad(hours, 2)}${style === 'hhmm' ? '' : ':'}${pad(rest, 2)}`, minutes };
  });

interface Sample {
  readonly text: string;
  readonly micros: bigint;
  readonly lost: number;
}

const anySample: fc.Arbitrary<Sample> = fc
  .record({
    civil: anyCivil,
    offset: anyOffset,
    digits: fc.integer({ min: 0, max: 9 }),
    joint: fc.constantFrom('T', ' '),
    blanks: fc.constantFrom('', '', '', ' ', '\t\v'),
  })
  .map(({ civil, offset, digits, joint, blanks }) => ({
    text: `${blanks}${dateText(civil)}${joint}${timeText(civil, digits)}${offset.text}${blanks}`,
    micros: microsOf(civil) - BigInt(offset.minutes) * 60_000_000n,
    lost: civil.nanos % 1000,
  }));

function expected({ micros, lost }: Sample, suffix: string): Outcome {
  const stamp = (value: bigint): string | null => {
    const text = stampOf(value);
    return text === undefined ? null : `${text}${suffix}`;
  };
  if (stamp(micros) === null) return { value: null, reason: 'invalid_value:out_of_range', round: null, truncate: null };
  if (lost === 0) return { value: stamp(micros), reason: null, round: null, truncate: null };
  return { value: null, reason: 'lossy_value:sub_microsecond', round: stamp(micros + (lost >= 500 ? 1n : 0n)), truncate: stamp(micros) };
}

const session = fc.constantFrom(...sessionZones);
const batch = { minLength: 150, maxLength: 300, size: 'max' } as const;

describe('random dates and times', () => {
  test('instants with offsets', () =>
    fc.assert(
      fc.asyncProperty(fc.array(anySample, batch), session, async (samples, zone) => {
        const found = await probe.read(
          samples.map((sample) => sample.text),
          { to: 'timestamptz' },
          zone,
        );
        expect(found).toEqual(samples.map((sample) => expected(sample, 'Z')));
      }),
      { numRuns: 8 },
    ));

  test('instants with offsets into local times', () =>
    fc.assert(
      fc.asyncProperty(fc.array(anySample, batch), session, async (samples, zone) => {
        const found = await probe.read(
          samples.map((sample) => sample.text),
          { to: 'timestamp', rule: { toTimezone: 'UTC' } },
          zone,
        );
        expect(found).toEqual(samples.map((sample) => expected(sample, '')));
      }),
      { numRuns: 4 },
    ));

  test('patterns read what was written by them', () => {
    const write: Readonly<Record<string, (c: Civil) => string>> = {
      'd/M/y H:m:s': (c) => `${c.day}/${c.month}/${c.year} ${c.hour}:${c.minute}:${c.second}`,
      'dd.MM.yyyy HH:mm:ss': (c) =>
        `${pad(c.day, 2)}.${pad(c.month, 2)}.${pad(c.year, 4)} ${pad(c.hour, 2)}:${pad(c.minute, 2)}:${pad(c.second, 2)}`,
      yyyyMMddHHmmss: (c) => `${pad(c.year, 4)}${pad(c.month, 2)}${pad(c.day, 2)}${pad(c.hour, 2)}${pad(c.minute, 2)}${pad(c.second, 2)}`,
      'MM-dd-uuuu hh:mm:ss a': (c) =>
        `${pad(c.month, 2)}-${pad(c.day, 2)}-${pad(c.year, 4)} ${pad(c.hour % 12 || 12, 2)}:${pad(c.minute, 2)}:${pad(c.second, 2)} ${c.hour < 12 ? 'am' : 'PM'}`,
    };
    const whole = anyCivil.map((civil) => ({ ...civil, nanos: 0 }));
    return fc.assert(
      fc.asyncProperty(fc.array(whole, batch), fc.constantFrom(...Object.keys(write)), session, async (samples, format, zone) => {
        const found = await probe.read(
          samples.map((civil) => write[format]?.(civil) ?? ''),
          { to: 'timestamp', rule: { formats: [format] } },
          zone,
        );
        expect(found.map((outcome) => outcome.value)).toEqual(samples.map((civil) => stampOf(microsOf(civil))));
      }),
      { numRuns: 6 },
    );
  });
});

describe('slightly wrong texts', () => {
  const anyEdit = fc.record({
    at: fc.nat(40),
    remove: fc.nat(2),
    insert: fc.constantFrom('', '', ' ', '0', '2', '4', '9', '-', ':', '.', 'T', 'Z', '+', '/', 'e', '\u0662', 'é', '\t', '_'),
  });
  const anyEdited = fc
    .record({ civil: anyCivil, digits: fc.integer({ min: 0, max: 7 }), edits: fc.array(anyEdit, { minLength: 1, maxLength: 2 }) })
    .map(({ civil, digits, edits }) =>
      edits.reduce(
        (text, { at, remove, insert }) => {
          const place = at % (text.length + 1);
          return text.slice(0, place) + insert + text.slice(place + remove);
        },
        `${dateText(civil)} ${timeText(civil, digits)}`,
      ),
    );

  /** The law, read with JavaScript's regular expressions. */
  function lawful(text: string): string | null {
    const match =
      /^[ \t\n\v\f\r]*([0-9]{4})-([0-9]{2})-([0-9]{2})(?:[T ]([0-9]{2}):([0-9]{2})(?::([0-9]{2})(?:\.([0-9]{1,9}))?)?)?[ \t\n\v\f\r]*$/.exec(
        text,
      );
    if (match === null) return null;
    const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1, 7).map((part) => Number(part ?? 0));
    const nanos = Number((match[7] ?? '').padEnd(9, '0'));
    const exists =
      year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month) && hour < 24 && minute < 60 && second < 60;
    return exists && nanos % 1000 === 0 ? (stampOf(microsOf({ year, month, day, hour, minute, second, nanos })) ?? null) : null;
  }

  test('are read by the law or refused', () =>
    fc.assert(
      fc.asyncProperty(fc.array(anyEdited, batch), session, async (texts, zone) => {
        const found = await probe.read(texts, { to: 'timestamp' }, zone);
        expect(found.map(({ value }, i) => [texts[i], value])).toEqual(texts.map((text) => [text, lawful(text)]));
        expect(found.filter(({ value, reason }) => (value === null) === (reason === null))).toEqual([]);
        const asDates = await probe.read(texts, { to: 'date' }, zone);
        const midnight = (stamp: string | null): string | null => (stamp?.endsWith(' 00:00:00') ? stamp.slice(0, 10) : null);
        expect(asDates.map(({ value }, i) => [texts[i], value])).toEqual(texts.map((text) => [text, midnight(lawful(text))]));
      }),
      { numRuns: 10 },
    ));
});
