import { expectTypeOf } from 'vitest';
import type { Fault, FaultCode } from '../../src/core/fault.ts';
import { decimal, type LogicalType, type TypeOf } from '../../src/core/model/type.ts';
import type { Finding } from '../../src/core/record/finding.ts';
import type { RunRecord } from '../../src/core/record/run-record.ts';

// A fault's code is closed: a misspelt one must not compile.
expectTypeOf<Fault['code']>().toEqualTypeOf<FaultCode>();
// @ts-expect-error no such code
const misspelt: FaultCode = 'CONFIG_INVALLID';
void misspelt;

// Narrowing by kind gives the parts of that kind alone.
expectTypeOf<TypeOf<'decimal'>>().toHaveProperty('scale');
expectTypeOf<TypeOf<'boolean'>>().not.toHaveProperty('scale');
expectTypeOf(decimal).returns.toEqualTypeOf<LogicalType>();

// What a run leaves is read-only, all the way down.
expectTypeOf<RunRecord['findings']>().toEqualTypeOf<readonly Finding[]>();
// @ts-expect-error a record is not changed after the fact
const change = (record: RunRecord) => record.findings.push();
void change;
