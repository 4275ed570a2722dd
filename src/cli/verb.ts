import type { Command } from 'commander';
import type { Io } from './io.ts';

/** What commander read: options by camel-cased name. */
export type Options = Readonly<Record<string, string | readonly string[] | boolean | undefined>>;

/** A verb of the command: what it is called with, and what it does. */
export interface Verb {
  /** Two to four command lines, indented, each with a `$` in front. */
  readonly examples: string;
  /** What the operands may be, where the examples do not say it all. */
  readonly note?: string;
  /** Declares operands and options. */
  readonly describe: (command: Command) => void;
  /** Does it and answers the exit code. */
  readonly run: (operands: readonly string[], options: Options, io: Io) => Promise<number>;
}

export interface VerbEntry {
  readonly name: string;
  /** One sentence, without a full stop. */
  readonly summary: string;
  readonly load: () => Promise<Verb>;
}
