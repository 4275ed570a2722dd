import { compareSchemas } from '../compare/compare-schemas.ts';
import { pairColumns, type Pairing } from '../compare/pair-columns.ts';
import type { Coercion, SourceForm } from '../coercions/coercion.ts';
import type { Divergence } from '../divergences/divergence.ts';
import { invariant } from '../fault.ts';
import { parseJsonPath } from '../model/path.ts';
import type { Job } from '../model/policy.ts';
import type { Column, Schema } from '../model/schema.ts';
import type { LogicalType } from '../model/type.ts';
import type { Plan, PlannedChange, PlannedColumn, PlannedDivergence, PlannedExtra, PlannedSource, SourceGroup } from './plan.ts';
import { isKey, nestedRules, ruleFor } from './rule-for.ts';

export interface PlanRequest {
  readonly job: Job;
  readonly target: Schema;
  readonly groups: readonly SourceGroup[];
  readonly changes: readonly PlannedChange[];
  /** SQL of the text default of a column in the engine that holds the target. */
  readonly defaultSql: (column: Column, text: string) => string;
}

export interface Planned {
  readonly plan: Plan;
  readonly divergences: readonly PlannedDivergence[];
}

/** One coercion per target column, chosen from the shapes of source and target and from the rules alone. Pure and deterministic. */
export function planAlignment(request: PlanRequest): Planned {
  const { job, target, groups } = request;
  const wanted = target.columns
    .filter((column) => column.generated !== true)
    .map((column) => ({ name: column.name, from: ruleFor(job, column).from }));
  const pairings = groups.map((group) =>
    pairColumns(
      group.columns.map((column) => column.name),
      wanted,
    ),
  );
  const divergences = pairings.flatMap((pairing, group) => pairing.divergences.map((divergence) => ({ group, divergence })));
  const columns = target.columns.filter((column) => column.generated !== true).map((column) => planColumn(request, pairings, column));
  const plan: Plan = {
    job: job.name,
    mode: job.mode,
    table: job.target.table,
    key: job.key,
    merge: job.merge,
    partition: job.partition ?? null,
    replace: job.replace,
    onMalformed: job.onMalformed,
    onExtra: job.onExtra,
    groups,
    columns,
    extras: [...planExtras(groups, pairings, columns), ...addedExtras(request.changes, columns)],
    changes: request.changes,
  };
  return { plan, divergences: [...divergences, ...typeDivergences(groups, columns), ...orderDivergences(groups, pairings)] };
}

function planColumn(request: PlanRequest, pairings: readonly Pairing[], column: Column): PlannedColumn {
  const { job, groups } = request;
  const rule = ruleFor(job, column);
  const sources = groups.map((group, number) => {
    const pairing = pairings[number];
    invariant(pairing, 'every group has a pairing');
    return planSource(request, { group, pairing, column });
  });
  const fallback = rule.default !== undefined ? 'rule' : column.default !== undefined ? 'table' : 'null';
  const first = sources.find((source) => source !== null);
  return {
    target: column,
    rule,
    ruleName: first ? coercionName(first.coercion) : fallback === 'null' ? 'missing-to-null' : 'missing-to-default',
    key: isKey(job, column.name),
    partition: job.partition?.columns.includes(column.name) ?? false,
    sources,
    collisions: pairings.flatMap((pairing, group) =>
      pairing.pairs.some((pair) => pair.target === column.name && pair.how === 'collision') ? [group] : [],
    ),
    fallback,
    ...(rule.default === undefined ? {} : { defaultSql: request.defaultSql(column, rule.default) }),
  };
}

interface SourceRequest {
  readonly group: SourceGroup;
  readonly pairing: Pairing;
  readonly column: Column;
}

function planSource(request: PlanRequest, { group, pairing, column }: SourceRequest): PlannedSource | null {
  const pair = pairing.pairs.find((candidate) => candidate.target === column.name);
  if (pair === undefined || pair.how === 'collision') return null;
  if (pair.jsonPath !== undefined) return jsonPathSource(request, { group, pairing, column }, pair.jsonPath);
  if (pair.source === null || pair.how === 'missing') return null;
  const source = group.columns[pair.source];
  invariant(source, 'a pair points to a column of its group');
  return { index: pair.source, name: source.name, how: pair.how, coercion: makeCoercion(request, column, formOf(group, source.type)) };
}

function jsonPathSource(request: PlanRequest, { group, column }: SourceRequest, jsonPath: string): PlannedSource | null {
  if (group.form !== 'json') return null;
  const [top, ...below] = stepsOf(jsonPath);
  const index = group.columns.findIndex((candidate) => candidate.name === top);
  if (top === undefined || index < 0) return null;
  return { index, name: jsonPath, how: 'from', below, coercion: makeCoercion(request, column, { form: 'json' }) };
}

