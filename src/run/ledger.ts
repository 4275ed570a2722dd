/** What an append leaves out because an earlier run has loaded it. */
import type { Plan } from '../core/plan/plan.ts';
import type { Engine, LedgerEntry } from './engine.ts';
import type { Run } from './run.ts';
import type { ListedFile, SourceRead } from './source.ts';

export interface Skipping {
  readonly read: SourceRead;
  readonly allSkipped: boolean;
}

/** In append mode files whose bytes the ledger has are left out, whatever their name and however often they are there. Verify leaves out none. */
export async function skipLoaded(run: Run, read: SourceRead): Promise<Skipping> {
  const { job, notes } = run;
  if (job.mode !== 'append' || read.listed.length === 0 || run.options.verb === 'verify') return { read, allSkipped: false };
  const ledger = await readLedger(run);
  const loadedBy = new Map(ledger.map((entry) => [entry.sha256, entry.run_id]));
  const tokens = new Set(ledger.map((entry) => entry.load_token));
  const seen = new Map<string, number>();
  const listed = read.listed.map(({ file }): ListedFile => {
    // Nothing is loaded of an empty file, so it is never in the way.
    if (file.facts.empty) return { file, skippedBy: null, token: null };
    const ordinal = (seen.get(file.sha256) ?? 0) + 1;
    seen.set(file.sha256, ordinal);
    const token = ordinal === 1 ? file.sha256 : `${file.sha256}#${ordinal}`;
    const skippedBy = job.force ? null : (loadedBy.get(file.sha256) ?? null);
    return { file, skippedBy, token: job.force && tokens.has(token) ? `${token}@${run.runId}` : token };
  });
  const skipped = listed.filter((entry) => entry.skippedBy !== null);
  for (const { file, skippedBy } of skipped)
    notes.push(`${file.path} was loaded before by run ${skippedBy}, and is skipped; --force loads it again`);
  const kept = listed.filter((entry) => entry.skippedBy === null);
  return {
    read: { ...read, listed, input: { ...read.input, files: kept.map((entry) => entry.file) } },
    allSkipped: skipped.length > 0 && kept.length === 0,
  };
}

/** The token of a table or query that is appended: the user's own, or the content of its rows. A batch that the ledger has is left out. */
export async function batchToken(run: Run, read: SourceRead, plan: Plan): Promise<{ read: SourceRead; loadedBy: string | null }> {
  const { job, engine, notes, runId } = run;
  if (read.input.spec.kind !== 'query' || job.mode !== 'append') return { read, loadedBy: null };
  const token = read.token ?? (await engine.batchHash(plan));
  const entry = (await readLedger(run)).find((known) => known.load_token === token);
  if (entry === undefined) return { read: { ...read, token }, loadedBy: null };
  if (job.force) return { read: { ...read, token: `${token}@${runId}` }, loadedBy: null };
  notes.push(`the same rows were loaded before by run ${entry.run_id}; --force loads them again`);
  return { read: { ...read, token, skippedBy: entry.run_id }, loadedBy: entry.run_id };
}

const readLedger = ({ engine, job }: Run): Promise<readonly LedgerEntry[]> =>
  engine.ledger(job.audit, auditTarget(engine, job.target.table));

/** The target's name in the audit tables: always with its schema. */
export const auditTarget = ({ defaultSchema }: Pick<Engine, 'defaultSchema'>, table: string): string =>
  table.includes('.') ? table : `${defaultSchema}.${table}`;
