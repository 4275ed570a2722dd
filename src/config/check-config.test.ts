import { describe, expect, test } from 'vitest';
import { checkConfig } from './check-config.ts';
import { ConfigFault } from './problem.ts';

const names = { file: 'schemalign.yaml', folder: '/project' };
const env = { SECRET: 'hunter2-very-secret', EMPTY: '', SHARE: '0.25', YES: 'true' };

/** A right job around a slip, so that only the slip is wrong. */
const head = 'version: 1\nconnections: { wh: { url: w.duckdb } }\n';
const job = (lines: string): string =>
  `${head}jobs:\n  orders:\n    source: { path: a.csv }\n    target: { connection: wh, table: t }\n${lines}`;
const column = (rule: string): string => job(`    columns:\n      amount: ${rule}\n`);

interface Slip {
  readonly name: string;
  /** The file; `▮` stands right before the place that the fault must name, and is taken out. */
  readonly yaml: string;
  readonly pointer?: string;
  readonly says: RegExp;
}

const syntax: readonly Slip[] = [
  { name: 'an empty file', yaml: '▮', says: /the file is empty/ },
  { name: 'only comments', yaml: '▮# nothing yet\n', says: /the file is empty/ },
  { name: 'a tab', yaml: 'version: 1\n▮\tjobs: {}\n', says: /tab.*blanks/ },
  { name: 'a key twice', yaml: 'version: 1\n▮version: 1\n', says: /twice/ },
  { name: 'a job twice', yaml: `${job('')}  ▮orders: {}\n`, says: /twice/ },
  { name: 'a column as number and as text', yaml: job('    columns:\n      1: {}\n      ▮"1": {}\n'), says: /twice/ },
  { name: 'two documents', yaml: 'version: 1\n▮---\nversion: 1\n', says: /one document/ },
  { name: 'an open bracket', yaml: 'version: 1\ndefaults: { null_values: [a, b ▮}\njobs: {}\n', says: /bracket/ },
  { name: 'an open quote', yaml: "version: 1\naudit: { prefix: ▮'a }\n", says: /quote/ },
  { name: 'a colon in plain text', yaml: 'version: 1\naudit:\n  prefix: ▮a: b\n', says: /mapping inside one line/ },
  { name: 'a plain % at the start', yaml: 'version: 1\ndefaults: { formats: [▮%d/%m/%Y] }\n', says: /quotes/ },
  { name: 'a plain @ at the start', yaml: 'version: 1\naudit: { prefix: ▮@a }\n', says: /quotes/ },
  { name: 'a lone dash in brackets', yaml: 'version: 1\ndefaults: { null_values: [▮-, n/a] }\n', says: /lone - in quotes/ },
  { name: 'uneven indents', yaml: 'version: 1\naudit:\n    prefix: a\n▮  schema: b\n', says: /indented/ },
  { name: 'a list as the file', yaml: '▮- version: 1\n', says: /expected a mapping.*found a list/ },
  { name: 'a text as the file', yaml: '▮version\n', says: /expected a mapping.*found "version"/ },
  { name: 'an alias without anchor', yaml: 'version: 1\naudit: { prefix: ▮*a }\n', says: /anchor/ },
  { name: 'a tag', yaml: 'version: 1\naudit: { prefix: ▮!secret a }\n', says: /tags are not used/ },
  { name: 'a standard tag', yaml: 'version: 1\naudit: { prefix: !!binary ▮YQ== }\n', says: /tags are not used/ },
  { name: 'YAML 1.1', yaml: '▮%YAML 1.1\n---\nversion: 1\n', says: /YAML 1\.2/ },
  { name: 'a bad escape', yaml: 'version: 1\ndefaults: { default: "▮\\d" }\n', says: /backslash/ },
];

