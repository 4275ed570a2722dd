import { connect } from 'node:http2';
import { Code, ConnectError } from '@connectrpc/connect';

const limitMs = 20_000;

/**
 * Looks whether something that speaks HTTP/2 answers, over TLS for `https`. What answers otherwise is found out here: the client would
 * fail on it with an error that nobody can catch. @throws ConnectError with Node's own error as its cause
 */
export function reach(url: string, ca: string | undefined): Promise<void> {
  return new Promise((done, fail) => {
    const session = connect(url, ca === undefined ? {} : { ca });
    const end = (error?: unknown): void => {
      clearTimeout(timer);
      session.destroy();
      if (error === undefined) done();
      else fail(new ConnectError('the server cannot be reached', Code.Unavailable, undefined, undefined, error));
    };
    const timer = setTimeout(() => end(withCode('ETIMEDOUT')), limitMs);
    session.once('remoteSettings', () => end());
    // Stays: what comes after the first error must find a listener as well.
    session.on('error', (error: NodeJS.ErrnoException) => end(isHangUp(error) ? withCode(notHttp2) : error));
    session.once('close', () => end(withCode(notHttp2)));
  });
}

const notHttp2 = 'ERR_HTTP2_ERROR';

/** The server took the connection and closed it without an answer that HTTP/2 knows. */
function isHangUp({ code }: NodeJS.ErrnoException): boolean {
  return code === 'ECONNRESET' || code === 'EPIPE' || code?.startsWith('ERR_HTTP2') === true;
}

function withCode(code: string): Error {
  return Object.assign(new Error(code), { code });
}
