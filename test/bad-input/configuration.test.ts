/** Slips in schemalign.yaml, told with file, line and column before anything is read. */
import type { Attempt } from './attempt.ts';
import { folder, good } from './fixtures.ts';
import { judgeAll } from './stand.ts';

const head =
  'version: 1\nconnections:\n  wh: { url: w.duckdb }\njobs:\n  orders:\n    source: { path: a.csv }\n    target: { connection: wh, table: orders }\n';

/** `▮` stands before the place that must be named, and is taken out. */
const slip = (name: string, yaml: string, says: RegExp, more: Partial<Attempt['expect']> = {}): Attempt => {
  const before = yaml.slice(0, yaml.indexOf('▮')).split('\n');
  return {
    name,
    files: { 'schemalign.yaml': yaml.replace('▮', ''), 'a.csv': good },
    argv: ['load', 'orders'],
    expect: {
      exit: 2,
      fault: 'CONFIG_INVALID',
      file: 'schemalign.yaml',
      line: before.length,
      column: (before.at(-1)?.length ?? 0) + 1,
      says,
      ...more,
    },
  };
};
const job = (lines: string): string => `${head}${lines}`;

judgeAll([
  slip('a tab', 'version: 1\n▮\tjobs: {}\n', /tab/, { fix: /blanks/ }),
  slip('a key twice', 'version: 1\n▮version: 1\n', /twice/, { fix: /one of them/ }),
  slip('a job twice', job('  ▮orders: {}\n'), /twice/),
  slip('a column twice', job('    columns:\n      name: {}\n      ▮name: {}\n'), /twice/),
  slip('a bracket that is never closed', 'version: 1\ndefaults: { null_values: [a, b ▮}\njobs: {}\n', /bracket/),
  slip('a quote that is never closed', "version: 1\naudit: { prefix: ▮'a }\n", /quote/),
  slip('an empty file', '▮', /empty/),
  slip('another version', 'version: ▮2\n', /expected 1, found 2/),
  slip('an unknown key of the file', 'version: 1\n▮conections: {}\n', /did you mean connections\?/),
  slip('an unknown key of a job', job('    ▮on_invalide: error\n'), /did you mean on_invalid\?/),
  slip('a key of a source on a job', job('    ▮delimiter: ";"\n'), /source/),
  slip('an unknown key of a column', job('    columns:\n      amount: { ▮decimals: "," }\n'), /did you mean decimal\?/),
  slip('a value that is none of the choices', job('    on_invalid: ▮ignore\n'), /error.*quarantine/),
  slip('a mode that does not exist', job('    mode: ▮upsert\n'), /merge/),
  slip('a number for a text', job('    columns:\n      name: { default: ▮[1] }\n'), /expected/),
  slip('a text for a number', job('    replace: { max_shrink: ▮much }\n'), /expected/),
  slip('a text for a mapping', job('    merge: ▮keep_latest\n'), /expected a mapping/),
  slip('a list for a text', job('    timezone: ▮[UTC]\n'), /expected/),
  slip('a time zone that does not exist', job('    timezone: ▮Europe/Lissabon\n'), /zone/),
  slip('a format with a letter that means nothing', job('    columns:\n      name: { formats: [▮yyyy-JJ-dd] }\n'), /J/),
  slip('a format in the letters of strftime', job('    columns:\n      name: { formats: [▮"%d/%m/%Y"] }\n'), /%/),
  slip('two decimal marks', job('    columns:\n      amount: { decimal: ▮",," }\n'), /one character/),
  slip('the same mark for decimals and groups', job('    columns:\n      amount: { decimal: ",", group: ▮"," }\n'), /group/),
  slip('a connection that does not exist', head.replace('connection: wh', 'connection: ▮wx'), /wh/),
  slip(
    'a job without a target',
    'version: 1\nconnections: { wh: { url: w.duckdb } }\njobs:\n  orders:\n    ▮source: { path: a.csv }\n',
    /target/,
    { line: 4, column: 3 },
  ),
  slip('an address that no engine takes', head.replace('url: w.duckdb', 'url: ▮warehouse'), /address/, { fix: /FILE\.duckdb/ }),
  slip('a variable that is not set', job('').replace('path: a.csv', 'path: ▮"${env:NO_SUCH_VARIABLE}"'), /NO_SUCH_VARIABLE/),
  slip('a date that does not exist', job('    ignore: [{ code: SA102, reason: x, until: ▮2027-02-30 }]\n'), /date|day/),
  {
    name: 'a rule for a column that the target does not have',
    files: { 'schemalign.yaml': job('    columns:\n      id: { trim: always }\n      prise: { decimal: "," }\n'), 'a.csv': good },
    argv: ['load', 'orders'],
    expect: { exit: 2, fault: 'CONFIG_UNKNOWN_COLUMN', file: 'schemalign.yaml', line: 10, column: 7, says: /prise.*amount/ },
  },
  {
    name: 'an order column that the target does not have',
    files: {
      'schemalign.yaml': job('    key: [id]\n    merge:\n      on_duplicate_key: keep_latest\n      order_by: at\n'),
      'a.csv': good,
    },
    argv: ['load', 'orders'],
    expect: { exit: 2, fault: 'CONFIG_UNKNOWN_COLUMN', file: 'schemalign.yaml', line: 11, says: /\bat\b/ },
  },
  {
    name: 'a job that does not exist',
    files: { 'schemalign.yaml': head },
    argv: ['load', 'order'],
    expect: { exit: 2, fault: 'NOT_FOUND', says: /did you mean orders\?/, fix: /orders/ },
  },
  {
    name: 'no job named where there are several',
    files: { 'schemalign.yaml': job('  other:\n    source: { path: a.csv }\n    target: { connection: wh, table: orders }\n') },
    argv: ['load'],
    expect: { exit: 2, fault: 'USAGE', fix: /orders, other/ },
  },
  { name: 'no configuration at all', argv: ['load', 'orders'], expect: { exit: 2, fault: 'CONFIG_NOT_FOUND', fix: /schemalign\.yaml/ } },
  {
    name: 'a configuration named that does not exist',
    argv: ['load', 'orders', '--config', 'no.yaml'],
    expect: { exit: 2, fault: 'CONFIG_NOT_FOUND', says: /no\.yaml/ },
  },
  {
    name: 'a folder for a configuration',
    files: { 'c.yaml': folder },
    argv: ['load', 'orders', '--config', 'c.yaml'],
    expect: { exit: 2, fault: 'CONFIG_INVALID', file: 'c.yaml', says: /folder/ },
  },
  {
    name: 'a configuration that is no UTF-8',
    files: { 'schemalign.yaml': Buffer.from('version: 1\naudit: { prefix: "\xe9" }\n', 'latin1') },
    argv: ['load', 'orders'],
    expect: { exit: 2, fault: 'CONFIG_INVALID', file: 'schemalign.yaml', line: 2, says: /UTF-8/ },
  },
  {
    name: 'a configuration that grows without end',
    files: {
      'schemalign.yaml': `version: 1\na: &a [x, x, x, x, x, x, x, x, x]\n${'bcdefghi'
        .split('')
        .map((name, i) => `${name}: &${name} [${Array(9).fill(`*${'abcdefgh'[i]}`).join(', ')}]`)
        .join('\n')}\n`,
    },
    argv: ['load', 'orders'],
    expect: { exit: 2, fault: 'CONFIG_INVALID', file: 'schemalign.yaml' },
  },
  {
    name: 'keys of a prototype',
    files: { 'schemalign.yaml': job('    columns:\n      __proto__: { trim: always }\n'), 'a.csv': good },
    argv: ['load', 'orders'],
    expect: { exit: 2, fault: 'CONFIG_UNKNOWN_COLUMN', file: 'schemalign.yaml', line: 9, says: /__proto__/ },
  },
  {
    name: 'a name that would clear the screen',
    files: { 'schemalign.yaml': job('    "on_\\e[2J\\u202e": error\n') },
    argv: ['load', 'orders'],
    expect: { exit: 2, fault: 'CONFIG_INVALID', file: 'schemalign.yaml', line: 8, column: 5 },
  },
]);
