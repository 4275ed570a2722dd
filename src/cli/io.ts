import type { Ports } from './run-port.ts';

/** A place to write text to. */
export interface Stream {
  readonly write: (text: string) => unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
}

/** All that the command touches of the world around it, so that tests can stand in for it. */
export interface Io {
  readonly stdout: Stream;
  readonly stderr: Stream;
  /** Standard output as it is, for the commands of a CI system; through `stdout` none of them gets. Absent where there is no difference. */
  readonly commands?: Stream;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
  /** Milliseconds that only go forward. */
  readonly clock: () => number;
  /** Stand-ins for the run side. */
  readonly ports?: Partial<Ports>;
}
