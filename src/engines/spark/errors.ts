/** What Spark's and Delta's refusals of a write mean to a load. Names of classes: https://docs.delta.io/latest/delta-error-classes.html */
import { Fault } from '../../core/fault.ts';
import { type SparkError, sparkErrorOf } from './connect/spark-error.ts';

type Say = (error: SparkError) => string;

const parameter = ({ parameters }: SparkError, ...names: readonly string[]): string =>
  names.map((name) => parameters[name]).find((value) => value !== undefined) ?? '';

/** Messages of constraints name the values of the row; what is told here are only names. */
const constraints: readonly (readonly [errorClass: string, say: Say])[] = [
  [
    'DELTA_NOT_NULL_CONSTRAINT_VIOLATED',
    (error) => `a column that takes no NULL: ${parameter(error, 'columnName', 'columnNames', 'fieldName')}`,
  ],
  [
    'DELTA_VIOLATE_CONSTRAINT_WITH_VALUES',
    (error) => `${parameter(error, 'constraintName', 'name')} (${parameter(error, 'expression', 'constraint')})`,
  ],
  ['DELTA_VIOLATE_TABLE_PROPERTY_VALIDATION_FAILED', () => 'a property of the table'],
  ['DELTA_EXCEED_CHAR_VARCHAR_LIMIT', (error) => `a text is longer than ${parameter(error, 'expr', 'limit') || 'its column'} allows`],
  ['EXCEED_LIMIT_LENGTH', (error) => `a text is longer than ${parameter(error, 'limit')} characters`],
  ['NOT_NULL_ASSERT_VIOLATION', () => 'a column that takes no NULL'],
];

/** A refusal by what the table does not allow, told as what it is; any other fault unchanged. */
export function toFault(error: unknown): unknown {
  const spark = error instanceof Fault && error.code === 'ENGINE_REJECTED' ? sparkErrorOf(error) : undefined;
  const found = spark && constraints.find(([errorClass]) => spark.is(errorClass));
  if (spark === undefined || found === undefined) return error;
  return new Fault('TARGET_INCOMPATIBLE', `a constraint of the target does not allow a row: ${found[1](spark)}`, { cause: error });
}

/** Whether the server said that a table, its schema or its folder is not there. */
export function isMissing(error: unknown): boolean {
  const spark = sparkErrorOf(error);
  if (spark === undefined) return false;
  return [
    'TABLE_OR_VIEW_NOT_FOUND',
    'SCHEMA_NOT_FOUND',
    'DELTA_TABLE_NOT_FOUND',
    'DELTA_MISSING_DELTA_TABLE',
    'PATH_NOT_FOUND',
    'DELTA_PATH_DOES_NOT_EXIST',
  ].some((one) => spark.is(one));
}
