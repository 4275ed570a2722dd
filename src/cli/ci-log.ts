/** The log of a CI step is obeyed: GitHub's runner takes lines of it for commands, whoever wrote them. */
import { inert } from '../reports/github.ts';
import type { Io, Stream } from './io.ts';

/** In a step of GitHub Actions, what is printed holds no commands, as names and values from data could be some. Elsewhere nothing changes. */
export function withoutCommands(io: Io): Io {
  if (io.env.GITHUB_ACTIONS !== 'true') return io;
  return { ...io, stdout: guarded(io.stdout), stderr: guarded(io.stderr), commands: io.stdout };
}

function guarded(stream: Stream): Stream {
  const { isTTY, columns } = stream;
  return {
    write: (text) => stream.write(inert(text)),
    ...(isTTY === undefined ? {} : { isTTY }),
    ...(columns === undefined ? {} : { columns }),
  };
}
