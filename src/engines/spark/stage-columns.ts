/** The layout of the staging table: which column holds which value, and which bit of which mask says what. */
import type { LogicalType } from '../../core/model/type.ts';
import type { Plan, PlannedColumn } from '../../core/plan/plan.ts';
import { sqlType } from './coerce/sql-type.ts';

/** One yes-or-no fact about a staged row, kept as a bit of a mask column. */
export interface Bit {
  readonly mask: string;
  readonly bit: number;
}

const bitsOfMask = 62;

/** Hands out bits of BIGINT masks. */
export class BitPool {
  readonly #prefix: string;
  #next = 0;

  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  take(): Bit {
    const bit = { mask: `${this.#prefix}${Math.floor(this.#next / bitsOfMask)}`, bit: this.#next % bitsOfMask };
    this.#next += 1;
    return bit;
  }

  get masks(): readonly string[] {
    return Array.from({ length: Math.ceil(this.#next / bitsOfMask) }, (_, i) => `${this.#prefix}${i}`);
  }
}

/** A target column that is staged: one that at least one group has, or that needs a value in some group. */
export interface StagedColumn {
  readonly planned: PlannedColumn;
  /** Column of the staging table. */
  readonly name: string;
  /** Its type in SQL. */
  readonly type: string;
  /** Whether values can be ordered, grouped and hashed; maps cannot, and go by their JSON there. */
  readonly isComparable: boolean;
  /** Set for rows that do not have the column at all, so that a merge keeps what is stored. */
  readonly absent: Bit | null;
}

export interface StageLayout {
  readonly columns: readonly StagedColumn[];
  /** One bit per extra column, set where it holds a value. */
  readonly extras: readonly Bit[];
  readonly absentMasks: readonly string[];
  readonly extraMasks: readonly string[];
}

/** Temporary views of the session. Target columns are c0, c1, … in them, so no name of the data can meet ours. */
export const stageTable = 'schemalign_stage';
export const fateTable = 'schemalign_fate';
/** Records of one group as they came. */
export const rawTable = (group: number): string => `schemalign_raw_${group}`;

export function layoutStage(plan: Plan, rescue: PlannedColumn | null): StageLayout {
  const absent = new BitPool('absent');
  const extras = new BitPool('extra');
  const wanted = plan.columns.filter((column) => column === rescue || isStaged(plan, column));
  // An empty file may have no column at all; a table must.
  const staged = wanted.length > 0 ? wanted : plan.columns.slice(0, 1);
  const columns = staged.map((planned, i): StagedColumn => {
    const { type } = planned.target;
    return {
      planned,
      name: `c${i}`,
      type: sqlType(type),
      isComparable: !hasMap(type),
      absent: planned !== rescue && canBeAbsent(plan, planned) ? absent.take() : null,
    };
  });
  return { columns, extras: plan.extras.map(() => extras.take()), absentMasks: absent.masks, extraMasks: extras.masks };
}

function hasMap(type: LogicalType): boolean {
  if (type.kind === 'list') return hasMap(type.element);
  return type.kind === 'map' || (type.kind === 'struct' && type.fields.some((field) => hasMap(field.type)));
}

/**
 * Whether the value of a column is settled here. Otherwise it is the table's own default. Where rows take the place of others, a column that
 * the source lacks counts in the comparison with what is there, unless its default is another one each time, as `now()` is.
 */
function isStaged({ mode }: Plan, column: PlannedColumn): boolean {
  if (column.key || column.partition || column.fallback === 'rule' || column.sources.some((source) => source !== null)) return true;
  const takesPlace = mode === 'replace' || mode === 'overwrite-partition';
  return takesPlace && column.target.type.kind !== 'unknown' && (column.fallback === 'null' || isConstant(column.target.default ?? 'NULL'));
}

const constant =
  /^(?:CAST\()?(?:[-+]?[\d.]+[LSYDF]?|(?:DATE |TIMESTAMP(?:_NTZ)? )?'(?:[^'\\]|''|\\.)*'|NULL|true|false)(?: AS [\w ,()<>:`]+\))?$/i;

const isConstant = (sql: string): boolean => constant.test(sql.trim());

/** JSON records may lack a key, and files of a folder a column. */
function canBeAbsent(plan: Plan, planned: PlannedColumn): boolean {
  return planned.sources.some((source, group) => source === null || plan.groups[group]?.form === 'json');
}

const weight = ({ bit }: Bit): string => `${2n ** BigInt(bit)}L`;

/** Sum of `condition << bit` over the conditions of one mask. */
export function maskSql(mask: string, entries: readonly { readonly bit: Bit; readonly when: string }[]): string {
  const terms = entries
    .filter((entry) => entry.bit.mask === mask && entry.when !== 'false')
    .map((entry) => `CASE WHEN ${entry.when} THEN ${weight(entry.bit)} ELSE 0L END`);
  return terms.length === 0 ? '0L' : terms.join(' + ');
}

export const bitSet = (bit: Bit, alias = ''): string => `(${alias}${bit.mask} & ${weight(bit)}) <> 0`;

/** A value in a form that has equality, an order and a hash. */
export const comparable = ({ isComparable }: Pick<StagedColumn, 'isComparable'>, value: string): string =>
  isComparable ? value : `to_json(${value})`;
