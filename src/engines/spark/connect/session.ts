import { randomUUID } from 'node:crypto';
import { Fault } from '../../../core/fault.ts';
import type { SparkAddress } from './address.ts';
import { readArrow } from './arrow.ts';
import type { OperationState, Progress, Row, SparkClient, SparkClientOptions, StatementOptions, Table } from './spark-client.ts';
import { hasDelta } from './delta.ts';
import { type Execution, execute } from './execute.ts';
import type { ExecuteResponse, ExecuteResponse_Progress } from './messages.ts';
import { readCounts } from './observed.ts';
import { type PlanInit, type RelationInit, rootPlan, savePlan, sqlCommand, sqlRelation, viewPlan } from './plans.ts';
import { toSparkStruct, toSparkType } from './spark-type.ts';
import { connectTimeout, openWire, type Wire } from './wire.ts';

/** What the law and the statements that are rendered for Spark stand on, whatever the server's own settings are. */
const sessionConfig = {
  'spark.sql.ansi.enabled': 'true',
  'spark.sql.session.timeZone': 'UTC',
  'spark.sql.legacy.timeParserPolicy': 'CORRECTED',
  'spark.sql.sources.partitionOverwriteMode': 'static',
  'spark.sql.caseSensitive': 'false',
  'spark.sql.parser.escapedStringLiterals': 'false',
};

const clientName = 'schemalign';
const defaultSilenceMs = 150_000;
const closeLimitMs = 5000;

/** Opens the session at the server and sets what every session needs. */
export async function openSession(address: SparkAddress, options: SparkClientOptions): Promise<SparkClient> {
  if (options.signal?.aborted === true) throw new Fault('INTERRUPTED', 'the run was interrupted');
  const sessionId = address.sessionId ?? randomUUID();
  const clientType = address.userAgent ?? clientName;
  const wire = openWire(address, { sessionId, clientType, ...(options.ca === undefined ? {} : { ca: options.ca }) });
  try {
    await wire.reach();
    const version = await askVersion(wire);
    const session = new Session(wire, options);
    await session.setConfig({ ...sessionConfig, ...options.config });
    return clientOf(session, version, sessionId);
  } catch (error) {
    wire.disconnect();
    throw error;
  }
}

async function askVersion(wire: Wire): Promise<string> {
  const analyze = { case: 'sparkVersion' as const, value: {} };
  const { result, serverSideSessionId } = await wire.ask((service) => service.analyzePlan({ ...wire.head(), analyze }, connectTimeout()));
  wire.observe(serverSideSessionId);
  const version = result.case === 'sparkVersion' ? result.value.version : '';
  const major = Number(/^(\d+)\./.exec(version)?.[1] ?? 0);
  if (major < 4) throw new Fault('GAP', `the server is Spark ${version}`, { fix: 'Use a server of Spark 4.0 or later.' });
  return version;
}

function clientOf(session: Session, version: string, sessionId: string): SparkClient {
  return {
    version,
    sessionId,
    run: (sql, options) => session.run(sql, options),
    rows: async (sql, options) => toRows(await session.table(sql, options), sql),
    one: async (sql, options) => {
      const [row] = toRows(await session.table(sql, options), sql);
      if (row === undefined) throw new Fault('BUG', 'a query that always has a row had none', { statement: sql });
      return row;
    },
    table: (sql, options) => session.table(sql, options),
    batches: (sql, options) => session.batches(sql, options),
    schema: (sql) => session.schema(sql),
    parseType: (ddl) => session.parseType(ddl),
    inputFiles: (sql) => session.inputFiles(sql),
    explain: (sql) => session.explain(sql),
    config: (keys) => session.config(keys),
    setConfig: (settings) => session.setConfig(settings),
    unsetConfig: (keys) => session.unsetConfig(keys),
    view: (name, columns, rows) => session.drain(viewPlan(name, columns, rows), `CREATE TEMPORARY VIEW ${name}`),
    save: (destination, options) => session.save(destination, options),
    hasDelta: () => hasDelta((sql) => session.schema(sql)),
    progress: () => session.progress,
    status: (operationId) => session.status(operationId),
    interrupt: (tag) => session.interrupt(tag),
    close: () => session.close(),
  };
}