const keys: readonly Slip[] = [
  { name: 'no version', yaml: '▮jobs: {}\n', pointer: '', says: /the key version is missing/ },
  { name: 'another version', yaml: 'version: ▮2\n', pointer: '/version', says: /expected 1, found 2/ },
  {
    name: 'a misspelt top key',
    yaml: 'version: 1\n▮conections: {}\n',
    pointer: '/conections',
    says: /unknown key "conections" \(did you mean connections\?\)/,
  },
  {
    name: 'an unknown key far from any',
    yaml: 'version: 1\n▮zzzzzzzz: {}\n',
    pointer: '/zzzzzzzz',
    says: /known here: version, connections/,
  },
  {
    name: 'a misspelt job key',
    yaml: job('    ▮on_invalide: error\n'),
    pointer: '/jobs/orders/on_invalide',
    says: /did you mean on_invalid\?/,
  },
  {
    name: 'a dash for a line',
    yaml: job('    ▮on-invalid: error\n'),
    pointer: '/jobs/orders/on-invalid',
    says: /did you mean on_invalid\?/,
  },
  {
    name: 'a job key on a column',
    yaml: column('{ ▮on_malformed: error }'),
    pointer: '/jobs/orders/columns/amount/on_malformed',
    says: /a key of a job/,
  },
  { name: 'a source key on a job', yaml: job('    ▮delimiter: ";"\n'), pointer: '/jobs/orders/delimiter', says: /a key of `source`/ },
  { name: 'a merge key on a job', yaml: job('    ▮order_by: at\n'), pointer: '/jobs/orders/order_by', says: /a key of `merge`/ },
  { name: 'from on a job', yaml: job('    ▮from: [a]\n'), pointer: '/jobs/orders/from', says: /a key of a column rule/ },
  {
    name: 'a merge key of YAML 1.1',
    yaml: 'version: 1\ndefaults: &d { trim: auto }\naudit:\n  ▮<<: *d\n',
    pointer: '/audit/<<',
    says: /defaults/,
  },
  {
    name: 'a connection without url',
    yaml: 'version: 1\nconnections:\n  ▮wh: { memory_limit: 1GB }\n',
    pointer: '/connections/wh',
    says: /the key url is missing/,
  },
  {
    name: 'an ignore entry without reason',
    yaml: job('    ignore: [▮{ code: SA102 }]\n'),
    pointer: '/jobs/orders/ignore/0',
    says: /the key reason is missing/,
  },
  {
    name: 'a name with slashes',
    yaml: job('    columns:\n      a/b~c: { ▮x: 1 }\n'),
    pointer: '/jobs/orders/columns/a~1b~0c/x',
    says: /unknown key "x"/,
  },
  { name: 'a list as a key', yaml: job('    columns:\n      ? ▮[a]\n      : {}\n'), says: /expected a name as key/ },
];

