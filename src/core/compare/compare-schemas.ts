/** Two schemas in, an ordered list of divergences out. */
import type { Divergence } from '../divergences/divergence.ts';
import { nameKey } from '../model/name.ts';
import type { JsonPathSegment, PathSegment } from '../model/path.ts';
import { elementPath, fieldPath, parseJsonPath, printPath, typeBelow } from '../model/path.ts';
import type { Column, Schema } from '../model/schema.ts';
import type { Field, LogicalType, TypeOf } from '../model/type.ts';
import { sameType } from '../model/type.ts';
import { printType } from '../model/type-text.ts';
import type { Pair, WantedColumn } from './pair-columns.ts';
import { missingColumn, pairColumns } from './pair-columns.ts';
import type { ComparedForm } from './type-verdict.ts';
import { judgeTypes } from './type-verdict.ts';

export interface CompareOptions {
  /** Other source names of target columns and nested fields, by path: `order_id`, `customer.name`. */
  readonly from?: ReadonlyMap<string, readonly string[]>;
  /** In what form the source brings its values; `typed` when not given. */
  readonly sourceForm?: ComparedForm;
}

interface Context {
  readonly form: ComparedForm;
  readonly from: ReadonlyMap<string, readonly string[]>;
  readonly source: Schema;
}

/** What columns and struct fields have in common. */
interface Member {
  readonly name: string;
  readonly type: LogicalType;
  readonly nullable: boolean;
  readonly required: boolean;
}

/**
 * Every structural difference of a source and the target it must land in: missing, extra and retyped columns and nested fields,
 * nullability, names that are only variants or collide, and the order of the columns.
 *
 * A column that the target computes itself is not expected; a source column of that name is an extra one. Only a source with declared
 * types (`typed`) has a say on nullability, and the order of JSON keys means nothing.
 */
export function compareSchemas(source: Schema, target: Schema, options: CompareOptions = {}): readonly Divergence[] {
  const context: Context = { form: options.sourceForm ?? 'typed', from: options.from ?? new Map(), source };
  const members = {
    source: source.columns.map(columnMember),
    target: target.columns.filter((column) => column.generated !== true).map(columnMember),
  };
  const { divergences, pairs } = compareMembers(context, members, []);
  return [...divergences, ...(context.form === 'json' ? [] : orderDivergence(source, pairs))];
}

function columnMember({ name, type, nullable, ...column }: Column): Member {
  return { name, type, nullable, required: !nullable && column.default === undefined };
}

function fieldMember({ name, type, nullable }: Field): Member {
  return { name, type, nullable: nullable !== false, required: nullable === false };
}

interface Members {
  readonly source: readonly Member[];
  readonly target: readonly Member[];
}

interface Compared {
  readonly divergences: readonly Divergence[];
  readonly pairs: readonly Pair[];
}

function compareMembers(context: Context, members: Members, parent: readonly PathSegment[]): Compared {
  const wanted = members.target.map(({ name, required }) => ({
    name,
    required,
    from: context.from.get(printPath(fieldPath(parent, name))) ?? [],
  }));
  const { pairs, divergences } = pairColumns(
    members.source.map((member) => member.name),
    wanted,
  );
  const named = divergences.map((divergence) => ({ ...divergence, path: printPath(fieldPath(parent, divergence.path)) }));
  const retyped = members.target.flatMap((target, i) => {
    const pair = pairs[i] as Pair;
    const path = fieldPath(parent, target.name);
    if (pair.jsonPath !== undefined) return compareByJsonPath(context, { target, path, wanted: wanted[i] as WantedColumn }, pair.jsonPath);
    const source = pair.source === null ? undefined : members.source[pair.source];
    return source === undefined
      ? []
      : [...compareTypes(context, source.type, target.type, path), ...compareNullability(context, source, target, path)];
  });
  return { divergences: [...named, ...retyped], pairs };
}

interface ByPath {
  readonly target: Member;
  readonly path: readonly PathSegment[];
  readonly wanted: WantedColumn;
}

function compareByJsonPath(context: Context, { target, path, wanted }: ByPath, jsonPath: string): readonly Divergence[] {
  const type = typeAtJsonPath(context.source, parseJsonPath(jsonPath));
  if (type === undefined) return [{ ...missingColumn(wanted), path: printPath(path) }];
  return compareTypes(context, type, target.type, path);
}

function typeAtJsonPath(schema: Schema, segments: readonly JsonPathSegment[]): LogicalType | undefined {
  const [first, ...below] = segments;
  if (first?.kind !== 'field') return undefined;
  const column = schema.columns.find(({ name }) => nameKey(name) === nameKey(first.name));
  return below.reduce<LogicalType | undefined>(
    (type, segment) => type && typeBelow(type, segment.kind === 'index' ? { kind: 'element' } : segment),
    column?.type,
  );
}

