/** Errors as a server of version 18 and the client gave them, and the faults that they are. */
import { expect, it } from 'vitest';
import { commitFault, toConnectFault, toFault } from './errors.ts';

const error = (code: string, message: string, more: object = {}): Error => Object.assign(new Error(message), { code, ...more });

it.each([
  [
    error('23505', 'duplicate key value violates unique constraint "t_pkey"', {
      constraint: 't_pkey',
      detail: 'Key (id)=(secret) already exists.',
    }),
    'TARGET_INCOMPATIBLE',
    /"t_pkey"/,
  ],
  [
    error('23514', 'no partition of relation "p" found for row', { detail: 'Partition key … (dt) = (2026-09-09).' }),
    'TARGET_INCOMPATIBLE',
    /no partition/,
  ],
  [error('23502', 'null value in column "a" of relation "t" violates not-null constraint'), 'TARGET_INCOMPATIBLE', /column "a"/],
  [error('40P01', 'deadlock detected'), 'ENGINE_CONFLICT', /deadlock/],
  [error('40001', 'could not serialize access due to concurrent update'), 'ENGINE_CONFLICT', /serialize/],
  [error('42P07', 'relation "t" already exists'), 'ENGINE_CONFLICT', /already exists/],
  [error('55P03', 'canceling statement due to lock timeout'), 'ENGINE_LOCKED', /lock/],
  [error('57014', 'canceling statement due to user request'), 'INTERRUPTED', /cancel/],
  [error('53100', 'could not extend file "base/5/16": No space left on device'), 'ENGINE_RESOURCES', /space/],
  [error('57P01', 'terminating connection due to administrator command'), 'ENGINE_CONNECT', /lost/],
  [new Error('Connection terminated unexpectedly'), 'ENGINE_CONNECT', /lost/],
  [error('42601', 'syntax error at or near "x"'), 'ENGINE_REJECTED', /postgres: syntax error/],
] as const)('%s', (thrown, code, says) => {
  const fault = toFault(thrown, 'SELECT 1');
  expect(fault.code).toBe(code);
  expect(fault.message).toMatch(says);
  // The detail holds values of rows.
  expect(fault.message).not.toMatch(/secret|2026-09-09/);
});

it.each([
  [error('28P01', 'password authentication failed for user "etl"'), 'ENGINE_CONNECT'],
  [error('3D000', 'database "x" does not exist'), 'TARGET_URL'],
  [error('ECONNREFUSED', 'connect ECONNREFUSED 127.0.0.1:1'), 'ENGINE_CONNECT'],
  [new AggregateError([error('ECONNREFUSED', 'connect ECONNREFUSED ::1:1')], ''), 'ENGINE_CONNECT'],
  [new Error('received invalid response: 48'), 'ENGINE_CONNECT'],
] as const)('while connecting: %s', (thrown, code) => {
  expect(toConnectFault(thrown).code).toBe(code);
});

it('a connection that breaks during the commit leaves open what happened, and says so', () => {
  expect(commitFault(new Error('Connection terminated unexpectedly')).message).toContain('not known');
  expect(commitFault(error('23503', 'insert or update on table "t" violates foreign key constraint "fk"')).code).toBe(
    'TARGET_INCOMPATIBLE',
  );
});
