import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { cleanRecord, failedRecord, finding, largeRecord, planRecord, refusedRecord, sampleRecord } from '../../test/fixtures/records.ts';
import type { RunRecord } from '../core/record/run-record.ts';
import { recordToJson } from './json.ts';
import { renderReport } from './registry.ts';

type Json = Record<string, unknown>;
const schema = JSON.parse(readFileSync(new URL('../../schema/run-record.schema.json', import.meta.url), 'utf8')) as Json;
const validate = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true }).compile(schema);
const render = (record: RunRecord) => renderReport('json', record, { color: true, width: 80 });

describe('the JSON report', () => {
  it.each(
    Object.entries({
      sample: sampleRecord(),
      clean: cleanRecord(),
      plan: planRecord(),
      failed: failedRecord(),
      refused: refusedRecord(),
      large: largeRecord(20, 20),
    }),
  )('of %s is the record, and valid by the published schema', (_, record) => {
    const text = render(record);
    expect(JSON.parse(text)).toEqual(record);
    expect(text.startsWith('{\n  "schema": "run-1",\n  "run_id"')).toBe(true);
    validate(JSON.parse(text));
    expect(validate.errors).toBeNull();
  });

  it('is the same text for the same record', () => {
    expect(render(sampleRecord())).toBe(render(sampleRecord()));
  });

  it('has counts beyond 2^53 as digits in strings', () => {
    const sample = sampleRecord();
    const parsed = JSON.parse(recordToJson({ ...sample, counts: { ...sample.counts, read: 2 ** 60 } })) as RunRecord;
    expect(parsed.counts.read).toBe('1152921504606846976');
    expect(parsed.counts.loaded).toBe(12431);
    expect(validate(parsed)).toBe(true);
  });
});

describe('the schema of the run record', () => {
  const defs = schema.$defs as Record<string, Json>;
  const resolve = (part: Json): Json => (typeof part.$ref === 'string' ? (defs[part.$ref.replace('#/$defs/', '')] ?? {}) : part);

  /** The paths of keys that the schema does not name. */
  function unnamed(value: unknown, part: Json, path = ''): string[] {
    const found = resolve(part);
    const options = (found.anyOf as Json[] | undefined)?.map(resolve) ?? [found];
    if (Array.isArray(value)) {
      const items = options.map((option) => option.items as Json | undefined).find((item) => item !== undefined) ?? {};
      return value.flatMap((item) => unnamed(item, items, `${path}[]`));
    }
    if (typeof value !== 'object' || value === null) return [];
    const object = options.find((option) => option.type === 'object') ?? {};
    if (object.additionalProperties !== undefined) return [];
    const properties = (object.properties ?? {}) as Record<string, Json>;
    return Object.entries(value).flatMap(([key, inner]) =>
      properties[key] === undefined ? [`${path}.${key}`] : unnamed(inner, properties[key], `${path}.${key}`),
    );
  }

  it('names every key that a record has', () => {
    expect(unnamed(sampleRecord(), schema)).toEqual([]);
    expect(unnamed(refusedRecord(), schema)).toEqual([]);
    expect(unnamed({ ...cleanRecord(), surprise: 1 }, schema)).toEqual(['.surprise']);
  });

  it('lets later versions add keys', () => {
    expect(validate({ ...cleanRecord(), surprise: 1 })).toBe(true);
  });

  it.each<[string, (record: Json) => void]>([
    [
      'another version',
      (record) => {
        record.schema = 'run-2';
      },
    ],
    [
      'no counts',
      (record) => {
        delete record.counts;
      },
    ],
    [
      'a negative count',
      (record) => {
        record.counts = { ...(record.counts as Json), read: -1 };
      },
    ],
    [
      'a count with a fraction',
      (record) => {
        record.counts = { ...(record.counts as Json), read: 1.5 };
      },
    ],
    [
      'a short count in a string',
      (record) => {
        record.counts = { ...(record.counts as Json), read: '12' };
      },
    ],
    [
      'a code of another form',
      (record) => {
        record.findings = [finding('E1', 'invalid_value', 'error')];
      },
    ],
    [
      'an unknown severity',
      (record) => {
        record.findings = [{ ...finding('SA201', 'invalid_value', 'error'), severity: 'fatal' }];
      },
    ],
    [
      'a finding without fingerprint',
      (record) => {
        const { fingerprint: _, ...rest } = finding('SA201', 'invalid_value', 'error');
        record.findings = [rest];
      },
    ],
    [
      'a local time',
      (record) => {
        record.started_at = '2026-09-02 04:00:00';
      },
    ],
    [
      'an exit code of its own',
      (record) => {
        record.exit = 4;
      },
    ],
  ])('refuses %s', (_, spoil) => {
    const record = { ...cleanRecord() } as unknown as Json;
    spoil(record);
    expect(validate(record)).toBe(false);
  });
});
