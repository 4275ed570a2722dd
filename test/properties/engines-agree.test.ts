/** One coercion law on every engine: the same random values give the same results and the same refusals. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SourceForm } from '../../src/core/coercions/coercion.ts';
import type { ColumnRule } from '../../src/core/model/policy.ts';
import { parseType } from '../../src/core/model/type-text.ts';
import { duckdb } from '../conformance/engines/duckdb.ts';
import { postgres } from '../conformance/engines/postgres.ts';
import type { Harness, Running } from '../conformance/suite.ts';
import { caseTypeOf, givenVerdict } from '../conformance/verdict.ts';
import { Random } from './random.ts';

/** One line per engine. */
const engines: readonly Harness[] = [duckdb, postgres];

const many = 1_000;

const running: { readonly name: string; readonly engine: Running }[] = [];
beforeAll(async () => {
  for (const { name, start } of engines) running.push({ name, engine: await start('America/New_York') });
});
afterAll(async () => {
  for (const { engine } of running) await engine.stop();
});

interface Question {
  readonly from: SourceForm;
  readonly to: string;
  readonly rule: Partial<ColumnRule>;
  readonly given: readonly string[];
}

/** What the engines make differently of the values, and how many of them they take. */
async function compare({ from, to, rule, given }: Question): Promise<{ readonly apart: readonly string[]; readonly taken: number }> {
  const type = parseType(to);
  const caseType = caseTypeOf(type);
  const answers: string[][] = [];
  for (const { name, engine } of running) {
    const outcomes = await engine.evaluate({ from, to: type, rule, paths: {}, rows: given.map((value) => ({ given: value })) });
    answers.push(outcomes.map((outcome) => `${givenVerdict(caseType, outcome)} ${outcome.faults.map((fault) => fault.outcome).join()}`));
    expect(outcomes.length, name).toBe(given.length);
  }
  const [first = [], ...others] = answers;
  const apart = given.flatMap((value, i) =>
    others.some((other) => other[i] !== first[i]) ? [`${JSON.stringify(value)}: ${answers.map((answer) => answer[i]).join(' | ')}`] : [],
  );
  return { apart: apart.slice(0, 20), taken: first.filter((verdict) => !verdict.startsWith('refused')).length / given.length };
}

const months = 'January February March April May June July August September October November December'.split(' ');
const days = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ');
const pad = (n: number, width: number): string => String(n).padStart(width, '0');

/** A text of a pattern. Most are of real days; the parts of some come from different ones. */
function written(random: Random, pattern: string): string {
  const moment = (): Date =>
    new Date(Date.UTC(random.int(1, 9999), random.int(0, 11), random.int(1, 31), random.int(0, 23), random.int(0, 59)));
  const base = moment();
  if (random.chance(0.3)) base.setUTCFullYear(random.int(1960, 2040));
  const at = (): Date => (random.chance(0.97) ? base : moment());
  const second = random.chance(0.97) ? random.int(0, 59) : 60;
  const hour12 = (date: Date): number => (random.chance(0.97) ? date.getUTCHours() % 12 || 12 : random.int(0, 13));
  const letters: Readonly<Record<string, (count: number) => string>> = {
    y: (count) => (count === 2 ? pad(at().getUTCFullYear() % 100, 2) : pad(at().getUTCFullYear(), count)),
    M: (count) => (count > 2 ? (months[at().getUTCMonth()] as string).slice(0, count === 3 ? 3 : 9) : pad(at().getUTCMonth() + 1, count)),
    d: (count) => pad(random.chance(0.03) ? random.int(28, 32) : at().getUTCDate(), count),
    E: (count) => (days[at().getUTCDay()] as string).slice(0, count === 4 ? 9 : 3),
    H: (count) => pad(random.chance(0.97) ? at().getUTCHours() : 24, count),
    h: (count) => pad(hour12(at()), count),
    a: () => random.pick(['AM', 'PM', 'am', 'Pm']),
    m: (count) => pad(at().getUTCMinutes(), count),
    s: (count) => pad(second, count),
    S: (count) => random.digits(count, count),
    X: () => random.pick(['Z', '+02:00', '-05:30', '+18:00', '+00:00', '-00:30', '+19:00']),
  };
  const whole = pattern.replace(/\[([^\]]*)\]/g, (_, inner: string) => (random.chance(0.5) ? inner : ''));
  return whole.replace(/'([^']*)'|([A-Za-z])\2*/g, (run, quoted: string | undefined, letter: string) =>
    quoted === undefined ? (letters[letter] as (count: number) => string)(run.length) : quoted,
  );
}