const values: readonly Slip[] = [
  {
    name: 'null without quotes',
    yaml: job('    on_invalid: ▮null\n'),
    pointer: '/jobs/orders/on_invalid',
    says: /"null", default, found null.*write "null" in quotes/,
  },
  { name: 'a tilde for null', yaml: job('    on_invalid: ▮~\n'), pointer: '/jobs/orders/on_invalid', says: /in quotes/ },
  { name: 'null among null values', yaml: job('    null_values: [▮null]\n'), pointer: '/jobs/orders/null_values/0', says: /in quotes/ },
  { name: 'null for a mode', yaml: job('    mode: ▮null\n'), pointer: '/jobs/orders/mode', says: /remove its line/ },
  { name: 'a key without value', yaml: job('    ▮mode:\n'), pointer: '/jobs/orders/mode', says: /found nothing/ },
  { name: 'a key without value in braces', yaml: 'version: 1\ndefaults: { ▮trim }\n', pointer: '/defaults/trim', says: /found nothing/ },
  {
    name: 'an unknown policy',
    yaml: job('    on_invalid: ▮ignore\n'),
    pointer: '/jobs/orders/on_invalid',
    says: /expected one of error, quarantine.*found "ignore"/,
  },
  { name: 'upper case', yaml: job('    mode: ▮MERGE\n'), pointer: '/jobs/orders/mode', says: /one of merge, append.*found "MERGE"/ },
  {
    name: 'yes for true',
    yaml: column('{ exponent: ▮yes }'),
    pointer: '/jobs/orders/columns/amount/exponent',
    says: /true or false.*YAML 1\.2/,
  },
  {
    name: 'true in quotes',
    yaml: column('{ exponent: ▮"true" }'),
    pointer: '/jobs/orders/columns/amount/exponent',
    says: /expected true or false, found "true"/,
  },
  {
    name: 'a text for a list',
    yaml: job('    key: ▮order_id\n'),
    pointer: '/jobs/orders/key',
    says: /list of column names.*found "order_id".*write key: \[order_id\]/,
  },
  { name: 'an empty list', yaml: job('    key: ▮[]\n'), pointer: '/jobs/orders/key', says: /found a list of 0/ },
  { name: 'a name in the list that is empty', yaml: job('    key: [a, ▮""]\n'), pointer: '/jobs/orders/key/1', says: /not empty/ },
  { name: 'a name twice in the key', yaml: job('    key: [a, ▮a]\n'), pointer: '/jobs/orders/key/1', says: /twice/ },
  { name: 'a mapping for a text', yaml: job('    timezone: ▮{ name: UTC }\n'), pointer: '/jobs/orders/timezone', says: /found a mapping/ },
  {
    name: 'a text for a mapping',
    yaml: 'version: 1\naudit: ▮main\n',
    pointer: '/audit',
    says: /expected a mapping of audit keys, found "main"/,
  },
  { name: 'no such zone', yaml: job('    timezone: ▮Lisbon\n'), pointer: '/jobs/orders/timezone', says: /IANA time zone.*found "Lisbon"/ },
  { name: 'an offset for a zone', yaml: job('    timezone: ▮"+01:00"\n'), pointer: '/jobs/orders/timezone', says: /IANA time zone/ },
  {
    name: 'a strptime format',
    yaml: job('    formats: [iso, ▮"%d/%m/%Y"]\n'),
    pointer: '/jobs/orders/formats/1',
    says: /strptime.*dd\/MM\/yyyy/,
  },
  { name: 'a week year', yaml: job('    formats: [▮dd/MM/YYYY]\n'), pointer: '/jobs/orders/formats/0', says: /write y/ },
  { name: 'a day of the year', yaml: job('    formats: [▮DD/MM/yyyy]\n'), pointer: '/jobs/orders/formats/0', says: /write d/ },
  { name: 'an open format bracket', yaml: job('    formats: [▮"yyyy[-MM"]\n'), pointer: '/jobs/orders/formats/0', says: /brackets/ },
  { name: 'an open format quote', yaml: job('    formats: [▮"yyyy\'T"]\n'), pointer: '/jobs/orders/formats/0', says: /quotes are closed/ },
  {
    name: 'an unknown epoch',
    yaml: job('    formats: [▮epoch]\n'),
    pointer: '/jobs/orders/formats/0',
    says: /epoch_s, epoch_ms, epoch_us/,
  },
  {
    name: 'one year only',
    yaml: job('    two_digit_year_range: ▮[1950]\n'),
    pointer: '/jobs/orders/two_digit_year_range',
    says: /first and the last year.*list of 1/,
  },
  {
    name: 'years the wrong way round',
    yaml: job('    two_digit_year_range: ▮[2024, 1925]\n'),
    pointer: '/jobs/orders/two_digit_year_range',
    says: /at most 100 years/,
  },
  {
    name: '101 years',
    yaml: job('    two_digit_year_range: ▮[1924, 2024]\n'),
    pointer: '/jobs/orders/two_digit_year_range',
    says: /at most 100 years/,
  },
  {
    name: 'years in quotes',
    yaml: job('    two_digit_year_range: [▮"1925", 2024]\n'),
    pointer: '/jobs/orders/two_digit_year_range/0',
    says: /without quotes/,
  },
  { name: 'a share beyond 1', yaml: job('    null_budget: ▮5\n'), pointer: '/jobs/orders/null_budget', says: /from 0 to 1, found 5/ },
  { name: 'a percentage', yaml: job('    null_budget: ▮5%\n'), pointer: '/jobs/orders/null_budget', says: /50 % is 0\.5/ },
  { name: 'not a number', yaml: job('    null_budget: ▮.nan\n'), pointer: '/jobs/orders/null_budget', says: /from 0 to 1, found \.nan/ },
  {
    name: 'a negative count',
    yaml: 'version: 1\naudit: { max_examples: ▮-1 }\n',
    pointer: '/audit/max_examples',
    says: /0 or more, found -1/,
  },
  {
    name: 'a fraction of examples',
    yaml: 'version: 1\naudit: { max_examples: ▮2.5 }\n',
    pointer: '/audit/max_examples',
    says: /whole number/,
  },
  {
    name: 'a long decimal mark',
    yaml: column('{ decimal: ▮",," }'),
    pointer: '/jobs/orders/columns/amount/decimal',
    says: /one character/,
  },
  { name: 'a digit as separator', yaml: column('{ group: ▮"0" }'), pointer: '/jobs/orders/columns/amount/group', says: /no digit/ },
  {
    name: 'group equals decimal',
    yaml: column('{ decimal: ",", group: ▮"," }'),
    pointer: '/jobs/orders/columns/amount/group',
    says: /the group separator is the decimal mark/,
  },
  {
    name: 'group equals the built-in decimal',
    yaml: column('{ group: ▮"." }'),
    pointer: '/jobs/orders/columns/amount/group',
    says: /name the decimal mark too/,
  },
  {
    name: 'one text means true and false',
    yaml: column('{ true_values: [Y], false_values: [n, ▮y] }'),
    pointer: '/jobs/orders/columns/amount/false_values/1',
    says: /among true_values too/,
  },
  {
    name: 'a word for the memory limit',
    yaml: 'version: 1\nconnections: { wh: { url: w.duckdb, memory_limit: ▮1 gig } }\n',
    pointer: '/connections/wh/memory_limit',
    says: /512MB/,
  },
  {
    name: 'a code by name',
    yaml: job('    ignore: [{ code: ▮extra_column, reason: r }]\n'),
    pointer: '/jobs/orders/ignore/0/code',
    says: /SA102/,
  },
  {
    name: 'a code that was never given out',
    yaml: job('    ignore: [{ code: ▮SA112, reason: r }]\n'),
    pointer: '/jobs/orders/ignore/0/code',
    says: /expected a divergence code \(near it: SA107 nullability_mismatch, SA106 column_order, SA105 name_collision\), found "SA112"/,
  },
  {
    name: 'a code in small letters',
    yaml: job('    ignore: [{ code: ▮sa303, reason: r }]\n'),
    pointer: '/jobs/orders/ignore/0/code',
    says: /near it: SA303 duplicate_key/,
  },
  {
    name: 'a kind whose name is misspelt',
    yaml: job('    ignore: [{ code: ▮extra-colum, reason: r }]\n'),
    pointer: '/jobs/orders/ignore/0/code',
    says: /near it: SA102 extra_column/,
  },
  {
    name: 'a day that does not exist',
    yaml: job('    ignore: [{ code: SA102, reason: r, until: ▮2026-02-30 }]\n'),
    pointer: '/jobs/orders/ignore/0/until',
    says: /that exists/,
  },
  {
    name: 'a day in another order',
    yaml: job('    ignore: [{ code: SA102, reason: r, until: ▮31/12/2026 }]\n'),
    pointer: '/jobs/orders/ignore/0/until',
    says: /yyyy-MM-dd/,
  },
  {
    name: 'an unknown format',
    yaml: 'version: 1\ndefaults: { source: { format: ▮xlsx } }\n',
    pointer: '/defaults/source/format',
    says: /one of csv, ndjson/,
  },
  {
    name: 'a delimiter of two characters',
    yaml: 'version: 1\ndefaults: { source: { delimiter: ▮"||" } }\n',
    pointer: '/defaults/source/delimiter',
    says: /one ASCII character/,
  },
  {
    name: 'partition values that are a text',
    yaml: job('    partition: { columns: [dt], values: ▮all }\n'),
    pointer: '/jobs/orders/partition/values',
    says: /expected present, or a list/,
  },
  {
    name: 'partition values that are a mapping',
    yaml: job('    partition: { columns: [dt], values: ▮{ a: 1 } }\n'),
    pointer: '/jobs/orders/partition/values',
    says: /found a mapping/,
  },
  {
    name: 'a partition value that is null',
    yaml: job('    partition: { columns: [dt], values: [▮null] }\n'),
    pointer: '/jobs/orders/partition/values/0',
    says: /found null/,
  },
];