function toRows({ columns, rows }: Table, sql: string): readonly Row[] {
  if (new Set(columns).size < columns.length) throw new Fault('BUG', 'two columns of an answer have one name', { statement: sql });
  return rows.map((row) => Object.fromEntries(columns.map((name, i) => [name, row[i] ?? null])));
}

const states: readonly OperationState[] = ['unknown', 'unknown', 'running', 'terminating', 'succeeded', 'failed', 'cancelled'];

/** The calls of one session. */
class Session {
  readonly wire: Wire;
  readonly options: SparkClientOptions;
  progress: Progress | undefined;
  /** Farewells to the server that are still on their way. */
  readonly pending = new Set<Promise<unknown>>();

  constructor(wire: Wire, options: SparkClientOptions) {
    this.wire = wire;
    this.options = options;
  }

  async *responses(plan: PlanInit, statement: string, options: StatementOptions = {}): AsyncGenerator<ExecuteResponse> {
    const execution: Execution = {
      plan,
      statement,
      options,
      signal: this.options.signal,
      tags: this.options.tags ?? [],
      silenceMs: this.options.silenceMs ?? defaultSilenceMs,
      later: (work) => {
        this.pending.add(work);
        void work.finally(() => this.pending.delete(work));
      },
    };
    try {
      for await (const response of execute(this.wire, execution)) {
        if (response.responseType.case === 'executionProgress') this.progress = progressOf(response.responseType.value);
        yield response;
      }
    } finally {
      this.progress = undefined;
    }
  }

  async drain(plan: PlanInit, statement: string): Promise<void> {
    for await (const _ of this.responses(plan, statement)) {
      // Says nothing.
    }
  }

  async run(sql: string, options?: StatementOptions): Promise<void> {
    for await (const _ of this.batches(sql, options)) {
      // Dropped.
    }
  }

  async table(sql: string, options?: StatementOptions): Promise<Table> {
    let columns: readonly string[] = [];
    const rows: Table['rows'][number][] = [];
    for await (const batch of this.batches(sql, options)) {
      columns = batch.columns;
      for (const row of batch.rows) rows.push(row);
    }
    return { columns, rows };
  }

  /** A query is asked for its rows. For what may be a command the server is asked first: it runs it at once, or says that it is a query. */
  async *batches(sql: string, options: StatementOptions = {}): AsyncGenerator<Table> {
    if (/^\s*select\b/i.test(sql)) return yield* this.query(sqlRelation(sql), sql, options);
    const root = yield* this.command(sql, options);
    if (root === undefined) return;
    // An operation of this id has been.
    const { operationId: _, ...rest } = options;
    yield* this.query(root, sql, rest);
  }

  private async *query(root: RelationInit, sql: string, options: StatementOptions): AsyncGenerator<Table, void> {
    for await (const { responseType } of this.responses(rootPlan(root), sql, options)) {
      if (responseType.case === 'arrowBatch') yield readArrow(responseType.value.data);
    }
  }

  private async *command(sql: string, options: StatementOptions): AsyncGenerator<Table, RelationInit | undefined> {
    let answer: RelationInit | undefined;
    for await (const response of this.responses(sqlCommand(sql), sql, options)) {
      if (response.responseType.case === 'sqlCommandResult') answer = response.responseType.value.relation;
    }
    const { relType } = answer ?? {};
    if (relType?.case !== 'localRelation') return answer;
    if (relType.value.data !== undefined) yield readArrow(relType.value.data);
    return undefined;
  }

  async save(destination: Parameters<SparkClient['save']>[0], options?: StatementOptions): Promise<Row> {
    const { to, mode, count = {}, query } = destination;
    const names = Object.keys(count);
    // Seen on 4.2: a Delta table that the write itself makes is filled by an inner query, whose counts nobody hears of.
    if (names.length > 0 && 'table' in to && mode !== 'append')
      throw new Fault('BUG', 'rows are counted only into tables that are there, or into paths');
    let counts: Row = {};
    for await (const response of this.responses(savePlan(destination), query, options)) {
      counts = { ...counts, ...readCounts(response) };
    }
    const missing = names.filter((name) => !Object.hasOwn(counts, name));
    if (missing.length > 0) throw new Fault('BUG', `Spark stored the rows without counting ${missing.join(', ')}`, { statement: query });
    return counts;
  }