const isoLike = ['yyyy-MM-dd', "yyyy-MM-dd'T'HH:mm", 'yyyy-MM-dd HH:mm:ss', "yyyy-MM-dd'T'HH:mm:ss.SSS", 'yyyy-MM-dd HH:mm:ss.SSSSSSSSS'];
const lists: readonly (readonly [to: string, formats: readonly string[] | undefined, rule?: Partial<ColumnRule>])[] = [
  ['date', ['dd/MM/yyyy']],
  ['date', ['d/M/yyyy'], { onLossy: 'round' }],
  ['date', ['M/d/yy'], { twoDigitYearRange: [1950, 2049] }],
  ['date', ['dd-MM-yy'], { twoDigitYearRange: [1925, 2024] }],
  ['date', ['dd MMM yyyy']],
  ['date', ['EEE, d MMM yyyy', 'EEEE d MMMM yyyy']],
  ['date', ['MMMM d, yyyy']],
  ['date', ['yyyyMMdd']],
  ['date', ['y-M-d']],
  ['date', ['dd/MM/yyyy', 'MM/dd/yyyy']],
  ['date', ['iso', 'dd.MM.yyyy', 'yyyy年MM月dd日']],
  ['date', ["dd/MM/yyyy'T'HH:mm:ss"], { onLossy: 'truncate' }],
  ['timestamp', ['dd.MM.yyyy HH:mm[:ss]']],
  ['timestamp', ['M/d/yyyy h:mm a', 'M/d/yyyy h:mm:ss a']],
  ['timestamp', ['yyyyMMddHHmmss', 'iso'], { onLossy: 'round' }],
  ['timestamp', ["yyyy-MM-dd'T'HH:mm:ss.SSSXXX"], { toTimezone: 'Europe/Lisbon' }],
  ['timestamp', ['yyyy-MM-dd HH:mm:ss.SSSSSSSSS'], { onLossy: 'round' }],
  ['timestamptz', ["yyyy-MM-dd'T'HH:mm[:ss]XXX"]],
  ['timestamptz', ['dd MMM yyyy HH:mm:ss'], { timezone: 'America/New_York' }],
  ['timestamptz', undefined, { timezone: 'Australia/Lord_Howe', onLossy: 'truncate' }],
  ['timestamptz', ['EEE, dd MMM yyyy HH:mm:ss XXX']],
  ['time', ['h:mm a', 'HH:mm[:ss[.SSS]]']],
  ['time', ['HHmmss']],
  ['time', ['H:m:s.SSSSSSSSS'], { onLossy: 'round' }],
];

describe('dates and times', () => {
  test.each(lists.map(([to, formats, rule = {}]) => [to, formats, rule] as const))('%s of %j %j', async (to, formats, rule) => {
    const random = new Random(to.length + (formats ?? []).join().length);
    const patterns = (formats ?? isoLike).flatMap((format) => (format === 'iso' ? isoLike : [format]));
    const given = Array.from({ length: many }, () => random.edited(random.blanks(written(random, random.pick(patterns))), 0.15));
    const { apart, taken } = await compare({
      from: { form: 'text' },
      to,
      rule: { ...rule, ...(formats === undefined ? {} : { formats }) },
      given,
    });
    expect(apart).toEqual([]);
    expect(taken).toBeGreaterThan(0.1);
  });

  test.each(['epoch_s', 'epoch_ms', 'epoch_us'])('JSON numbers as %s', async (unit) => {
    const random = new Random(unit.length);
    const digits = { epoch_s: 10, epoch_ms: 13, epoch_us: 16 }[unit] as number;
    const given = Array.from({ length: many }, () => {
      const whole = `${random.pick(['', '', '', '-'])}${random.int(1, 9)}${random.digits(0, random.chance(0.9) ? digits : digits + 4)}`;
      const fraction = random.chance(0.7) ? '' : `.${random.digits(1, random.int(1, 12))}`;
      return `${whole}${fraction}${random.chance(0.9) ? '' : `e${random.int(-20, 20)}`}`;
    });
    const { apart, taken } = await compare({
      from: { form: 'json' },
      to: 'timestamptz',
      rule: { formats: [unit], onLossy: 'round' },
      given,
    });
    expect(apart).toEqual([]);
    expect(taken).toBeGreaterThan(0.1);
  });
});