const wholes: readonly Slip[] = [
  {
    name: 'an address that no engine has',
    yaml: 'version: 1\nconnections: { wh: { url: ▮mysql://h/d } }\n',
    pointer: '/connections/wh/url',
    says: /expected the address of an engine/,
  },
  {
    name: 'a table in the address',
    yaml: 'version: 1\nconnections: { wh: { url: ▮"w.duckdb#main.t" } }\n',
    pointer: '/connections/wh/url',
    says: /names no table/,
  },
  {
    name: 'an unknown connection',
    yaml: `${head}jobs:\n  a:\n    source: { path: x }\n    target: { connection: ▮wj, table: t }\n`,
    pointer: '/jobs/a/target/connection',
    says: /did you mean wh\?/,
  },
  {
    name: 'a job without source',
    yaml: `${head}jobs:\n  ▮a:\n    target: { connection: wh, table: t }\n`,
    pointer: '/jobs/a',
    says: /no source/,
  },
  {
    name: 'a source that names nothing',
    yaml: `${head}jobs:\n  a:\n    ▮source: { format: csv }\n    target: { connection: wh, table: t }\n`,
    pointer: '/jobs/a/source',
    says: /names nothing to read/,
  },
  {
    name: 'a target without table',
    yaml: `${head}jobs:\n  a:\n    source: { path: x }\n    ▮target: { connection: wh }\n`,
    pointer: '/jobs/a/target',
    says: /the key table is missing/,
  },
  {
    name: 'a path and a query',
    yaml: `${head}jobs:\n  a:\n    source: { path: x, query: ▮SELECT 1 }\n    target: { connection: wh, table: t }\n`,
    pointer: '/jobs/a/source/query',
    says: /exclude each other/,
  },
  {
    name: 'a batch of files',
    yaml: `${head}jobs:\n  a:\n    source: { path: x, batch: ▮b }\n    target: { connection: wh, table: t }\n`,
    pointer: '/jobs/a/source/batch',
    says: /load token/,
  },
  {
    name: 'a delimiter of JSON',
    yaml: `${head}jobs:\n  a:\n    source: { path: x, format: ndjson, delimiter: ▮"," }\n    target: { connection: wh, table: t }\n`,
    pointer: '/jobs/a/source/delimiter',
    says: /belongs to format csv/,
  },
  {
    name: 'delimiter and quote alike',
    yaml: `${head}jobs:\n  a:\n    source: { path: x, delimiter: "'", quote: ▮"'" }\n    target: { connection: wh, table: t }\n`,
    pointer: '/jobs/a/source/quote',
    says: /same character/,
  },
  { name: 'merge without key', yaml: job('    mode: ▮merge\n'), pointer: '/jobs/orders/mode', says: /add key: \[column\]/ },
  {
    name: 'merge without key, said in defaults',
    yaml: `${job('')}defaults: { mode: ▮merge }\n`,
    pointer: '/defaults/mode',
    says: /add key/,
  },
  {
    name: 'keep_latest without order',
    yaml: job('    key: [id]\n    merge: { on_duplicate_key: ▮keep_latest }\n'),
    pointer: '/jobs/orders/merge/on_duplicate_key',
    says: /add order_by/,
  },
  {
    name: 'a partition mode without partition',
    yaml: job('    mode: ▮overwrite-partition\n'),
    pointer: '/jobs/orders/mode',
    says: /needs partition\.columns/,
  },
  {
    name: 'a partition value too short',
    yaml: job('    mode: overwrite-partition\n    partition: { columns: [a, b], values: [[1, 2], ▮[1]] }\n'),
    pointer: '/jobs/orders/partition/values/1',
    says: /expected 2 values.*found 1/,
  },
  {
    name: 'the group of a column is the decimal mark of the job',
    yaml: job('    decimal: ","\n    columns: { a: { group: ▮"," } }\n'),
    pointer: '/jobs/orders/columns/a/group',
    says: /decimal mark/,
  },
  {
    name: 'a variable that is no name',
    yaml: job('    default: ▮"${env:A-B}"\n'),
    pointer: '/jobs/orders/default',
    says: /names no variable/,
  },
];

