import { expect, test } from 'vitest';
import { Fault } from '../../../core/fault.ts';
import { SparkError, sparkErrorOf } from './spark-error.ts';

const outer = {
  message: '[FAILED_READ_FILE.NO_HINT] Encountered error while reading file /a. SQLSTATE: KD001\n\nDriver stacktrace:\n\tat x',
  errorClass: 'FAILED_READ_FILE.NO_HINT',
  sqlState: 'KD001',
};
const middle = { message: 'org.apache.spark.SparkException', javaClass: 'org.apache.spark.SparkException' };
const inner = {
  message: "[CANNOT_PARSE_JSON_FIELD] Cannot parse the field name 'id' and the value 2. SQLSTATE: 2203G; line 1",
  errorClass: 'CANNOT_PARSE_JSON_FIELD',
  sqlState: '2203G',
};

test('tells the outermost error and its root cause, without stack traces', () => {
  const error = new SparkError([outer, middle, inner]);
  expect(error.message).toBe(
    "[FAILED_READ_FILE.NO_HINT] Encountered error while reading file /a. SQLSTATE: KD001; the cause: [CANNOT_PARSE_JSON_FIELD] Cannot parse the field name 'id' and the value 2. SQLSTATE: 2203G",
  );
  expect([error.errorClass, error.sqlState]).toEqual(['FAILED_READ_FILE.NO_HINT', 'KD001']);
});

test('a class is found anywhere in the chain, and by the class above it', () => {
  const error = new SparkError([middle, outer, inner]);
  expect(error.is('CANNOT_PARSE_JSON_FIELD')).toBe(true);
  expect(error.is('FAILED_READ_FILE')).toBe(true);
  expect(error.is('FAILED')).toBe(false);
  expect(error.errorClass).toBe('FAILED_READ_FILE.NO_HINT');
});

test('an error without words is still told', () => {
  expect(new SparkError([{ message: '', javaClass: 'java.lang.NullPointerException' }]).message).toBe('java.lang.NullPointerException');
  expect(new SparkError([{ message: 'long overflow\n\tat java.base/java.lang.Math' }]).message).toBe('long overflow');
});

test('it is found behind the fault that was thrown', () => {
  const error = new SparkError([inner]);
  expect(sparkErrorOf(new Fault('ENGINE_REJECTED', 'x', { cause: error }))).toBe(error);
  expect(sparkErrorOf(new Fault('BUG', 'x'))).toBeUndefined();
});
