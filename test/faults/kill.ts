/** Kills one load at many points, and looks at what it leaves: the old state or the new one, and a rerun that heals. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'vitest';
import { change, contentSql, copyDatabase, look, type Row } from './database.ts';
import { makePlace, type Place } from './place.ts';

export interface Story {
  /** SQL that makes the target; none: the database does not exist yet. */
  readonly before: readonly string[];
  readonly files: Readonly<Record<string, () => string>>;
  /** Arguments of `load`, with `w.duckdb` as the target and `t` as the table. */
  readonly load: readonly string[];
  readonly expected: { readonly read: number; readonly loaded: number; readonly quarantined: number };
}

/** Points by the clock, spread over the run, and points counted from the moment at which the write-ahead log holds something. */
const byClock = 13;
const afterLogBegins = [0, 2, 5, 10, 20, 50, 200];
export const points = byClock + afterLogBegins.length;

interface State {
  /** Undefined: there is no database or no table. */
  readonly content: string | undefined;
  readonly runs: readonly Row[];
  readonly files: number;
  readonly quarantined: number;
}

const audited = {
  runs: 'SELECT run_id, status, exit, rows_read::INTEGER AS read, rows_loaded::INTEGER AS loaded, rows_quarantined::INTEGER AS quarantined FROM audit_schema_runs ORDER BY started_at',
  files: 'SELECT count(*)::INTEGER AS n FROM audit_schema_files',
  quarantined: 'SELECT count(*)::INTEGER AS n FROM audit_schema_quarantine',
} as const;

export async function stateOf(file: string): Promise<State> {
  if (!existsSync(file)) return { content: undefined, runs: [], files: 0, quarantined: 0 };
  return look(file, async (query) => {
    const tables = new Set((await query('SELECT table_name AS t FROM duckdb_tables()')).map((row) => String(row['t'])));
    const read = async (name: keyof typeof audited): Promise<readonly Row[]> =>
      tables.has(`audit_schema_${name}`) ? query(audited[name]) : [];
    const count = async (name: 'files' | 'quarantined'): Promise<number> => Number((await read(name))[0]?.['n'] ?? 0);
    const quarantine = tables.has('audit_schema_quarantine') ? Number((await query(audited.quarantined))[0]?.['n']) : 0;
    return {
      content: tables.has('t') ? String((await query(contentSql('t')))[0]?.['h']) : undefined,
      runs: await read('runs'),
      files: await count('files'),
      quarantined: quarantine,
    };
  });
}

/** Everything that the points of one story share: the state before, the state after, and how long a run takes. */
export class KillStory {
  readonly place: Place = makePlace();
  readonly #story: Story;
  #old: State = { content: undefined, runs: [], files: 0, quarantined: 0 };
  #new: State = this.#old;
  #ms = 0;
  /** How each point ended. */
  readonly seen = { old: 0, new: 0, killed: 0 };

  constructor(story: Story) {
    this.#story = story;
  }

  get #db(): string {
    return this.place.path('w.duckdb');
  }

  get #kept(): string {
    return this.place.path('kept.duckdb');
  }

  async prepare(): Promise<void> {
    const { before, files, expected } = this.#story;
    for (const [name, text] of Object.entries(files)) this.place.write(name, text());
    if (before.length > 0) await change(this.#db, ...before);
    await copyDatabase(this.#db, this.#kept);
    this.#old = await stateOf(this.#db);
    for (const _ of [1, 2]) {
      await this.#restore();
      const ran = await this.place.run('load', ...this.#story.load);
      expect(ran.exit, ran.stderr + ran.stdout).toBe(0);
      this.#ms = ran.ms;
    }
    this.#new = await stateOf(this.#db);
    expect(this.#new.content).not.toBe(this.#old.content);
    expect(this.#new.runs).toMatchObject([{ status: 'finished', exit: 0, ...expected }]);
    expect([this.#new.files, this.#new.quarantined]).toEqual([Object.keys(files).length, expected.quarantined]);
  }

  async #restore(): Promise<void> {
    await rm(`${this.#db}.wal`, { force: true });
    await rm(this.#db, { force: true });
    await copyDatabase(this.#kept, this.#db);
  }

  /** Kills at one point, judges what is left, and runs again. */
  async at(point: number): Promise<void> {
    await this.#restore();
    const running = this.place.start('load', ...this.#story.load);
    if (point < byClock) await wait((this.#ms * (point + 0.5)) / byClock);
    else await this.#logBegins(running.process, afterLogBegins[point - byClock] ?? 0);
    running.process.kill('SIGKILL');
    const { exit } = await running.done;
    if (exit === null) this.seen.killed += 1;
    const left = await stateOf(this.#db);
    this.#judge(left);
    await this.#heal(left);
  }

  async #logBegins(process: { readonly exitCode: number | null }, later: number): Promise<void> {
    const log = `${this.#db}.wal`;
    while (process.exitCode === null && (statSync(log, { throwIfNoEntry: false })?.size ?? 0) === 0) await wait(1);
    await wait(later);
  }

  #judge(left: State): void {
    const isNew = left.content === this.#new.content;
    this.seen[isNew ? 'new' : 'old'] += 1;
    const state = isNew ? this.#new : this.#old;
    expect(left.content).toBe(state.content);
    expect([left.files, left.quarantined]).toEqual([state.files, state.quarantined]);
    expect(left.runs.map(({ run_id: _, ...run }) => run)).toEqual(state.runs.map(({ run_id: _, ...run }) => run));
  }

  async #heal(left: State): Promise<void> {
    const ran = await this.place.run('load', ...this.#story.load);
    expect(ran.exit, ran.stderr + ran.stdout).toBe(0);
    const healed = await stateOf(this.#db);
    expect(healed.content).toBe(this.#new.content);
    expect(healed.runs).toHaveLength(left.runs.length + 1);
    expect(existsSync(`${this.#db}.wal`)).toBe(false);
    // The folder of the killed run is gone, and so is its own.
    expect(this.place.leftovers()).toEqual([]);
    expect(readdirSync(this.place.folder).filter((name) => name.endsWith('.new'))).toEqual([]);
  }
}