function compareTypes(context: Context, from: LogicalType, to: LogicalType, path: readonly PathSegment[]): readonly Divergence[] {
  if (from.kind === 'struct' && to.kind === 'struct') {
    return compareMembers(context, { source: from.fields.map(fieldMember), target: to.fields.map(fieldMember) }, path).divergences;
  }
  if (from.kind === 'list' && to.kind === 'list') return compareTypes(context, from.element, to.element, elementPath(path));
  if (from.kind === 'map' && to.kind === 'map') {
    return [
      ...compareTypes(context, from.key, to.key, fieldPath(path, 'key')),
      ...compareTypes(context, from.value, to.value, fieldPath(path, 'value')),
    ];
  }
  if (context.form === 'json' && from.kind === 'struct' && to.kind === 'map') return compareEntries(context, from, to, path);
  return compareWhole(context, from, to, path);
}

/** A JSON object for a map: each of its values is compared, and the same difference of several is one. */
function compareEntries(context: Context, from: TypeOf<'struct'>, to: TypeOf<'map'>, path: readonly PathSegment[]): readonly Divergence[] {
  const all = from.fields.flatMap((field) => compareTypes(context, field.type, to.value, fieldPath(path, 'value')));
  return [...new Map(all.map((divergence) => [JSON.stringify(divergence), divergence])).values()];
}

function compareWhole(context: Context, from: LogicalType, to: LogicalType, path: readonly PathSegment[]): readonly Divergence[] {
  const verdict = judgeTypes(from, to, context.form);
  if (verdict === undefined) return [];
  return [
    {
      kind: 'type_mismatch',
      path: printPath(path),
      severity: verdict.severity,
      expected: printType(to),
      actual: printType(from),
      detail: verdict.detail,
    },
  ];
}

function compareNullability({ form }: Context, source: Member, target: Member, path: readonly PathSegment[]): readonly Divergence[] {
  if (form !== 'typed' || !source.nullable || target.nullable) return [];
  return [
    {
      kind: 'nullability_mismatch',
      path: printPath(path),
      severity: 'remark',
      expected: 'not null',
      actual: 'null',
      detail: 'it may be NULL in the source and must not be in the target',
    },
  ];
}

/** One remark when the common columns stand in another order. */
function orderDivergence(source: Schema, pairs: readonly Pair[]): readonly Divergence[] {
  const common = pairs.flatMap(({ source: index, target }) => (index === null ? [] : [{ index, target }]));
  const inSource = [...common].sort((a, b) => a.index - b.index);
  const moved = common.findIndex((pair, i) => pair.index !== inSource[i]?.index);
  if (moved < 0) return [];
  const name = source.columns[inSource[moved]?.index ?? 0]?.name ?? '';
  return [
    {
      kind: 'column_order',
      path: '',
      severity: 'remark',
      expected: common.map(({ target }) => target).join(', '),
      actual: inSource.map(({ index }) => source.columns[index]?.name ?? '').join(', '),
      detail:
        `the common columns stand in another order: the source has "${name}" where the target has "${common[moved]?.target}"; ` +
        'values go by name',
    },
  ];
}

/** A target column that a source does not bring in the right type. */
export interface DifferingColumn {
  /** Name in the target. */
  readonly name: string;
  /** Type in the source; null when the column is missing there. */
  readonly from: LogicalType | null;
  readonly to: LogicalType;
}

/**
 * The columns of `target` whose type `source` does not have, with the type each must get, in the target's order.
 * Names are paired by the law of names. A column that several source columns claim counts as missing.
 */
export function differingColumns(source: Schema, target: Schema): readonly DifferingColumn[] {
  const { pairs } = pairColumns(
    source.columns.map(({ name }) => name),
    target.columns.map(({ name }) => ({ name, from: [] })),
  );
  return target.columns.flatMap(({ name, type }, i) => {
    const index = pairs[i]?.source ?? null;
    const from = index === null ? null : (source.columns[index]?.type ?? null);
    return from !== null && sameType(from, type) ? [] : [{ name, from, to: type }];
  });
}

const asError: ReadonlySet<Divergence['kind']> = new Set(['missing_column', 'type_mismatch', 'nullability_mismatch']);

/**
 * Whether a table is as expected. An absent or retyped column, or one that allows NULL against the expectation, is an error; a column too
 * many, or one that forbids NULL against the expectation, a warning; the order a remark. Empty when the table is as expected.
 */
export function checkSchema(actual: Schema, expected: Schema): readonly Divergence[] {
  const everyColumn = { ...expected, columns: expected.columns.map(({ generated: _, ...column }) => column) };
  const found = compareSchemas(actual, everyColumn).map(
    (divergence): Divergence => (asError.has(divergence.kind) ? { ...divergence, severity: 'error' } : divergence),
  );
  const { pairs } = pairColumns(
    actual.columns.map(({ name }) => name),
    everyColumn.columns.map(({ name }) => ({ name, from: [] })),
  );
  const stricter = expected.columns.flatMap((column, i): readonly Divergence[] => {
    const index = pairs[i]?.source ?? null;
    if (index === null || !column.nullable || actual.columns[index]?.nullable !== false) return [];
    return [
      {
        kind: 'nullability_mismatch',
        path: column.name,
        severity: 'warning',
        expected: 'null',
        actual: 'not null',
        detail: 'the table forbids NULL here, against the expectation',
      },
    ];
  });
  return [...found, ...stricter];
}
