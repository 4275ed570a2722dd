import { invariant } from '../fault.ts';
import { ambiguousFormat } from './ambiguous-format.ts';
import { columnContent } from './column-content.ts';
import { columnOrder } from './column-order.ts';
import type { KindName } from './divergence.ts';
import { duplicateKey } from './duplicate-key.ts';
import { emptySource } from './empty-source.ts';
import { extraColumn } from './extra-column.ts';
import { fileSkipped } from './file-skipped.ts';
import { ignoreExpired } from './ignore-expired.ts';
import { invalidValue } from './invalid-value.ts';
import { keyNotUnique } from './key-not-unique.ts';
import type { DivergenceKind } from './kind.ts';
import { lossyValue } from './lossy-value.ts';
import { malformedFile } from './malformed-file.ts';
import { malformedRecord } from './malformed-record.ts';
import { missingColumn } from './missing-column.ts';
import { nameCollision } from './name-collision.ts';
import { nameVariant } from './name-variant.ts';
import { nullBudget } from './null-budget.ts';
import { nullKey } from './null-key.ts';
import { nullabilityMismatch } from './nullability-mismatch.ts';
import { nullability } from './nullability.ts';
import { outsidePartition } from './outside-partition.ts';
import { partitionCount } from './partition-count.ts';
import { rowAccounting } from './row-accounting.ts';
import { schemaAfterLoad } from './schema-after-load.ts';
import { typeMismatch } from './type-mismatch.ts';

/** Every kind of divergence, by code: structure (SA1xx), values (SA2xx), records, files and keys (SA3xx), after the load (SA4xx), the rules themselves (SA5xx). */
export const catalogue: readonly DivergenceKind[] = [
  missingColumn,
  extraColumn,
  typeMismatch,
  nameVariant,
  nameCollision,
  columnOrder,
  nullabilityMismatch,
  invalidValue,
  lossyValue,
  nullability,
  ambiguousFormat,
  nullBudget,
  malformedRecord,
  malformedFile,
  duplicateKey,
  nullKey,
  emptySource,
  outsidePartition,
  fileSkipped,
  keyNotUnique,
  schemaAfterLoad,
  rowAccounting,
  columnContent,
  partitionCount,
  ignoreExpired,
];

const byName = new Map<string, DivergenceKind>(catalogue.map((kind) => [kind.name, kind]));
const byCode = new Map<string, DivergenceKind>(catalogue.map((kind) => [kind.code, kind]));

/** The kind of that name. Every name has one; a test holds the list and the type together. */
export function kindOf(name: KindName): DivergenceKind {
  const kind = byName.get(name);
  invariant(kind !== undefined, `the catalogue lacks ${name}`);
  return kind;
}

/** The kind with that code (`SA201`), or undefined. */
export function kindByCode(code: string): DivergenceKind | undefined {
  return byCode.get(code);
}

/** The kind with that code or name in any case, with `-` for `_` allowed; or undefined. */
export function findKind(codeOrName: string): DivergenceKind | undefined {
  return byCode.get(codeOrName.toUpperCase()) ?? byName.get(codeOrName.toLowerCase().replaceAll('-', '_'));
}
