/** Reads the folders of cases. The format: test/cases/CONVENTIONS.md, "Fields". */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isMap, isScalar, isSeq, type Node, parseDocument } from 'yaml';
import type { PlainValue } from './case-value.ts';

export interface CaseColumn {
  readonly name: string;
  readonly type: string;
  readonly nullable?: boolean;
  readonly default?: PlainValue;
}

export interface CaseTable {
  readonly columns: readonly CaseColumn[];
  readonly rows?: readonly (readonly PlainValue[])[] | null;
}

/** The inputs of one run. */
export interface CaseSpec {
  readonly id: string;
  readonly source: {
    readonly file?: string;
    readonly files?: string | readonly string[];
    readonly format?: string;
    readonly options?: Readonly<Record<string, PlainValue>> | null;
  };
  readonly target: CaseTable & { readonly table: string; readonly key?: readonly string[] | null; readonly partition?: PlainValue };
  readonly mode: string;
  readonly merge?: PlainValue;
  readonly replace?: PlainValue;
  readonly rules?: readonly ({ readonly column: string } & Readonly<Record<string, PlainValue>>)[] | null;
  readonly environment?: { readonly TZ?: string; readonly engine_session_timezone?: string } | null;
  readonly extra_tables?: Readonly<Record<string, CaseTable>> | null;
}

export interface ExpectedDivergence {
  readonly kind: string | readonly string[];
  readonly column?: string;
  readonly from?: string;
  readonly to?: string;
  readonly position?: number;
  readonly count?: number;
  readonly rows?: number;
  readonly reason?: string;
  readonly files?: readonly string[];
  readonly examples?: readonly (string | null)[];
}

/** What must come out of one run. Fields that are absent are not compared. */
export interface Expectation {
  readonly exit: 'ok' | 'divergent' | 'failed';
  readonly divergences?: readonly ExpectedDivergence[];
  readonly target_rows?: readonly (readonly PlainValue[])[] | 'unchanged';
  readonly target_summary?: readonly PlainValue[];
  readonly quarantined?: number;
  readonly counts?: Readonly<Record<string, number>>;
  readonly extra_tables?: Readonly<Record<string, readonly (readonly PlainValue[])[]>>;
}

/** One run of the command and what must come of it. */
export interface Step {
  readonly name: string;
  readonly spec: CaseSpec;
  readonly expect: Expectation;
}

export interface Crash {
  readonly points: number;
  readonly after_kill: string;
  readonly after_rerun: string;
}

/** A chain of runs on one target: the first starts from the initial state, each further one from where the one before it ended. */
export interface Story {
  readonly steps: readonly Step[];
  readonly crash?: Crash;
}

export interface CaseFolder {
  readonly id: string;
  readonly folder: string;
}

interface FurtherRun {
  readonly id?: string;
  readonly with?: Readonly<Record<string, PlainValue>> | null;
  readonly expect: Expectation;
  readonly rerun?: FurtherRun | readonly FurtherRun[];
  readonly crash?: Crash;
}

/** The case folders directly below a folder, by name; a folder that is itself a case is the only one. */
export function listCases(folder: string): CaseFolder[] {
  if (existsSync(join(folder, 'case.yaml'))) return [{ id: basename(folder), folder }];
  return readdirSync(folder)
    .sort()
    .map((id) => ({ id, folder: join(folder, id) }))
    .filter((entry) => existsSync(join(entry.folder, 'case.yaml')));
}

/** The stories of a case: its own with the reruns, then one per variant. Throws an Error when the file cannot be read. */
export function readCase(folder: string): Story[] {
  const document = parseDocument(readFileSync(join(folder, 'case.yaml'), 'utf8'), { strict: true, uniqueKeys: true });
  const fault = document.errors[0];
  if (fault !== undefined) throw new Error(`case.yaml: ${fault.message}`);
  keepExampleText(document.contents as Node);
  const { variants, ...own } = document.toJS() as CaseSpec & FurtherRun & { readonly variants?: readonly FurtherRun[] };
  const main = story(own, own, 'run');
  return [main, ...(variants ?? []).map((variant) => story(changed(own, variant.with), variant, variant.id ?? 'variant'))];
}

function story(spec: CaseSpec, run: FurtherRun, name: string): Story {
  const reruns = run.rerun === undefined ? [] : [run.rerun].flat();
  let current = spec;
  const again = reruns.map((rerun, i): Step => {
    current = changed(current, rerun.with);
    return { name: `${name} → rerun${reruns.length > 1 ? ` ${i + 1}` : ''}`, spec: current, expect: rerun.expect };
  });
  return { steps: [{ name, spec, expect: run.expect }, ...again], ...(run.crash === undefined ? {} : { crash: run.crash }) };
}

/** A copy of the case with each dotted path replaced; null removes. */
function changed(spec: CaseSpec, changes: Readonly<Record<string, PlainValue>> | null | undefined): CaseSpec {
  const copy = structuredClone(spec);
  for (const [path, value] of Object.entries(changes ?? {})) replace(copy as unknown as Record<string, unknown>, path.split('.'), value);
  return copy;
}

function replace(holder: Record<string, unknown>, path: readonly string[], value: PlainValue): void {
  const [name = '', ...rest] = path;
  if (rest.length === 0) {
    if (value === null) delete holder[name];
    else holder[name] = value;
    return;
  }
  if (typeof holder[name] !== 'object' || holder[name] === null) holder[name] = {};
  replace(holder[name] as Record<string, unknown>, rest, value);
}

/** Examples are text: an unquoted `1e3` in their list means those three characters. */
function keepExampleText(node: unknown): void {
  if (isSeq(node)) node.items.forEach(keepExampleText);
  if (!isMap(node)) return;
  for (const { key, value } of node.items) {
    if (isScalar(key) && key.value === 'examples' && isSeq(value)) value.items.forEach(toSourceText);
    else keepExampleText(value);
  }
}

function toSourceText(item: unknown): void {
  if (isScalar(item) && item.value !== null && typeof item.value !== 'string') item.value = item.source ?? String(item.value);
}
