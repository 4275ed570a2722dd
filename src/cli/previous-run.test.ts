import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { sampleRecord } from '../../test/fixtures/records.ts';
import { Fault } from '../core/fault.ts';
import type { Io } from './io.ts';
import { beforeRun } from './previous-run.ts';
import { writeReports } from './run-output.ts';
import type { Ports } from './run-port.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'previous-run-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const record = sampleRecord();
const ioWith = (previousRun: Ports['previousRun']): Io => ({
  stdout: { write: () => undefined },
  stderr: { write: () => undefined },
  env: {},
  cwd: folder,
  signal: new AbortController().signal,
  clock: () => 0,
  ports: { previousRun },
});

it('gives the page the run before, found by the audit tables of the target', async () => {
  const previousRun = vi.fn<Ports['previousRun']>(async () => ({ ...record, run_id: 'the-run-before' }));
  const io = ioWith(previousRun);
  const file = join(folder, 'run.html');
  await writeReports(record, [{ format: 'html', file }], io, beforeRun('w.duckdb', record, { prefix: 'p_' }, io));
  expect(previousRun).toHaveBeenCalledExactlyOnceWith('w.duckdb', record, { prefix: 'p_' });
  expect(readFileSync(file, 'utf8')).toContain('the-run-before');
});

it('does not look for it when no page is made', async () => {
  const previousRun = vi.fn<Ports['previousRun']>();
  const io = ioWith(previousRun);
  await writeReports(record, [{ format: 'json', file: join(folder, 'run.json') }], io, beforeRun('w.duckdb', record, {}, io));
  expect(previousRun).not.toHaveBeenCalled();
});

it('makes the page without it where the audit tables cannot be read', async () => {
  const io = ioWith(async () => {
    throw new Fault('NOT_FOUND', 'no such database');
  });
  const file = join(folder, 'run.html');
  await writeReports(record, [{ format: 'html', file }], io, beforeRun('w.duckdb', record, {}, io));
  expect(readFileSync(file, 'utf8')).toContain('"job":"orders"');
});
