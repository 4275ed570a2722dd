/** Which changes of the target's schema a job asks for and allows. */
import { pairColumns } from '../core/compare/pair-columns.ts';
import { isWidening } from '../core/compare/type-change.ts';
import { Fault } from '../core/fault.ts';
import type { Job } from '../core/model/policy.ts';
import type { Column, Schema } from '../core/model/schema.ts';
import { json, sameType, type LogicalType } from '../core/model/type.ts';
import type { PlannedChange, SourceGroup } from '../core/plan/plan.ts';
import type { Engine, SourceInput } from './engine.ts';

export interface ChangeRequests {
  readonly changes: readonly PlannedChange[];
  /** The table to create. */
  readonly created: Schema | null;
}

interface Request {
  readonly job: Job;
  readonly engine: Engine;
  readonly existing: Schema | null;
  readonly groups: readonly SourceGroup[];
  readonly source: SourceInput;
}

export async function changeRequests(request: Request): Promise<ChangeRequests> {
  const { existing } = request;
  if (existing === null) return createTable(request);
  const changes = [...rescueColumn(request, existing), ...(await addedColumns(request, existing)), ...widenedColumns(request, existing)];
  return { changes, created: null };
}

async function createTable({ job, engine, groups, source }: Request): Promise<ChangeRequests> {
  const { schema } = await engine.infer(source, groups, null);
  const columns = namedOnce(schema.columns).map(
    (column): Column => ({
      name: column.name,
      type: column.type,
      nullable: !(job.mode === 'merge' && job.key.includes(column.name)),
    }),
  );
  if (columns.length === 0)
    throw new Fault('TARGET_MISSING', `the table ${job.target.table} does not exist, and the source has no columns to make it from`);
  const rescue: Column[] = job.onExtra === 'rescue' ? [{ name: '_rescued', type: json, nullable: true }] : [];
  return {
    changes: [{ change: 'create_table', column: null, from: null, to: null, because: ['target.create'] }],
    created: { columns: [...columns, ...rescue] },
  };
}

/** Columns with a name, each name once: what a table can be made of. */
export function namedOnce(columns: readonly Column[]): readonly Column[] {
  const seen = new Set<string>(['']);
  return columns.filter(({ name }) => !seen.has(name) && seen.add(name));
}

function rescueColumn({ job }: Request, existing: Schema): readonly PlannedChange[] {
  if (job.onExtra !== 'rescue' || existing.columns.some((column) => column.name === '_rescued')) return [];
  if (!job.schemaChanges.includes('add_column')) {
    throw new Fault('TARGET_INCOMPATIBLE', 'on_extra: rescue needs a column _rescued of type JSON in the target', {
      fix: 'Add the column, or allow it: schema_changes: [add_column].',
    });
  }
  return [{ change: 'add_column', column: '_rescued', from: null, to: json, because: ['on_extra: rescue'] }];
}

/** Extra columns of the source, with the type that holds all their values. */
async function addedColumns({ job, engine, groups, source }: Request, existing: Schema): Promise<readonly PlannedChange[]> {
  if (job.onExtra !== 'add_column') return [];
  const wanted = existing.columns.map((column) => ({ name: column.name, from: job.columns.get(column.name)?.from ?? [] }));
  const extras = new Set(
    groups.flatMap((group) =>
      pairColumns(
        group.columns.map((column) => column.name),
        wanted,
      ).extras.map((position) => group.columns[position]?.name ?? ''),
    ),
  );
  extras.delete('');
  if (extras.size === 0) return [];
  if (!job.schemaChanges.includes('add_column')) {
    throw new Fault('TARGET_INCOMPATIBLE', `on_extra: add_column would add ${[...extras].slice(0, 5).join(', ')} to the target`, {
      fix: 'Allow it: schema_changes: [add_column]. Or choose another on_extra.',
    });
  }
  const { schema } = await engine.infer(source, groups, null);
  return namedOnce(schema.columns)
    .filter((column) => extras.has(column.name))
    .map(
      (column): PlannedChange => ({
        change: 'add_column',
        column: column.name,
        from: null,
        to: column.type,
        because: [`SA102 ${column.name}`],
      }),
    );
}

/** Columns whose typed source is wider than the target and holds all of its values. */
function widenedColumns({ job, groups }: Request, existing: Schema): readonly PlannedChange[] {
  if (!job.schemaChanges.includes('widen')) return [];
  const wanted = existing.columns.map((column) => ({ name: column.name, from: job.columns.get(column.name)?.from ?? [] }));
  const widest = new Map<string, LogicalType>();
  for (const group of groups.filter((candidate) => candidate.form === 'typed')) {
    for (const pair of pairColumns(
      group.columns.map((column) => column.name),
      wanted,
    ).pairs) {
      const type = pair.source === null ? undefined : group.columns[pair.source]?.type;
      const column = existing.columns.find((candidate) => candidate.name === pair.target);
      const now = widest.get(pair.target) ?? column?.type;
      if (type !== undefined && now !== undefined && !sameType(type, now) && isWidening(now, type)) widest.set(pair.target, type);
    }
  }
  return [...widest].map(
    ([name, to]): PlannedChange => ({
      change: 'widen',
      column: name,
      from: existing.columns.find((column) => column.name === name)?.type ?? null,
      to,
      because: [`SA103 ${name}`],
    }),
  );
}

/** The target as it will be. */
export function withChanges(existing: Schema | null, { changes, created }: ChangeRequests): Schema {
  if (existing === null) return created ?? { columns: [] };
  const columns = existing.columns.map((column) => {
    const wider = changes.find((change) => change.change === 'widen' && change.column === column.name);
    return wider?.to ? { ...column, type: wider.to } : column;
  });
  const added = changes
    .filter((change) => change.change === 'add_column')
    .map((change): Column => ({ name: change.column ?? '', type: change.to ?? json, nullable: true }));
  return { ...existing, columns: [...columns, ...added] };
}
