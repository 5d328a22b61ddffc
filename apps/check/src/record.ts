import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { Command } from 'commander';
import {
  addressOf,
  judge,
  knownIds,
  UsageError,
  withReports,
  type Finish,
  type ReportOptions,
} from './command-options';
import type { Scenario } from './scenario';

const DEFAULT_SECONDS = 60;

interface RecordOptions extends ReportOptions {
  listen: string;
  forward: string;
  for: string;
}

/** fiado-check record */
export function addRecord(
  program: Command,
  finish: Finish,
  stderr: { write(text: string): unknown },
): void {
  withReports(program.command('record'))
    .description("stands between a provider's own system and a sandbox, and judges its notices")
    .requiredOption('--listen <port>', 'port that the provider sends its notices to')
    .requiredOption('--forward <url>', 'address of the sandbox')
    .option('--for <seconds>', 'how long', String(DEFAULT_SECONDS))
    .action(async (options: RecordOptions) => {
      const forward = addressOf('--forward', options.forward).replace(/\/+$/, '');
      for (const name of ['listen', 'for'] as const) {
        if (!/^\d{1,5}$/.test(options[name])) throw new UsageError(`--${name} must be a number`);
      }
      // Before the minute of recording, and not only after it.
      knownIds(RECORD_SCENARIOS, options);
      const recording = await recordNotices(Number(options.listen), forward);
      stderr.write(`send your notices to port ${recording.port} in place of ${forward}\n`);
      await pause(Number(options.for) * 1_000);
      await untilRepeated(recording.notices);
      recording.close();
      const tried = { scenarios: RECORD_SCENARIOS, world: recording.notices };
      await judge({ kit: 'record', target: forward }, tried, { options, finish });
    });
}

/** A provider that repeats more slowly does so by hand. */
const REPEATED_WITHIN_MS = 5 * 60_000;
const LOOK_EVERY_MS = 200;

/** Waits until each 503 was repeated and accepted: a provider may repeat by a timer of its own. */
async function untilRepeated(notices: Notice[]): Promise<void> {
  const giveUpAt = Date.now() + REPEATED_WITHIN_MS;
  while (Date.now() < giveUpAt && notices.some((one) => isUnrepeated(one, notices))) {
    await pause(LOOK_EVERY_MS);
  }
}

function isUnrepeated({ isOutage, claveDePago }: Notice, notices: Notice[]): boolean {
  return isOutage && lastStatusOf(claveDePago, notices) === 503;
}

function lastStatusOf(claveDePago: string, notices: Notice[]): number {
  return notices.findLast((notice) => notice.claveDePago === claveDePago)?.status ?? 0;
}

/** Rules for the notices that a provider's own system sends. */
export const RECORD_SCENARIOS: Array<Scenario<Notice[]>> = [
  {
    id: 'D15',
    title: { en: 'A 503 is repeated', es: 'Un 503 se repite' },
    rule: {
      en: 'After a 503 the same notice is sent again, until it is accepted.',
      es: 'Después de un 503 se repite el mismo aviso, hasta que se acepta.',
    },
    skip: (notices) => (notices.some(({ isOutage }) => isOutage) ? undefined : 'no notice came'),
    run: async (notices, record) => {
      for (const { claveDePago } of notices.filter(({ isOutage }) => isOutage)) {
        record(`last answer to ${claveDePago}`, 200, lastStatusOf(claveDePago, notices));
      }
    },
  },
  {
    id: 'D20',
    title: { en: 'One body for each claveDePago', es: 'Un cuerpo por cada claveDePago' },
    rule: {
      en: 'A notice is repeated with the same bytes.',
      es: 'Un aviso se repite con los mismos bytes.',
    },
    run: async (notices, record) => {
      record('a notice came', 'true', String(notices.length > 0));
      for (const claveDePago of new Set(notices.map((notice) => notice.claveDePago))) {
        const same = notices.filter((notice) => notice.claveDePago === claveDePago);
        record(`bodies of ${claveDePago}`, 1, new Set(same.map(({ body }) => body)).size);
      }
    },
  },
  {
    id: 'D21',
    title: { en: 'Valid notices with the right key', es: 'Avisos válidos con la llave correcta' },
    rule: {
      en: 'No notice is refused for its fields, its key or its name.',
      es: 'Ningún aviso se rechaza por sus campos, su llave o su nombre.',
    },
    run: async (notices, record) => {
      record('a notice came', 'true', String(notices.length > 0));
      const refused = notices.filter(({ status }) => [400, 401, 403, 415].includes(status));
      record('refusals', '', refused.map((one) => `${one.status} ${one.claveDePago}`).join(', '));
    },
  },
];

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
  const isNotice =
    request.method === 'POST' && /\/payment\/deposit(?:\?|$)/.test(request.url ?? '');
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