function faultOf(yaml: string): ConfigFault {
  try {
    checkConfig(yaml, names, env);
  } catch (error) {
    if (error instanceof ConfigFault) return error;
    throw error;
  }
  throw new Error('no fault');
}

describe.each([
  ['syntax', syntax],
  ['keys', keys],
  ['values', values],
  ['wholes', wholes],
] as const)('%s', (_, slips) => {
  test.each(slips)('$name', ({ yaml, pointer, says }) => {
    const before = yaml.slice(0, yaml.indexOf('▮')).split('\n');
    const place = { file: 'schemalign.yaml', line: before.length, column: (before.at(-1) ?? '').length + 1 };
    const fault = faultOf(yaml.replace('▮', ''));
    expect(fault.code).toBe('CONFIG_INVALID');
    expect(fault.exit).toBe(2);
    expect(fault.place).toEqual(place);
    expect(fault.message).toMatch(says);
    expect(fault.message.startsWith(`[CONFIG_INVALID] schemalign.yaml:${place.line}:${place.column}: `)).toBe(true);
    expect(fault.problems).toHaveLength(1);
    if (pointer !== undefined) expect(fault.problems[0]?.pointer).toBe(pointer);
  });
});

describe('what is right', () => {
  test.each([
    ['the least file', 'version: 1\n'],
    [
      "a byte-order mark and CRLF are the reader's concern, anchors are fine",
      'version: 1\ndefaults: { formats: &f [iso], columns: { a: { formats: *f } } }\n',
    ],
    ['blocks whose lines are all commented out', 'version: 1\naudit:\n  # prefix: x\njobs:\n'],
    ['no as a text: Norway', job('    default: NO\n')],
    [
      'a job named like a property of every object',
      `${head}jobs:\n  __proto__:\n    source: { path: x }\n    target: { connection: wh, table: t }\n`,
    ],
    ['100 years', job('    two_digit_year_range: [1925, 2024]\n')],
    ['a tab as two characters', "version: 1\ndefaults: { source: { delimiter: '\\t' } }\n"],
  ])('%s', (_, yaml) => {
    expect(() => checkConfig(yaml, names, env)).not.toThrow();
  });

  test('scalars where a text is expected are taken as written', () => {
    const { jobs } = checkConfig(job('    key: [1, 007, 1.50, true]\n    default: 1e2\n    null_values: [.5, 0x1F, ""]\n'), names, env);
    expect(jobs.get('orders')).toMatchObject({ key: ['1', '007', '1.50', 'true'], default: '1e2', null_values: ['.5', '0x1F', ''] });
  });

  test('names of every object are ordinary names', () => {
    const { jobs } = checkConfig(job('    columns:\n      __proto__: { trim: never }\n      constructor: { trim: always }\n'), names, env);
    expect([...(jobs.get('orders')?.columns ?? [])]).toEqual([
      ['__proto__', { trim: 'never' }],
      ['constructor', { trim: 'always' }],
    ]);
  });
});