  async schema(sql: string) {
    const analyze = { case: 'schema' as const, value: { plan: rootPlan(sqlRelation(sql)) } };
    const result = await this.analyze(analyze, sql);
    const kind = result.case === 'schema' ? result.value.schema?.kind : undefined;
    if (kind?.case !== 'struct') throw new Fault('BUG', 'Spark answered no schema', { statement: sql });
    return toSparkStruct(kind.value);
  }

  async parseType(ddl: string) {
    const result = await this.analyze({ case: 'ddlParse', value: { ddlString: ddl } }, ddl);
    if (result.case !== 'ddlParse' || result.value.parsed === undefined)
      throw new Fault('BUG', 'Spark answered no type', { statement: ddl });
    return toSparkType(result.value.parsed);
  }

  async inputFiles(sql: string): Promise<readonly string[]> {
    const result = await this.analyze({ case: 'inputFiles', value: { plan: rootPlan(sqlRelation(sql)) } }, sql);
    return result.case === 'inputFiles' ? result.value.files : [];
  }

  async explain(sql: string): Promise<string> {
    const formatted = 5;
    const result = await this.analyze({ case: 'explain', value: { plan: rootPlan(sqlRelation(sql)), explainMode: formatted } }, sql);
    return result.case === 'explain' ? result.value.explainString : '';
  }

  private async analyze(analyze: AnalyzeInit, statement: string) {
    this.check();
    const answer = await this.wire.ask((service) => service.analyzePlan({ ...this.wire.head(), analyze }), statement);
    this.wire.observe(answer.serverSideSessionId);
    return answer.result;
  }

  async config(keys: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const pairs = await this.askConfig({ case: 'getOption', value: { keys: [...keys] } });
    return new Map(pairs.flatMap(({ key, value }) => (value === undefined ? [] : [[key, value] as const])));
  }

  async setConfig(settings: Readonly<Record<string, string>>): Promise<void> {
    await this.askConfig({ case: 'set', value: { pairs: Object.entries(settings).map(([key, value]) => ({ key, value })) } });
  }

  async unsetConfig(keys: readonly string[]): Promise<void> {
    await this.askConfig({ case: 'unset', value: { keys: [...keys] } });
  }

  private async askConfig(opType: ConfigInit) {
    this.check();
    const answer = await this.wire.ask((service) => service.config({ ...this.wire.head(), operation: { opType } }));
    this.wire.observe(answer.serverSideSessionId);
    return answer.pairs;
  }

  async status(operationId: string): Promise<OperationState> {
    try {
      const request = { ...this.wire.head(), operationStatus: { operationIds: [operationId] } };
      const { operationStatuses } = await this.wire.service.getStatus(request);
      return states[operationStatuses[0]?.state ?? 0] ?? 'unknown';
    } catch {
      return 'unknown';
    }
  }

  async interrupt(tag?: string): Promise<number> {
    const which = tag === undefined ? { interruptType: 1 } : { interruptType: 2, interrupt: { case: 'operationTag' as const, value: tag } };
    const { interruptedIds } = await this.wire.ask((service) => service.interrupt({ ...this.wire.head(), ...which }));
    return interruptedIds.length;
  }

  async close(): Promise<void> {
    await Promise.allSettled(this.pending);
    const { sessionId, userContext, clientType } = this.wire.head();
    await this.wire.service.releaseSession({ sessionId, userContext, clientType }, { timeoutMs: closeLimitMs }).catch(() => undefined);
    this.wire.disconnect();
  }

  private check(): void {
    if (this.options.signal?.aborted === true) throw new Fault('INTERRUPTED', 'the run was interrupted');
  }
}

function progressOf({ stages }: ExecuteResponse_Progress): Progress {
  const sum = (key: 'numTasks' | 'numCompletedTasks'): number => Number(stages.reduce((all, stage) => all + stage[key], 0n));
  return { tasks: sum('numTasks'), done: sum('numCompletedTasks') };
}

type AnalyzeInit = NonNullable<NonNullable<Parameters<Wire['service']['analyzePlan']>[0]>['analyze']>;
type ConfigInit = NonNullable<NonNullable<NonNullable<Parameters<Wire['service']['config']>[0]>['operation']>['opType']>;
