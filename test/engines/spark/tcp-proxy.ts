import { connect, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';

/** A server before the server, whose connections can be cut, frozen and swallowed. */
export interface TcpProxy {
  readonly port: number;
  /** How many connections were made to it. */
  readonly connections: () => number;
  /** Resets every connection that is open. */
  readonly cut: () => void;
  /** Resets each connection once so many bytes came from the server; undefined ends that. */
  readonly cutAfter: (bytes: number | undefined) => void;
  /** Resets the connection when the client next sends more than so many bytes at once; they do not arrive. */
  readonly swallow: (bytes: number) => void;
  /** Passes nothing on any more, on the connections that are open, but keeps them. */
  readonly freeze: () => void;
  readonly close: () => Promise<void>;
}

interface Rules {
  cutAfter: number | undefined;
  swallow: number | undefined;
}

interface Pair {
  readonly near: Socket;
  readonly far: Socket;
  frozen: boolean;
}

/** Listens on a free port of this machine and passes everything on. With `tls` it speaks TLS to the client, and none to the server. */
export async function tcpProxy(target: number, tls?: TlsOptions): Promise<TcpProxy> {
  const pairs = new Set<Pair>();
  const rules: Rules = { cutAfter: undefined, swallow: undefined };
  let count = 0;
  const accept = (near: Socket): void => {
    count += 1;
    join({ near, far: connect(target, '127.0.0.1'), frozen: false }, rules, pairs);
  };
  const server: Server = tls === undefined ? createServer(accept) : createTlsServer({ ALPNProtocols: ['h2'], ...tls }, accept);
  server.on('tlsClientError', () => undefined);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const cut = (): void => {
    for (const { near, far } of pairs) {
      near.destroy();
      far.destroy();
    }
  };
  return {
    port: (server.address() as { port: number }).port,
    connections: () => count,
    cut,
    cutAfter: (bytes) => {
      rules.cutAfter = bytes;
    },
    swallow: (bytes) => {
      rules.swallow = bytes;
    },
    freeze: () => {
      for (const pair of pairs) pair.frozen = true;
    },
    close: async () => {
      cut();
      await new Promise((done) => server.close(done));
    },
  };
}

function join(pair: Pair, rules: Rules, pairs: Set<Pair>): void {
  const { near, far } = pair;
  pairs.add(pair);
  const end = (): void => {
    pairs.delete(pair);
    near.destroy();
    far.destroy();
  };
  for (const socket of [near, far]) socket.on('error', end).on('close', end);
  let received = 0;
  near.on('data', (bytes: Buffer) => {
    if (pair.frozen) return;
    if (rules.swallow !== undefined && bytes.length > rules.swallow) {
      rules.swallow = undefined;
      end();
      return;
    }
    far.write(bytes);
  });
  far.on('data', (bytes: Buffer) => {
    if (pair.frozen) return;
    received += bytes.length;
    if (rules.cutAfter !== undefined && received > rules.cutAfter) end();
    else if (!near.write(bytes)) {
      far.pause();
      near.once('drain', () => far.resume());
    }
  });
}
