import { describe, expect, it } from 'vitest';
import { Fault, type FaultCode } from '../core/fault.ts';
import { builtInRule, type Job } from '../core/model/policy.ts';
import { maskedError } from './masked-fault.ts';

const job = (mask: 'none' | 'drop'): Job => ({ defaultRule: { ...builtInRule, mask }, columns: new Map() }) as unknown as Job;
const secret = 'Heron6631x';
const ofEngine = (code: FaultCode, message: string): Fault =>
  new Fault(code, message, {
    cause: new Error(message),
    statement: `INSERT '${secret}'`,
    place: { file: 'in.csv', line: 3 },
    fix: 'Do that.',
  });

const said = (error: unknown): string => {
  const { message, stack, cause, statement } = error as Fault;
  return [message, stack, cause, statement].join('\n');
};

describe('faults of the engine under masks', () => {
  it.each<[string, FaultCode, string, RegExp]>([
    [
      'a duplicate key of DuckDB',
      'TARGET_INCOMPATIBLE',
      `Duplicate key "mail: ${secret}" violates primary key constraint.`,
      /\(primary key\)/,
    ],
    [
      'a unique key of PostgreSQL',
      'TARGET_INCOMPATIBLE',
      `duplicate key value violates unique constraint "u": Key (mail)=(${secret})`,
      /\(unique\)/,
    ],
    ['a NOT NULL', 'TARGET_INCOMPATIBLE', `NOT NULL constraint failed: t.${secret}`, /\(not null\)/],
    ['a cast without quotes', 'ENGINE_REJECTED', `Conversion Error: Could not cast ${secret} to INT32`, /refused a statement or a value/],
    ['a text in a Parquet file', 'SOURCE_UNREADABLE', `value "${secret}" is not valid UTF8!`, /cannot read the source/],
    ['a bug', 'BUG', secret, /its own words are left out/],
  ])('%s: the kind is told, the value is not', (_, code, message, kind) => {
    const error = maskedError(ofEngine(code, message), job('drop')) as Fault;
    expect(said(error)).not.toContain(secret);
    expect(error.message).toMatch(kind);
    expect([error.code, error.fix, error.place]).toEqual([code, 'Do that.', { file: 'in.csv', line: 3 }]);
    expect(error.message.startsWith(`[${code}] in.csv:3: `)).toBe(true);
  });

  it('are as they are without masks', () => {
    const error = ofEngine('ENGINE_REJECTED', secret);
    expect(maskedError(error, job('none'))).toBe(error);
  });

  it('our own words stay, also where they have a cause', () => {
    const plain = new Fault('TARGET_INCOMPATIBLE', 'the key column id is not in the target');
    expect(maskedError(plain, job('drop'))).toBe(plain);
    const moved = new Fault('PLAN_OUT_OF_DATE', 'the file a.csv has changed', { cause: ofEngine('SOURCE_FORMAT', secret) });
    expect((maskedError(moved, job('drop')) as Fault).message).toBe('[PLAN_OUT_OF_DATE] the file a.csv has changed');
    expect(said(maskedError(moved, job('drop')))).not.toContain(secret);
    const denied = new Fault('SOURCE_UNREADABLE', 'cannot be read: EACCES', { cause: Object.assign(new Error('x'), { errno: -13 }) });
    expect((maskedError(denied, job('drop')) as Fault).message).toContain('EACCES');
  });

  it('an error that nobody foresaw keeps its words only when it is one of the language', () => {
    expect(said(maskedError(new Error(secret), job('drop')))).not.toContain(secret);
    expect(said(maskedError(secret, job('drop')))).not.toContain(secret);
    const ours = new TypeError('x is not a function');
    expect(maskedError(ours, job('drop'))).toBe(ours);
  });
});
