import type { ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { loadConfig } from '@fiado/chassis/config';
import { type Caller, INTERNAL_TOKEN_HEADER } from '@fiado/contracts/caller';
import { createLogger, type Logger } from '@fiado/chassis/logger';
import { wholesaler } from '@fiado/chassis/testing/callers';
import { send, type Answer } from '@fiado/chassis/testing/call';
import { testKeyVariables, testTokens } from '@fiado/chassis/testing/process-keys';
import { TEST_TIMING } from '@fiado/chassis/testing/timing';
import type { Timing } from '@fiado/chassis/timing';
import type { ProviderProof, RefusedCredentials } from '@fiado/contracts/credential';
import { AppError, type ErrorCode } from '@fiado/contracts/errors';
import { SERVICES, type Service } from '@fiado/contracts/process-names';
import { GatewayConfig } from '../../src/config';
import { startGateway, type RunningGateway } from '../../src/service';
import { Upstream } from './upstream';

const CHECK_PATH = '/internal/credentials/check';
const REPORT_PATH = '/internal/refused-credentials';
export const KEY = 'fiado_test_the-key-of-the-wholesaler';

/** A gateway in front of four stand-ins; accounts knows the credentials in `callers`. */
export interface TestGateway {
  server: RunningGateway;
  url: string;
  upstreams: Record<Service, Upstream>;
  callers: Map<string, Caller>;
  /** Credentials that accounts refuses with the id of their key. */
  endedKeys: Map<string, string>;
  /** Refused credentials that the gateway reported to accounts. */
  reports: RefusedCredentials[];
  /** How the providers of those credentials prove their calls. */
  proofs: Map<string, ProviderProof>;
  /** How often accounts was asked about a credential. */
  questions(): number;
  /** Requests that a service received, without credential checks. */
  seenBy(name: Service): Upstream['seen'];
  /** Moves the clock of its caches, breakers and limits. */
  advance(ms: number): void;
  call(method: string, path: string, options?: CallOptions): Promise<Answer>;
  stop(): Promise<void>;
}

interface CallOptions {
  key?: string | undefined;
  body?: unknown;
  headers?: Record<string, string>;
}

export interface TestGatewayOptions {
  config?: Record<string, string>;
  log?: Logger;
  timing?: Timing;
}

export async function startTestGateway({
  config = {},
  log,
  timing = TEST_TIMING,
}: TestGatewayOptions = {}): Promise<TestGateway> {
  const callers = new Map<string, Caller>([[KEY, wholesaler()]]);
  const proofs = new Map<string, ProviderProof>();
  const upstreams = Object.fromEntries(
    SERVICES.map((name) => [name, new Upstream(name)]),
  ) as Record<Service, Upstream>;
  await Promise.all(Object.values(upstreams).map((upstream) => upstream.start()));
  const endedKeys = new Map<string, string>();
  const reports: RefusedCredentials[] = [];
  upstreams.accounts.answer = accountsWith({ callers, proofs, endedKeys, reports });

  let nowMs = 1_000_000;
  const server = await startGateway(
    loadConfig(GatewayConfig, {
      ...testKeyVariables('gateway'),
      PORT: '0',
      ACCOUNTS_URL: upstreams.accounts.url,
      TRANSACTIONS_URL: upstreams.transactions.url,
      PAYMENTS_URL: upstreams.payments.url,
      NOTIFIER_URL: upstreams.notifier.url,
      RATE_LIMIT_PER_SECOND: '0',
      ...config,
    }),
    { log: log ?? createLogger('gateway', 'silent'), now: () => nowMs, timing },
  );
  const url = `http://127.0.0.1:${server.port}`;

  return {
    server,
    url,
    upstreams,
    callers,
    endedKeys,
    reports,
    proofs,
    questions: () => upstreams.accounts.seen.filter((seen) => seen.url === CHECK_PATH).length,
    seenBy: (name) =>
      upstreams[name].seen.filter((seen) => seen.url !== CHECK_PATH && seen.url !== REPORT_PATH),
    advance: (ms) => {
      nowMs += ms;
    },
    call: (method, path, options = {}) => {
      const key = 'key' in options ? options.key : KEY;
      return send(`${url}${path}`, method, options.body, {
        ...(key === undefined ? {} : { authorization: key }),
        ...options.headers,
      });
    },
    stop: async () => {
      await server.close();
      await Promise.all(Object.values(upstreams).map((upstream) => upstream.stop()));
    },
  };
}

/** Accounts as the gateway knows it: answers questions about credentials, only with a token. */
function accountsWith({
  callers,
  proofs,
  endedKeys,
  reports,
}: Pick<TestGateway, 'callers' | 'proofs' | 'endedKeys' | 'reports'>): NonNullable<
  Upstream['answer']
> {
  return (req, res) => {
    res.setHeader('Content-Type', 'application/json');
    if (req.url !== CHECK_PATH && req.url !== REPORT_PATH) {
      // An image of a test may have eight megabytes.
      req.resume().once('end', () => res.end(JSON.stringify({ from: 'accounts' })));
      return;
    }
    const answer = async (body: string): Promise<void> => {
      if (req.url === REPORT_PATH) {
        reports.push(JSON.parse(body) as RefusedCredentials);
        res.end(JSON.stringify({ from: 'accounts' }));
        return;
      }
      const asker = await callerIn(req.headers, 'accounts');
      const { credential } = JSON.parse(body) as { credential: string };
      const caller = callers.get(credential);
      if (asker?.kind !== 'service' || asker.id !== 'gateway') {
        answerError(res, 'INTERNAL_TOKEN_NOT_VALID');
      } else if (caller === undefined) {
        answerError(res, 'UNAUTHORIZED', endedKeys.get(credential));
      } else {
        res.end(JSON.stringify({ caller, proof: proofs.get(credential) }));
      }
    };
    // The gateway may give a request up.
    void readAll(req).then(answer, () => {});
  };
}

/** An error as a service answers it. */
export function answerError(res: ServerResponse, code: ErrorCode, keyId?: string): void {
  const { status, message } = new AppError(code);
  res.statusCode = status;
  res.end(JSON.stringify({ errorCode: code, errorMessage: message, keyId }));
}

export async function readAll(stream: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

/** The caller that the gateway vouched for in a request to a service. */
export function callerIn(
  headers: Record<string, string | string[] | undefined>,
  receiver: Service,
): Promise<Caller | undefined> {
  return testTokens(receiver).verify(String(headers[INTERNAL_TOKEN_HEADER]));
}