describe('all problems at once', () => {
  const many = `version: 1\ndefaults:\n${Array.from({ length: 13 }, (_, i) => `  wrong_${i}: 1\n`).join('')}`;

  test('in order of place, the message stops at ten', () => {
    const fault = faultOf(many);
    expect(fault.problems.map((problem) => problem.line)).toEqual(Array.from({ length: 13 }, (_, i) => i + 3));
    expect(fault.message.split('\n')).toHaveLength(11);
    expect(fault.message).toContain('schemalign.yaml:12:3: /defaults/wrong_9');
    expect(fault.message).toMatch(/and 3 more$/);
  });

  test('an alias shows one mistake once', () => {
    const fault = faultOf(
      `${head}jobs:\n  a: &a\n    source: { path: x }\n    target: { connection: wh, table: t }\n    trim: maybe\n  b: *a\n`,
    );
    expect(fault.problems).toHaveLength(1);
  });

  test('an empty job lacks both ends', () => {
    expect(faultOf(`${head}jobs:\n  a:\n`).problems).toMatchObject([
      { line: 4, column: 3, message: 'the job has no source' },
      { line: 4, column: 3, message: 'the job has no target' },
    ]);
  });

  test('problems of several jobs', () => {
    const fault = faultOf(`${head}jobs:\n  a: { source: { path: x } }\n  b: { target: { connection: wh, table: t } }\n`);
    expect(fault.problems.map((problem) => [problem.pointer, problem.message])).toEqual([
      ['/jobs/a', 'the job has no target'],
      ['/jobs/b', 'the job has no source'],
    ]);
  });
});