/** Keys and list positions of a JSON path. */
function stepsOf(path: string): readonly (string | number)[] {
  return parseJsonPath(path).map((segment) => (segment.kind === 'field' ? segment.name : segment.index));
}

function formOf(group: SourceGroup, type: LogicalType | undefined): SourceForm {
  if (group.form === 'typed' && type !== undefined && type.kind !== 'unknown') return { form: 'typed', type };
  return group.form === 'json' ? { form: 'json' } : { form: 'text' };
}

function makeCoercion(request: PlanRequest, column: Column, from: SourceForm): Coercion {
  const rule = ruleFor(request.job, column);
  const fallback = rule.default !== undefined ? request.defaultSql(column, rule.default) : column.default;
  return {
    path: column.name,
    from,
    to: column.type,
    rule,
    nested: nestedRules(request.job, column.name),
    ...(fallback === undefined ? {} : { defaultSql: fallback }),
  };
}

/** `text-to-decimal`, `json-to-struct`, `int-to-bigint` …; `same` when nothing has to change. */
function coercionName(coercion: Coercion): string {
  const from = coercion.from.form === 'typed' ? coercion.from.type.kind : coercion.from.form;
  const to = coercion.to.kind === 'string' ? 'text' : coercion.to.kind;
  return from === to ? 'same' : `${from}-to-${to}`;
}

/** Columns that the target gets because the source has them: extra all the same. */
function addedExtras(changes: readonly PlannedChange[], columns: readonly PlannedColumn[]): readonly PlannedExtra[] {
  const added = new Set(changes.flatMap(({ change, column }) => (change === 'add_column' && column !== null ? [column] : [])));
  return columns.flatMap(({ target, sources }) => {
    const positions = sources.map((source) => source?.index ?? null);
    return added.has(target.name) && positions.some((position) => position !== null) ? [{ name: target.name, positions }] : [];
  });
}

function planExtras(
  groups: readonly SourceGroup[],
  pairings: readonly Pairing[],
  columns: readonly PlannedColumn[],
): readonly PlannedExtra[] {
  const found = new Map<string, { readonly name: string; readonly positions: (number | null)[] }>();
  pairings.forEach((pairing, group) => {
    const seen = new Map<string, number>();
    const usedByPath = new Set(columns.flatMap((column) => (column.sources[group]?.below ? [column.sources[group]?.index] : [])));
    for (const position of pairing.extras) {
      if (usedByPath.has(position)) continue;
      const name = groups[group]?.columns[position]?.name ?? '';
      // The second column of one name is another extra column; nameless ones are told apart by their place.
      const nth = name === '' ? position : (seen.get(name) ?? 0);
      seen.set(name, nth + 1);
      const key = JSON.stringify([name, nth]);
      const extra = found.get(key) ?? { name, positions: groups.map(() => null) };
      extra.positions[group] = position;
      found.set(key, extra);
    }
  });
  return [...found.values()];
}

/** Where the source has types of its own, what lies between them and those of the target. */
function typeDivergences(groups: readonly SourceGroup[], columns: readonly PlannedColumn[]): readonly PlannedDivergence[] {
  return groups.flatMap((_, number) =>
    columns.flatMap((column): PlannedDivergence[] => {
      const from = column.sources[number]?.coercion.from;
      if (from?.form !== 'typed') return [];
      const { target } = column;
      const found = compareSchemas(
        { columns: [{ name: target.name, type: from.type, nullable: target.nullable }] },
        { columns: [target] },
        { sourceForm: 'typed' },
      );
      return found.map((divergence) => ({ divergence, group: number }));
    }),
  );
}

/** A remark where the common columns of a group come in another order than the target's. Values go by name, so nothing depends on it. */
function orderDivergences(groups: readonly SourceGroup[], pairings: readonly Pairing[]): readonly PlannedDivergence[] {
  return pairings.flatMap((pairing, group): PlannedDivergence[] => {
    if (groups[group]?.form === 'json') return [];
    const order = pairing.pairs.flatMap((pair) => (pair.source === null || pair.how === 'collision' ? [] : [pair.source]));
    const sorted = order.every((position, i) => i === 0 || position > (order[i - 1] as number));
    if (sorted) return [];
    const divergence: Divergence = {
      kind: 'column_order',
      path: '',
      severity: 'remark',
      expected: null,
      actual: null,
      detail: 'the columns come in another order than in the target; values go by name',
    };
    return [{ group, divergence }];
  });
}
