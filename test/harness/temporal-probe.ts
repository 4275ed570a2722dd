import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import type { TemporalKind } from '../../src/core/coercions/format.ts';
import { builtInRule, type ColumnRule } from '../../src/core/model/policy.ts';
import { temporalText } from '../../src/engines/duckdb/coerce/temporal.ts';
import { literal } from '../../src/engines/duckdb/quote.ts';

/** What became of one text. Values are text; instants are written in UTC with `Z`. */
export interface Outcome {
  readonly value: string | null;
  /** Null for texts with a value. */
  readonly reason: string | null;
  /** Only for lossy texts. */
  readonly round: string | null;
  readonly truncate: string | null;
}

export interface ProbeRequest {
  readonly to: TemporalKind;
  readonly rule?: Partial<ColumnRule>;
  readonly number?: boolean;
}

/** Text, then either its value or the code of its refusal; for lossy texts also the value rounded and cut. */
export type Row = readonly [text: string, outcome: string, round?: string | null, truncate?: string | null];

/** Codes of refusals, by short names. */
export const codes = {
  bad: 'invalid_value',
  lossy: 'lossy_value',
  micro: 'lossy_value:sub_microsecond',
  offset: 'invalid_value:offset_without_target_zone',
  range: 'invalid_value:out_of_range',
  noZone: 'invalid_value:missing_timezone',
  undefinedTime: 'invalid_value:local_time_undefined',
  ambiguous: 'ambiguous_format',
} as const;

/** A row with all that is absent as null. */
export const fullRow = ([text, outcome, round = null, truncate = null]: Row): Row => [text, outcome, round, truncate];

/** Zones that sessions are set to; none may change a result. */
export const sessionZones = ['UTC', 'America/New_York', 'Asia/Kathmandu'] as const;

/** DuckDB in memory, one connection for each session zone. */
export class TemporalProbe {
  readonly #connections: ReadonlyMap<string, DuckDBConnection>;

  private constructor(connections: ReadonlyMap<string, DuckDBConnection>) {
    this.#connections = connections;
  }

  static async open(): Promise<TemporalProbe> {
    const off = { autoinstall_known_extensions: 'false', autoload_known_extensions: 'false', threads: '1' };
    const instance = await DuckDBInstance.create(':memory:', off);
    const connections = new Map<string, DuckDBConnection>();
    for (const zone of sessionZones) {
      const connection = await instance.connect();
      await connection.run(`SET TimeZone = ${literal(zone)}`);
      connections.set(zone, connection);
    }
    return new TemporalProbe(connections);
  }

  close(): void {
    for (const connection of this.#connections.values()) connection.closeSync();
  }

  /** The outcomes of the texts, in their order. */
  async read(texts: readonly string[], request: ProbeRequest, session: (typeof sessionZones)[number] = 'UTC'): Promise<readonly Outcome[]> {
    const sql = this.#sql(texts, request);
    const rows = (await this.#connections.get(session)?.runAndReadAll(sql))?.getRows() ?? [];
    return rows.map(([value, reason, round, truncate]) => ({
      value: textOf(value),
      reason: textOf(reason),
      round: textOf(round),
      truncate: textOf(truncate),
    }));
  }

  /** The texts of the rows, with what became of them. */
  async rows(rows: readonly Row[], request: ProbeRequest, session: (typeof sessionZones)[number]): Promise<readonly Row[]> {
    const texts = rows.map(([text]) => text);
    const outcomes = await this.read(texts, request, session);
    return outcomes.map(({ value, reason, round, truncate }, i) => [texts[i] ?? '', value ?? reason ?? 'no reason', round, truncate]);
  }

  #sql(texts: readonly string[], { to, rule, number = false }: ProbeRequest): string {
    const scalar = temporalText[to]('x', { to: { kind: to }, rule: { ...builtInRule, ...rule }, context: { nul: true }, number });
    const shown = (value: string): string =>
      to === 'timestamptz' ? `make_timestamp(epoch_us(${value}))::VARCHAR || 'Z'` : `(${value})::VARCHAR`;
    const near = (value: string | undefined): string =>
      value === undefined ? 'NULL' : `CASE WHEN v IS NULL AND reason LIKE 'lossy_value%' THEN ${shown(value)} END`;
    const values = texts.map((text, i) => `(${i}, ${literal(text)})`).join(', ');
    return `SELECT ${shown('v')}, CASE WHEN v IS NULL THEN reason END, ${near(scalar.round)}, ${near(scalar.truncate)}
      FROM (SELECT *, ${scalar.reason} AS reason FROM (SELECT *, ${scalar.value} AS v FROM (VALUES ${values}) t(i, x))) ORDER BY i`;
  }
}

const textOf = (value: unknown): string | null => (value === null ? null : String(value));
