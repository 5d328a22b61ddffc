import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

/** One new deposit in so many is answered with 503, to see whether it is repeated. */
const OUTAGE_EVERY = 3;
/** Longer than the API takes on a busy day. */
const TIMEOUT_MS = 30_000;
/** What a provider sends; connection headers are not passed on. */
const PASSED_HEADERS = [
  'authorization',
  'content-type',
  'idempotency-key',
  'fiado-signature',
  'x-request-id',
];

/** A notice that the provider's own system sent. */
export interface Notice {
  /** '' if the body is not readable. */
  claveDePago: string;
  body: string;
  status: number;
  /** The kit answered 503 in place of the API. */
  isOutage: boolean;
}

export interface Recording {
  port: number;
  notices: Notice[];
  close: () => void;
}

/** Stands between a provider's own system and a sandbox, and keeps every notice of a deposit. */
export async function recordNotices(port: number, forward: string): Promise<Recording> {
  const notices: Notice[] = [];
  const server = createServer((request, response) => {
    respond(request, response, { forward, notices }).catch(() => response.writeHead(502).end());
  });
  server.listen(port);
  await once(server, 'listening');
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : port,
    notices,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  { forward, notices }: { forward: string; notices: Notice[] },
): Promise<void> {
  const body = Buffer.concat(await request.toArray()).toString();
  if (/\bfiado_live_/.test(request.headers.authorization ?? '')) {
    response.writeHead(403).end('fiado-check: a fiado_live_ key is refused: use a sandbox\n');
    return;
  }
  const claveDePago = keyOf(body);
  const isNotice = request.method === 'POST' && request.url?.includes('/payment/deposit') === true;
  const isNew = !notices.some((notice) => notice.claveDePago === claveDePago);
  if (isNotice && isNew && claveDePago !== '' && countOfKeys(notices) % OUTAGE_EVERY === 0) {
    notices.push({ claveDePago, body, status: 503, isOutage: true });
    response.writeHead(503, { 'retry-after': '1' }).end();
    return;
  }
  const answer = await fetch(`${forward}${request.url}`, {
    method: request.method ?? 'GET',
    headers: PASSED_HEADERS.flatMap((name): Array<[string, string]> => {
      const value = request.headers[name];
      return typeof value === 'string' ? [[name, value]] : [];
    }),
    ...(body !== '' && { body }),
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const text = await answer.text();
  if (isNotice) notices.push({ claveDePago, body, status: answer.status, isOutage: false });
  const retryAfter = answer.headers.get('retry-after');
  response.writeHead(answer.status, {
    'content-type': answer.headers.get('content-type') ?? 'application/json',
    ...(retryAfter !== null && { 'retry-after': retryAfter }),
  });
  response.end(text);
}

function keyOf(body: string): string {
  try {
    const { claveDePago } = JSON.parse(body) as { claveDePago?: unknown };
    return typeof claveDePago === 'string' ? claveDePago : '';
  } catch {
    return '';
  }
}

function countOfKeys(notices: Notice[]): number {
  return new Set(notices.map(({ claveDePago }) => claveDePago)).size;
}
