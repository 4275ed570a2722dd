/** The SQL of staging: the table, and one query for each group of files. */
import { invariant } from '../../core/fault.ts';
import type { Plan, PlannedColumn } from '../../core/plan/plan.ts';
import type { SourceFile } from '../../sources/source-file.ts';
import type { CoerceContext } from './coerce/sql-coercion.ts';
import { sqlType } from './coerce/sql-type.ts';
import type { Session } from './driver.ts';
import { jsonLevel, type RawLevel, textLevel, typedLevel } from './raw-levels.ts';
import { type KeptColumn, type StageLayout, stageTable } from './stage-columns.ts';
import { type NotePool, type StageSql, stageSql } from './stage-sql.ts';
import type { Unit } from './stage-units.ts';

export interface StageRequest {
  readonly session: Session;
  readonly plan: Plan;
  /** All files of the run; the groups of the plan point into it. */
  readonly files: readonly SourceFile[];
  readonly query?: string;
  readonly rescue: PlannedColumn | null;
  readonly onProgress?: (rows: number, share: number | undefined) => void;
  readonly signal?: AbortSignal;
}

export interface StagedUnit extends Unit, GroupSql {
  readonly firstRow: number;
  readonly rows: number;
  /** The same with the digits of every JSON number as they are written. */
  readonly exact: () => GroupSql;
}

export interface Build {
  readonly request: StageRequest;
  readonly layout: StageLayout;
  readonly notes: NotePool;
  readonly context: CoerceContext;
  readonly kept: ReadonlyMap<number, KeptColumn>;
}

/** The SQL of a group of files, which differ only in what they are read from. */
export interface GroupSql {
  readonly sql: StageSql;
  readonly raw: RawLevel;
  /** Column of the staging table that keeps flagged rows. */
  readonly kept: string;
}

export function buildSql({ request, layout, notes, context, kept }: Build, group: number, exact: boolean): GroupSql {
  const { plan } = request;
  const shape = plan.groups[group];
  invariant(shape, 'a unit belongs to a group');
  const sources = plan.columns.flatMap((column) => {
    const source = column.sources[group];
    return source ? [{ index: source.index, type: column.target.type, below: source.below }] : [];
  });
  const keepsDigits = new Set(['string', 'json', 'struct', 'list', 'map']);
  const rescues = request.rescue === null ? [] : plan.extras.flatMap((extra) => extra.positions[group] ?? []);
  const raw = { text: textLevel, json: jsonLevel, typed: typedLevel }[shape.form]({
    group: shape,
    numberMark: context.numberMark ?? '',
    used: new Set(sources.map((source) => source.index)),
    exactText: new Set([
      ...rescues,
      ...sources.filter(({ type, below }) => exact || keepsDigits.has(type.kind) || below !== undefined).map((source) => source.index),
    ]),
  });
  const name = kept.get(group)?.name ?? 'NULL';
  const sql = stageSql({
    layout,
    group,
    raw,
    context,
    notes,
    kept: name,
    extraPositions: plan.extras.map((extra) => extra.positions[group] ?? null),
    extraNames: plan.extras.map((extra) => extra.name),
    rescue: request.rescue,
  });
  return { sql, raw, kept: name };
}

export function createStage(layout: StageLayout, notes: NotePool): string {
  const columns = [
    'file UINTEGER',
    ...layout.columns.map((column) => `${column.name} ${sqlType(column.planned.target.type)}`),
    ...[...layout.absentMasks, ...layout.extraMasks].map((mask) => `${mask} UBIGINT`),
    'unknown VARCHAR[]',
    'reject BOOLEAN',
    ...layout.kept.map((column) => `${column.name} ${column.type}`),
    ...notes.masks.map((mask) => `${mask} UBIGINT`),
  ];
  return `CREATE OR REPLACE TEMP TABLE ${stageTable} (${columns.join(', ')})`;
}