describe('the environment', () => {
  test('values are put in, inside texts and as numbers and flags', () => {
    const yaml = job('    default: "a${env:SECRET}b${env:EMPTY}c"\n    null_budget: ${env:SHARE}\n    exponent: ${env:YES}\n');
    expect(checkConfig(yaml, names, env).jobs.get('orders')).toMatchObject({
      default: 'ahunter2-very-secretbc',
      null_budget: 0.25,
      exponent: true,
    });
  });

  test('a variable that is not set is kept for the jobs that need it, with its place', () => {
    const { missing } = checkConfig('version: 1\nconnections:\n  pg: { url: "postgres://u:${env:NOT_SET}@h/d" }\n', names, env);
    expect(missing).toEqual([
      { line: 3, column: 14, pointer: '/connections/pg/url', message: 'the environment variable NOT_SET is not set', fix: 'set NOT_SET' },
    ]);
  });

  test('names of every object are no variables', () => {
    expect(checkConfig(job('    default: "${env:constructor}"\n'), names, {}).missing).toHaveLength(1);
  });

  test.each([
    ['a choice', job('    mode: ${env:SECRET}\n')],
    ['a number', job('    null_budget: ${env:SECRET}\n')],
    ['a flag', job('    exponent: ${env:SECRET}\n')],
    ['a zone', job('    timezone: ${env:SECRET}\n')],
    ['an address', 'version: 1\nconnections: { wh: { url: "${env:SECRET}" } }\n'],
    ['a connection name', `${head}jobs:\n  a:\n    source: { path: x }\n    target: { connection: "\${env:SECRET}", table: t }\n`],
    ['a name twice', job('    key: ["${env:SECRET}", "${env:SECRET}"]\n')],
    ['true and false', job('    true_values: ["${env:SECRET}"]\n    false_values: ["${env:SECRET}"]\n')],
  ])('a value never stands in a message: %s', (_, yaml) => {
    expect(JSON.stringify([faultOf(yaml).message, faultOf(yaml).problems])).not.toContain('hunter2');
  });
});

test('a password in the file never stands in a message', () => {
  const yaml = 'version: 1\nconnections: { pg: { url: "postgrs://u:hunter2@h/d" } }\nfail_on: "postgres://u:hunter2@h/d"\n';
  expect(faultOf(yaml).message).not.toContain('hunter2');
});
