import { describe, expect, it } from 'vitest';
import { caseConfig } from './case-config.ts';
import type { CaseSpec } from './case-file.ts';

const spec: CaseSpec = {
  id: 'x',
  source: {
    file: 'in/*.csv',
    format: 'csv',
    options: { header: true, delimiter: ';', compression: 'gzip', timezone: 'UTC', on_malformed: 'quarantine' },
  },
  target: { table: 't', columns: [{ name: 'id', type: 'bigint' }], key: ['id'], partition: { columns: ['dt'], values: ['2026-09-01'] } },
  mode: 'merge',
  merge: { on_null_key: 'quarantine' },
  rules: [
    { column: 'id', on_invalid: 'quarantine' },
    { column: '__proto__', default: 'x' },
  ],
  environment: { TZ: 'America/New_York', engine_session_timezone: 'America/New_York' },
};

describe('the configuration of a case', () => {
  it('is the mapping of CONVENTIONS.md', () => {
    const config = caseConfig(spec, { url: '/tmp/t.duckdb' });
    expect(config).toMatchObject({
      connections: { target: { url: '/tmp/t.duckdb', session_timezone: 'America/New_York' } },
      audit: { max_examples: 100 },
      jobs: {
        case: {
          source: { path: 'in/*.csv', format: 'csv', header: true, delimiter: ';', compression: 'gzip' },
          target: { connection: 'target', table: 't' },
          mode: 'merge',
          key: ['id'],
          partition: { columns: ['dt'], values: ['2026-09-01'] },
          merge: { on_null_key: 'quarantine' },
          timezone: 'UTC',
          on_malformed: 'quarantine',
        },
      },
    });
    const { columns } = (config.jobs as { case: { columns: object } }).case;
    expect(Object.entries(columns)).toEqual([
      ['id', { on_invalid: 'quarantine' }],
      ['__proto__', { default: 'x' }],
    ]);
  });

  it('leaves out what the case leaves out', () => {
    const { target, source, mode } = spec;
    const { key, partition, ...bare } = target;
    const config = caseConfig({ id: 'x', source: { file: source.file as string }, target: bare, mode, rules: [] }, { url: 'u' });
    expect(config.jobs).toEqual({ case: { source: { path: 'in/*.csv' }, target: { connection: 'target', table: 't' }, mode: 'merge' } });
    expect([key, partition]).not.toContain(undefined);
  });

  it('writes a list of files as one pattern', () => {
    const pathOf = (files: readonly string[]): unknown => {
      const { jobs } = caseConfig({ ...spec, source: { files } }, { url: 'x' }) as { jobs: { case: { source: { path: unknown } } } };
      return jobs.case.source.path;
    };
    expect(pathOf(['a.csv', 'in/b[1].csv'])).toBe('{a.csv,in/b\\[1\\].csv}');
    expect(pathOf(['a[1].csv'])).toBe('a[1].csv');
  });
});
