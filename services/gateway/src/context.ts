import type { RequestHandler } from 'express';
import { InternalClient } from '@fiado/chassis/clients/internal-client';
import {
  createClientAddress,
  type ClientAddress,
  createRateLimit,
  type RateLimit,
  STRICT_TRANSPORT,
} from '@fiado/chassis/http/edge';
import { InternalTokens } from '@fiado/chassis/keys/internal-token';
import type { Logger } from '@fiado/chassis/logger';
import { processKeysOf } from '@fiado/chassis/keys/process-keys';
import type { Timing } from '@fiado/chassis/timing';
import { systemClock, type Clock } from '@fiado/contracts/clock';
import { checkCredentialCall, type CredentialAnswer } from '@fiado/contracts/credential';
import { AppError } from '@fiado/contracts/errors';
import type { Service } from '@fiado/contracts/process-names';
import { SESSION_USES_PER_SECOND, SIGN_INS_PER_SECOND } from '@fiado/contracts/staff-sign-in';
import type { GatewayConfig } from './config';
import { CredentialChecker } from './credentials/credential-checker';
import { RefusedCallers } from './credentials/refused-callers';
import { createWrongCredentialLimit } from './credentials/wrong-credential-limit';
import { createArrivals } from './forwarding/limit-arrival';
import { createBodyLimit, type BodyLimit } from './forwarding/request-bodies';
import { UPLOAD_DEADLINE_MS } from './forwarding/route-table';
import { lenderOf, type Lender } from './pages/layout';
import { createUploadLimit, type UploadLimit } from './pages/photos';
import { closeUpstreams, openUpstreams, type Upstreams } from './upstreams';

/**
 * Page views of one address in a second. Each costs a service one call. Generous, as the phones of
 * a whole mobile carrier may come from one; a code is guarded by its own count of checks.
 */
const PAGES_PER_SECOND = 100;
/** Callbacks of one address in a second: three for each SMS, and Twilio sends them from few. */
const CALLBACKS_PER_SECOND = 500;
/** Clock of the credential cache: it never goes back, as the system's clock may. */
export type MonotonicClock = () => number;

export const monotonicClock: MonotonicClock = () => performance.now();

export interface Context {
  upstreams: Upstreams;
  credentials: CredentialChecker;
  refusedCallers: RefusedCallers;
  addressOf: ClientAddress;
  limitRate: RateLimit;
  limitPages: RateLimit;
  limitCallbacks: RateLimit;
  limitSignIns: RateLimit;
  /** Calls with a session, of one address. */
  limitSessionUses: RateLimit;
  limitBodies: BodyLimit;
  limitUploads: UploadLimit;
  /** Guard of the pages: they are for TLS alone where the outermost proxy had TLS. */
  strictTransport: RequestHandler;
  arrivals: ReturnType<typeof createArrivals>;
  /** For the calls of the pages. */
  accounts: InternalClient;
  transactions: InternalClient;
  payments: InternalClient;
  /** Accounts again, with time to check and store an onboarding image. */
  accountsForImages: InternalClient;
  /** Named on every page. */
  lender: Lender;
  /** Country of a number that is typed without a prefix. */
  phoneRegion: string;
  tokens: InternalTokens;
  /** For the times of signatures. */
  clock: Clock;
  timing: Timing;
  log: Logger;
  /** Logger for the one line of each request. */
  requestLog: Logger;
  close(): Promise<void>;
}

export function createContext(
  config: GatewayConfig,
  { log, now, timing }: { log: Logger; now: MonotonicClock; timing: Timing },
): Context {
  const upstreams = openUpstreams(config, now, timing.recentRequest);
  const tokens = new InternalTokens(processKeysOf('gateway', config));
  const accountsForImages = new InternalClient({
    upstream: 'accounts',
    baseUrl: config.ACCOUNTS_URL,
    tokens,
    deadlineMs: UPLOAD_DEADLINE_MS,
    use: 'upload',
  });
  const open = (upstream: Service, baseUrl: string) =>
    new InternalClient({ upstream, baseUrl, tokens });
  const accounts = open('accounts', config.ACCOUNTS_URL);
  const transactions = open('transactions', config.TRANSACTIONS_URL);
  const payments = open('payments', config.PAYMENTS_URL);
  const share = config.RATE_LIMIT_SHARE;

  return {
    upstreams,
    credentials: new CredentialChecker({
      ask: (credential) => askAccounts(accounts, log, credential),
      limit: createWrongCredentialLimit(share, now),
      now,
    }),
    refusedCallers: new RefusedCallers(accounts, log),
    addressOf: createClientAddress(config.TRUSTED_PROXY_HOPS),
    limitRate: createRateLimit(config.RATE_LIMIT_PER_SECOND, share),
    limitPages: createRateLimit(PAGES_PER_SECOND, share),
    limitCallbacks: createRateLimit(CALLBACKS_PER_SECOND, share),
    limitSignIns: createRateLimit(SIGN_INS_PER_SECOND, share),
    limitSessionUses: createRateLimit(SESSION_USES_PER_SECOND, share),
    limitBodies: createBodyLimit(config.RATE_LIMIT_PER_SECOND * share, now),
    limitUploads: createUploadLimit(),
    strictTransport: createStrictTransport(config.TRUSTED_PROXY_HOPS),
    arrivals: createArrivals(now, timing.lookAtArrivals),
    accounts,
    transactions,
    payments,
    accountsForImages,
    lender: lenderOf(config),
    phoneRegion: config.PHONE_REGION,
    tokens,
    clock: systemClock,
    timing,
    log,
    // Looking through every line for secrets would take a third of a request's time.
    requestLog: log.child({}, { redact: [] }),
    close: async () => {
      const clients = [accounts, transactions, payments, accountsForImages];
      await Promise.all(clients.map((client) => client.close()));
      await closeUpstreams(upstreams);
    },
  };
}

async function askAccounts(
  accounts: InternalClient,
  log: Logger,
  credential: string,
): Promise<CredentialAnswer> {
  try {
    return await accounts.ask(checkCredentialCall, { credential });
  } catch (error) {
    if (isDistrust(error)) {
      log.error(
        'accounts rejected the token of the gateway: check INTERNAL_TOKEN_PUBLIC_KEYS of accounts, and the clocks',
      );
    }
    throw error;
  }
}

function isDistrust(error: unknown): boolean {
  const cause = error instanceof AppError ? error.cause : undefined;
  return cause instanceof AppError && cause.code === 'INTERNAL_TOKEN_NOT_VALID';
}

/**
 * Guard: tells browsers to use TLS alone, where a trusted proxy was called over TLS.
 * @param hops how many proxies callers come through; without one X-Forwarded-Proto is not believed
 */
function createStrictTransport(hops: number): RequestHandler {
  return (req, res, next) => {
    const protocols = String(req.headers['x-forwarded-proto'] ?? '').split(',');
    if (hops > 0 && protocols.at(-1)?.trim() === 'https') res.setHeader(...STRICT_TRANSPORT);
    next();
  };
}
