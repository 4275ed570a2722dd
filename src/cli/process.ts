/** The command as a process: signals, broken pipes, exit code. */
import { performance } from 'node:perf_hooks';
import { Fault } from '../core/fault.ts';
import { exitCode } from './exit-code.ts';
import { main } from './main.ts';
import type { Ports } from './run-port.ts';

/** Runs the command and leaves its exit code on the process. `standIns` take the place of the run side. */
export async function runProcess(args: readonly string[], standIns: Partial<Ports> = {}): Promise<void> {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', onStreamError);
  const abort = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stop(abort, signal));
  process.exitCode = await main(args, {
    stdout: process.stdout,
    stderr: process.stderr,
    env: process.env,
    cwd: process.cwd(),
    signal: abort.signal,
    clock: () => performance.now(),
    ports: standIns,
  });
  // What was interrupted may still hold handles; what it wrote is out by then.
  if (abort.signal.aborted) process.exit();
}

/** The first signal asks the run to stop and clean up, the second does not ask. */
function stop(abort: AbortController, signal: string): void {
  if (abort.signal.aborted) process.exit(exitCode.interrupted);
  process.stderr.write('\nstopping; once more to stop at once\n');
  abort.abort(new Fault('INTERRUPTED', `stopped by ${signal}`));
}

/** A reader that went away (`| head`) is no fault, and no reason to break off a load. */
function onStreamError(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') process.exitCode = exitCode.usage;
}
