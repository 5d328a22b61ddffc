import { Pool, type buildConnector } from '@fiado/chassis/undici';

/**
 * Connections to one origin, for an agent of undici, whose requests fail when no connection can be made. Without this,
 * undici connects again without a pause and without an end after an error with a code of its own (UND_ERR_SOCKET), such
 * as that of a proxy which closes the connection in place of an answer.
 */
export function connectOnce(origin: string | URL, options: object): Pool {
  const { connect } = options as { connect: buildConnector.connector };
  return new Pool(origin, {
    ...options,
    connect: (target, callback) =>
      connect(target, (...[error, socket]) => {
        if (error === null) callback(null, socket);
        else callback(new Error('No connection was made', { cause: error }), null);
      }),
  });
}

/**
 * Connections to a proxy itself. undici's own limit for its answer is minutes, and a request is not over before its
 * connection has failed.
 * @param timeoutMs for the answer of the proxy
 */
export function proxyWithin(timeoutMs: number): (proxy: URL, options: object) => Pool {
  return (proxy, options) => new Pool(proxy, { ...options, headersTimeout: timeoutMs });
}
