/** The layout of the staging table: which bit of which mask says what. */
import type { Plan, PlannedColumn } from '../../core/plan/plan.ts';

/** One yes-or-no fact about a staged row, kept as a bit of a mask column. */
export interface Bit {
  readonly mask: string;
  readonly bit: number;
}

/** Hands out bits of 63-bit masks. */
export class BitPool {
  readonly #prefix: string;
  #next = 0;

  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  take(): Bit {
    const bit = { mask: `${this.#prefix}${Math.floor(this.#next / 63)}`, bit: this.#next % 63 };
    this.#next += 1;
    return bit;
  }

  get masks(): readonly string[] {
    return Array.from({ length: Math.ceil(this.#next / 63) }, (_, i) => `${this.#prefix}${i}`);
  }
}

/** A target column that is staged: one that at least one group has, or that needs a value in some group. */
export interface StagedColumn {
  readonly planned: PlannedColumn;
  /** Column of the staging table. */
  readonly name: string;
  /** Set for rows that do not have the column at all, so that a merge keeps what is stored. */
  readonly absent: Bit | null;
}

/** A column that keeps the raw values of flagged rows: for groups of one form. */
export interface KeptColumn {
  readonly name: string;
  /** Its type in SQL. */
  readonly type: string;
}

/** A remark that is counted by a bit. */
export interface StagedNote {
  readonly path: string;
  readonly from: string;
  readonly bit: Bit;
}

export interface StageLayout {
  readonly columns: readonly StagedColumn[];
  /** One bit per extra column, set where it holds a value. */
  readonly extras: readonly Bit[];
  readonly absentMasks: readonly string[];
  readonly extraMasks: readonly string[];
  readonly kept: readonly KeptColumn[];
}

/** Names used by the staging SQL itself; target columns are c0, c1, …, so no name of the data can meet them. */
export const stageTable = 'schemalign_stage';
export const fateTable = 'schemalign_fate';
/** Of the flagged rows: `row`, `file` and the columns that keep their raw values, side by side. */
export const keptTable = 'schemalign_kept';
/** Of the flagged rows: `row`, `file`, `reject`, `issues`, `raw`. */
export const flaggedTable = 'schemalign_flagged';

export function layoutStage(plan: Plan, rescue: PlannedColumn | null, kept: readonly KeptColumn[]): StageLayout {
  const absent = new BitPool('absent');
  const extras = new BitPool('extra');
  const wanted = plan.columns.filter((column) => column === rescue || isStaged(plan, column));
  // An empty file may have no column at all; a table must.
  const staged = wanted.length > 0 ? wanted : plan.columns.slice(0, 1);
  const columns = staged.map(
    (planned, i): StagedColumn => ({
      planned,
      name: `c${i}`,
      absent: planned !== rescue && canBeAbsent(plan, planned) ? absent.take() : null,
    }),
  );
  return {
    columns,
    extras: plan.extras.map(() => extras.take()),
    absentMasks: absent.masks,
    extraMasks: extras.masks,
    kept,
  };
}

/**
 * Whether the value of a column is settled here. Otherwise it is the table's own default. Where rows take the place of others, a column that
 * the source lacks counts in the comparison with what is there, unless its default is another one each time, as `now()` is.
 */
function isStaged({ mode }: Plan, column: PlannedColumn): boolean {
  if (column.key || column.partition || column.fallback === 'rule' || column.sources.some((source) => source !== null)) return true;
  const takesPlace = mode === 'replace' || mode === 'overwrite-partition';
  return takesPlace && (column.fallback === 'null' || isConstant(column.target.default ?? 'NULL'));
}

const constant = /^(?:CAST\()?(?:[-+]?[\d.]+|'(?:[^']|'')*'|NULL|true|false)(?: AS [\w ,()"]+\))?$/i;

const isConstant = (sql: string): boolean => constant.test(sql.trim());

/** JSON records may lack a key, and files of a folder a column. */
function canBeAbsent(plan: Plan, planned: PlannedColumn): boolean {
  return planned.sources.some((source, group) => source === null || plan.groups[group]?.form === 'json');
}

/** Sum of `condition << bit` over the conditions of one mask. */
export function maskSql(mask: string, entries: readonly { readonly bit: Bit; readonly when: string }[]): string {
  const terms = entries
    .filter((entry) => entry.bit.mask === mask && entry.when !== 'false')
    .map((entry) => `CASE WHEN ${entry.when} THEN ${2n ** BigInt(entry.bit.bit)}::UBIGINT ELSE 0::UBIGINT END`);
  return terms.length === 0 ? '0::UBIGINT' : terms.join(' + ');
}

export const bitSet = (bit: Bit): string => `(${bit.mask} & ${2n ** BigInt(bit.bit)}::UBIGINT) <> 0`;
