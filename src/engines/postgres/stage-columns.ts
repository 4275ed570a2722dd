/** The layout of the staging table: which column holds which value, and which bit of which mask says what. */
import type { Plan, PlannedColumn } from '../../core/plan/plan.ts';
import { sqlType } from './coerce/sql-type.ts';
import type { NativeColumn } from './introspect.ts';
import { isComparable } from './types.ts';

/** One yes-or-no fact about a staged row, kept as a bit of a mask column. */
export interface Bit {
  readonly mask: string;
  readonly bit: number;
}

const bitsOfMask = 62;

/** Hands out bits of bigint masks. */
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
  /** Its type in SQL, with a collation where the target's column has one: the target's own, so that both sides compare alike. */
  readonly type: string;
  /** Type of its values before they are put together: `jsonb` for a composite type, else the same. */
  readonly valueType: string;
  /** SQL that puts a value together. */
  readonly compose: (value: string) => string;
  /** Type on which each value is tried first, where it takes less than the law. */
  readonly strictType: string | null;
  /** Whether values of the type have an equality of their own; `json` is compared by its text. */
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

/** Names used by the staging SQL itself; target columns are c0, c1, …, so no name of the data can meet them. */
export const stageTable = 'pg_temp.schemalign_stage';
export const fateTable = 'pg_temp.schemalign_fate';
/** Of the flagged rows: `n`, `file`, `reject`, `issues`. */
export const flaggedTable = 'pg_temp.schemalign_flagged';
/** Records of one group as they came. */
export const rawTable = (group: number): string => `pg_temp.schemalign_raw_${group}`;

export function layoutStage(plan: Plan, rescue: PlannedColumn | null, natives: ReadonlyMap<string, NativeColumn>): StageLayout {
  const absent = new BitPool('absent');
  const extras = new BitPool('extra');
  const wanted = plan.columns.filter((column) => column === rescue || isStaged(plan, column));
  // An empty file may have no column at all; a table must.
  const staged = wanted.length > 0 ? wanted : plan.columns.slice(0, 1);
  const widened = new Set(plan.changes.map(({ column }) => column));
  const columns = staged.map((planned, i): StagedColumn => {
    const { name, type } = planned.target;
    // A column that the plan changes is compared in its type to be.
    const native = widened.has(name) ? undefined : natives.get(name);
    const own = native?.stageType ?? sqlType(type);
    return {
      planned,
      name: `c${i}`,
      type: own,
      valueType: native?.composite ? 'jsonb' : own,
      compose: composeSql(native, own),
      strictType: native?.strictType ?? null,
      isComparable: isComparable(type, own),
      absent: planned !== rescue && canBeAbsent(plan, planned) ? absent.take() : null,
    };
  });
  return { columns, extras: plan.extras.map(() => extras.take()), absentMasks: absent.masks, extraMasks: extras.masks };
}

/** Composite values are put together from JSON by field names, with every part cast by its own type: all of them were judged before. */
function composeSql(native: NativeColumn | undefined, own: string): (value: string) => string {
  // The law fills a decimal up to its scale, which nobody has named here.
  if (own === 'numeric') return (value) => `trim_scale((${value})::numeric)`;
  if (!native?.composite) return (value) => `(${value})::${own}`;
  const { type, isList } = native.composite;
  const record = (json: string): string => `jsonb_populate_record(NULL::${type}, ${json})`;
  const records = (json: string): string =>
    `ARRAY(SELECT CASE WHEN j <> 'null' THEN ${record('j')} END FROM jsonb_array_elements(${json}) WITH ORDINALITY q(j, o) ORDER BY o)`;
  return (value) =>
    `(SELECT CASE WHEN v IS NOT NULL THEN ${isList ? records('v') : record('v')} END FROM (SELECT (${value})::jsonb AS v OFFSET 0) w)`;
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

/** `7`, `'new'::text`, `NULL::character varying`: as the catalogue writes constants. */
const constant = /^\(?(?:[-+]?[\d.]+|'(?:[^']|'')*'|NULL|true|false)\)?(?:::[\w ,()".[\]]+)?$/i;

const isConstant = (sql: string): boolean => constant.test(sql.trim());

/** JSON records may lack a key, and files of a folder a column. */
function canBeAbsent(plan: Plan, planned: PlannedColumn): boolean {
  return planned.sources.some((source, group) => source === null || plan.groups[group]?.form === 'json');
}

const weight = ({ bit }: Bit): string => `${2n ** BigInt(bit)}::bigint`;

/** Sum of `condition << bit` over the conditions of one mask. */
export function maskSql(mask: string, entries: readonly { readonly bit: Bit; readonly when: string }[]): string {
  const terms = entries
    .filter((entry) => entry.bit.mask === mask && entry.when !== 'false')
    .map((entry) => `CASE WHEN ${entry.when} THEN ${weight(entry.bit)} ELSE 0::bigint END`);
  return terms.length === 0 ? '0::bigint' : terms.join(' + ');
}

export const bitSet = (bit: Bit, alias = ''): string => `(${alias}${bit.mask} & ${weight(bit)}) <> 0`;

/** A value in a form that has equality and a hash. */
export const comparable = ({ isComparable }: Pick<StagedColumn, 'isComparable'>, value: string): string =>
  isComparable ? value : `${value}::text`;
