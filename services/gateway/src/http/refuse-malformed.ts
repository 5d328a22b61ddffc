import { randomUUID } from 'node:crypto';
import { STATUS_CODES, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { isClosing } from '@fiado/chassis/http/answer-and-close';
import { TOO_MANY_BYTES } from '@fiado/chassis/http/bound-wire';
import { AppError, type ErrorCode } from '@fiado/contracts/errors';
import { presentError } from './answer-error';

/** Time for the sender to read the answer before the connection is cut. */
const LINGER_MS = 1_000;

const CODE_OF_FAILURE: Record<string, ErrorCode> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'REQUEST_TIMEOUT',
  HPE_HEADER_OVERFLOW: 'HEADERS_TOO_LARGE',
  [TOO_MANY_BYTES]: 'PAYLOAD_TOO_LARGE',
};

/**
 * Answers requests that Node's parser refuses, or that arrive too slowly, with a JSON error, and
 * closes the connection.
 */
export function refuseMalformed(server: Server): void {
  const refused = new WeakSet<Duplex>();
  const lastResponse = new WeakMap<Duplex, ServerResponse>();
  server.prependListener('request', (req, res) => lastResponse.set(req.socket, res));

  server.on('clientError', (failure: NodeJS.ErrnoException, socket) => {
    // It follows a body that was refused. What was answered to that still has to leave.
    // The parser complains again about each piece that still arrives.
    if (refused.has(socket)) return;
    refused.add(socket);
    if (isClosing(socket as Socket)) {
      socket.pause();
      setTimeout(() => socket.destroy(), LINGER_MS).unref();
      return;
    }

    const res = lastResponse.get(socket);
    const midAnswer = res !== undefined && res.headersSent && !res.writableFinished;
    if (failure.code === 'ECONNRESET' || !socket.writable || midAnswer) {
      socket.destroy();
      return;
    }
    socket.end(rawAnswer(CODE_OF_FAILURE[failure.code ?? ''] ?? 'MALFORMED_REQUEST'));
    setTimeout(() => socket.destroy(), LINGER_MS).unref();
  });
}

function rawAnswer(code: ErrorCode): string {
  const error = new AppError(code);
  const { headers, body } = presentError(error, randomUUID());
  const lines = [`HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}`, 'Connection: close'];
  for (let i = 0; i < headers.length; i += 2) lines.push(`${headers[i]}: ${headers[i + 1]}`);
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
}
