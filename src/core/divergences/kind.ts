import type { KindName } from './divergence.ts';

/** A worked example: what arrives, where it must land, under which rules, and what is found. test/docs/examples.test.ts runs it. */
export interface KindExample {
  /** Name of the source file or, for several, of its folder; the extension gives the format. */
  readonly file: string;
  /** The bytes of the file as text. */
  readonly source: string;
  /** Statements that make the target as it is before the run. */
  readonly target: string;
  /** Keys of the job in YAML; null when the built-in values hold. */
  readonly rules: string | null;
  /** The commands that lead to the finding, in order, in the folder of the example; a load of the job, named like the table, when absent. */
  readonly commands?: readonly string[];
  /** What someone does to the target by hand between the first command and the next, as SQL. */
  readonly meanwhile?: string;
  readonly found: {
    readonly path: string | null;
    readonly reason: string | null;
    readonly count: number;
    /** What the report says, in one sentence. */
    readonly says: string;
  };
}

/** Everything that is said to people about one kind of divergence. */
export interface DivergenceKind {
  /** Stable for ever; a retired code is never given out again. */
  readonly code: `SA${number}`;
  readonly name: KindName;
  /** A sentence without a full stop, as a heading. */
  readonly title: string;
  /** What it is. */
  readonly summary: string;
  /** How it comes about, and what goes wrong when nobody notices. */
  readonly why: string;
  /** What a run does when it meets one: severity, and what happens to the rows. */
  readonly consequence: string;
  /** What to do. */
  readonly fix: string;
  readonly example: KindExample;
}