describe('JSON', () => {
  const scalars: readonly ((random: Random) => string)[] = [
    (random) => String(random.int(-200, 200)),
    (random) => `${random.int(-9, 9)}.${random.digits(1, 4)}${random.pick(['', '', 'e1', 'E-2'])}`,
    (random) => random.digits(1, 1).replace('0', '1') + random.digits(0, 20),
    (random) =>
      JSON.stringify(
        random.pick(['', 'a', '12', ' 7 ', '1.50', '007', 'true', 'n/a', '2024-02-29', 'é😀', 'a"b\\c', 'x\u0001', '\u0000', 'Ann']),
      ),
    () => 'true',
    () => 'false',
    () => 'null',
  ];

  function value(random: Random, depth: number): string {
    const roll = random.int(0, 9);
    if (depth > 0 && roll === 0) return `[${Array.from({ length: random.int(0, 3) }, () => value(random, depth - 1)).join(',')}]`;
    if (depth > 0 && roll === 1) return object(random, depth - 1, ['a', 'x']);
    return random.pick(scalars)(random);
  }

  /** Mostly what the types ask for: objects of the names, each of them once. */
  function object(random: Random, depth: number, names: readonly string[]): string {
    const present = names.filter(() => random.chance(0.9));
    return `{${present.map((name) => `${JSON.stringify(name)}${random.pick([':', ' : '])}${value(random, depth)}`).join(',')}}`;
  }

  const list = (random: Random, item: () => string): string =>
    `[${Array.from({ length: random.int(0, 3) }, item).join(random.pick([',', ' , ']))}]`;

  const shapes: readonly (readonly [to: string, make: (random: Random) => string])[] = [
    ['int', (random) => value(random, 1)],
    ['decimal(9,2)', (random) => value(random, 1)],
    ['double', (random) => value(random, 1)],
    ['boolean', (random) => value(random, 1)],
    ['varchar(3)', (random) => value(random, 1)],
    ['date', (random) => value(random, 1)],
    ['list<int>', (random) => (random.chance(0.9) ? list(random, () => value(random, 0)) : value(random, 1))],
    ['list<varchar(3)>', (random) => list(random, () => value(random, 1))],
    ['list<list<decimal(5,1)>>', (random) => list(random, () => list(random, () => value(random, 0)))],
    ['struct<a:int,b:varchar(2)>', (random) => object(random, 1, ['a', 'b', 'z'])],
    ['struct<a:decimal(9,2),b:struct<c:boolean,d:list<int>>>', (random) => object(random, 2, ['a', 'b'])],
    ['list<struct<a:int,b:string>>', (random) => list(random, () => object(random, 0, ['a', 'b']))],
    ['map<string,int>', (random) => object(random, 0, ['a', 'B', 'é', '1', 'a b'])],
    [
      'map<int,varchar(2)>',
      (random) =>
        object(
          random,
          0,
          random.pick([
            ['1', '2'],
            ['01', '1'],
            ['x', '3'],
            ['-5', '5.0'],
          ]),
        ),
    ],
  ];
  const rules: readonly Partial<ColumnRule>[] = [{}, { onInvalid: 'null', onLossy: 'round', nullValues: ['n/a'] }];

  test.each(shapes.flatMap(([to, make]) => rules.map((rule) => [to, rule, make] as const)))('%s by the rule %j', async (to, rule, make) => {
    const random = new Random(to.length);
    const given = Array.from({ length: many / 2 }, () => make(random));
    const { apart } = await compare({ from: { form: 'json' }, to, rule, given });
    expect(apart).toEqual([]);
  });

  test.each(shapes.slice(6))('%s out of text', async (to, make) => {
    const random = new Random(to.length + 1);
    const given = Array.from({ length: many / 2 }, () => random.edited(random.blanks(make(random)), 0.2));
    const { apart } = await compare({ from: { form: 'text' }, to, rule: {}, given });
    expect(apart).toEqual([]);
  });
});
