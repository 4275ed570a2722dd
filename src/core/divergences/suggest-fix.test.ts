import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { catalogue } from './catalogue.ts';
import { reasons } from './reasons.ts';
import { type Seen, suggestFix } from './suggest-fix.ts';

describe('suggestFix', () => {
  it.each([
    ['invalid_value', null, 'on_invalid: quarantine'],
    ['invalid_value', 'exponent', 'exponent: true'],
    ['invalid_value', 'missing_timezone', 'timezone: UTC'],
    ['invalid_value', 'offset_without_target_zone', 'to_timezone: UTC'],
    ['lossy_value', 'scale', 'on_lossy: round'],
    ['lossy_value', 'sub_microsecond', 'on_lossy: truncate'],
    ['ambiguous_format', null, 'formats: [dd/MM/yyyy]'],
    ['extra_column', null, 'on_extra: rescue'],
    ['malformed_record', 'fields', 'on_malformed: quarantine'],
    ['malformed_file', 'truncated_compressed_stream', ''],
    ['null_key', null, 'merge: { on_null_key: quarantine }'],
    ['empty_source', null, 'allow_empty: true'],
  ] as const)('%s (%s) → %s', (kind, reason, expected) => {
    expect(suggestFix(kind, reason, 'c')).toBe(expected);
  });

  it.each<[string, string, string[], string]>([
    ['groups of an English number', 'decimal(12,2)', ['1,234.50'], 'group: ","'],
    ['groups that occur twice', 'int64', ['1,234,567'], 'group: ","'],
    ['a continental number', 'decimal(12,2)', ['1.234,50'], 'decimal: ","\ngroup: "."'],
    ['a decimal comma', 'float64', ['12,5'], 'decimal: ","'],
    ['a comma that may be either', 'decimal(12,3)', ['1,234'], 'on_invalid: quarantine'],
    ['a null token', 'int32', ['n/a'], 'null_values: ["n/a"]'],
    ['a null token in text', 'string(2)', ['n/a'], 'on_invalid: quarantine'],
    ['words for truth', 'boolean', ['yes', 'No'], 'true_values: ["true", "yes"]\nfalse_values: ["false", "no"]'],
    ['day before month, decided', 'date', ['13/01/2024', '02/03/2024'], 'formats: [iso, dd/MM/yyyy]'],
    ['month before day, decided', 'date', ['01/13/2024'], 'formats: [iso, MM/dd/yyyy]'],
    ['undecided order', 'date', ['01/02/2024'], 'on_invalid: quarantine'],
    ['contradicting order', 'date', ['13/01/2024', '01/13/2024'], 'on_invalid: quarantine'],
    ['English month names', 'date', ['Jun 12 1998'], 'formats: [iso, "MMM d yyyy"]'],
    ['slashes after the year', 'timestamp', ['2001/01/01 06:55'], 'formats: [iso, "yyyy/MM/dd HH:mm"]'],
    ['an epoch', 'timestamptz', ['1719835200000'], 'formats: [iso, epoch_ms]'],
  ])('reads the values: %s', (_, expected, examples, fix) => {
    expect(suggestFix('invalid_value', null, 'c', { expected, examples })).toBe(fix);
  });

  it('is YAML for every kind and reason, whatever the names are', () => {
    const names = ['plain', 'x"); DROP TABLE canary; --', 'a: b', '#', '', '\u001b[31m', '\u202e', 'yes', '🙂'];
    for (const kind of catalogue) {
      for (const reason of [null, ...Object.keys(reasons)]) {
        for (const name of names) {
          const seen: Seen = { expected: 'decimal(12,2)', actual: name, examples: [name] };
          const yaml = suggestFix(kind.name, reason, name, seen);
          expect(yaml === '' || typeof parse(yaml) === 'object', yaml).toBe(true);
        }
      }
    }
  });

  it('writes a source name so that it reads back as it is', () => {
    for (const actual of [' Name ', 'a"b', 'yes', '\u0085', 'tab\there']) {
      expect(parse(suggestFix('name_variant', null, 'name', { actual }))).toEqual({ from: [actual] });
    }
  });
});
