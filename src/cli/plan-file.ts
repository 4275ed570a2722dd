/** A saved plan as a file: the plan, and the operands and flags that name its job. It never holds SQL that anybody executes. */
import { readFile } from 'node:fs/promises';
import { redactUrl } from '../config/redact.ts';
import { Fault } from '../core/fault.ts';
import { planHash, reviveMaps, type SavedPlan, stableJson } from '../run/plan-file.ts';
import type { Options } from './verb.ts';
import { writeWhole } from './write-file.ts';

/** What the plan was made with; the load repeats it. */
export interface Invocation {
  readonly operands: readonly string[];
  readonly options: Options;
}

export interface PlanFile {
  /** Without its job, whose address may hold a secret: the invocation makes it anew. */
  readonly plan: SavedPlan;
  readonly invocation: Invocation;
}

/** Throws `USAGE` when what a plan would be made with holds a secret, which would then stand in its file. */
export function refuseSecrets(invocation: Invocation): void {
  if ([...invocation.operands, ...Object.values(invocation.options).flat()].some(holdsSecret)) {
    throw new Fault('USAGE', 'a saved plan must hold no secret, and an operand or a flag does', {
      fix: 'Name source and target in schemalign.yaml, with the secret as ${env:NAME}, and plan that job.',
    });
  }
}

/** Writes the file whole or not at all. Throws `USAGE` when it cannot, or when the invocation holds a secret. */
export async function writePlan(file: string, { plan, invocation }: PlanFile): Promise<void> {
  refuseSecrets(invocation);
  const { job: _job, ...saved } = plan;
  await writeWhole(file, `${JSON.stringify(JSON.parse(stableJson({ ...saved, invocation })), null, 2)}\n`);
}

const holdsSecret = (value: unknown): boolean => typeof value === 'string' && redactUrl(value) !== value;

/** Whether a file holds a saved plan of whatever version. A file that cannot be read or is no JSON is none. */
export async function isPlanFile(file: string): Promise<boolean> {
  const document = await readFile(file, 'utf8').then(parsed, () => undefined);
  const schema = (document as { schema?: unknown } | null | undefined)?.schema;
  return typeof schema === 'string' && schema.startsWith('plan-');
}

/** Reads a saved plan. Throws `PLAN_INVALID` with the reason. */
export async function readPlan(file: string): Promise<PlanFile> {
  const place = { file };
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new Fault('PLAN_INVALID', `the file cannot be read (${String((cause as { code?: unknown }).code)})`, { cause, place });
  });
  const document = parsed(text);
  if (typeof document !== 'object' || document === null || Array.isArray(document))
    throw new Fault('PLAN_INVALID', 'the file is no JSON object', { place });
  const { invocation, ...plan } = document as Partial<SavedPlan> & { readonly invocation?: unknown };
  if (plan.schema !== 'plan-1') {
    throw new Fault('PLAN_INVALID', `expected "schema": "plan-1", found ${JSON.stringify(plan.schema ?? null)}`, { place });
  }
  if (!isInvocation(invocation)) throw new Fault('PLAN_INVALID', 'the operands and flags of the plan are missing or damaged', { place });
  const isWhole = typeof plan.plan === 'object' && plan.plan !== null && typeof plan.plan_hash === 'string' && isLocks(plan.locks);
  if (!isWhole) throw new Fault('PLAN_INVALID', 'parts of the plan are missing', { place });
  if (planHash(plan.plan as SavedPlan['plan']) !== plan.plan_hash) {
    throw new Fault('PLAN_INVALID', 'the plan was changed after it was saved: its hash is another one', { place });
  }
  return { plan: plan as SavedPlan, invocation };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text, reviveMaps);
  } catch {
    return undefined;
  }
}

function isLocks(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Array.isArray((value as Partial<SavedPlan['locks']>).files);
}

function isInvocation(value: unknown): value is Invocation {
  if (typeof value !== 'object' || value === null) return false;
  const { operands, options } = value as Partial<Invocation>;
  return isTexts(operands) && typeof options === 'object' && options !== null && Object.values(options).every(isOption);
}

const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every((item) => typeof item === 'string');
const isOption = (value: unknown): boolean => typeof value === 'string' || typeof value === 'boolean' || isTexts(value);
