import { hash } from 'node:crypto';
import type { Caller } from '@fiado/contracts/caller';
import type { CredentialAnswer } from '@fiado/contracts/credential';
import { AppError } from '@fiado/contracts/errors';
import { LRUCache } from 'lru-cache';
import { countCredentialLookup } from '../metrics';
import type { WrongCredentialLimit } from './wrong-credential-limit';

const SCHEME = /^(?:bearer|apikey)\s+/i;
const MALFORMED =
  'The header Authorization is malformed: send a key or an access token, with Bearer, ApiKey or nothing before it';
/** Longer than any key or access token. */
const MAX_CREDENTIAL_LENGTH = 4_096;

/**
 * Guard: identifies the caller by the header `Authorization: <credential>`, with the scheme Bearer or
 * ApiKey or none.
 * @param address whose wrong credentials are counted together
 * @throws AppError UNAUTHORIZED, RATE_LIMIT_EXCEEDED or SERVICE_UNAVAILABLE
 */
export async function authenticate(
  credentials: CredentialChecker,
  authorization: string | undefined,
  address: string,
): Promise<CheckedCredential> {
  if (authorization === undefined) {
    throw new AppError('UNAUTHORIZED', { message: 'The header Authorization is missing' });
  }
  const credential = credentialOf(authorization);
  if (credential === undefined) {
    throw new AppError('UNAUTHORIZED', { message: MALFORMED });
  }
  return credentials.check(credential, address);
}

/** The credential without its scheme; undefined when there is none or it is no credential. */
function credentialOf(authorization: string): string | undefined {
  const credential = authorization.trim().replace(SCHEME, '');
  if (credential === '' || SCHEME.test(`${credential} `)) return undefined;
  const isMalformed = credential.length > MAX_CREDENTIAL_LENGTH || /\s/.test(credential);
  return isMalformed ? undefined : credential;
}

/**
 * How long a valid credential is cached. A revocation takes effect after this time at the latest.
 */
const TRUST_MS = 5_000;
/** How long a cached credential is accepted while accounts cannot be reached. */
const KEEP_WHILE_AWAY_MS = 10 * 60_000;
/** While accounts is unavailable, a known credential is checked again after this. */
const ASK_AGAIN_MS = 1_000;
/** How long a refusal is cached, so that a wrong key in a loop does not reach accounts. */
const REFUSAL_MS = 1_000;
/** Credentials remembered; a few hundred bytes each. */
const MAX_GOOD = 20_000;
const MAX_REFUSED = 10_000;
/** Asks accounts whose credential this is. @throws AppError UNAUTHORIZED or SERVICE_UNAVAILABLE */
type AskAccounts = (credential: string) => Promise<CredentialAnswer>;

export interface CheckedCredential extends CredentialAnswer {
  /** Identifies the API key for its rate limit; the same for all access tokens of the key. */
  rateKey: string;
}

interface GoodAnswer extends CheckedCredential {
  /** SHA-256 of the credential: identifies it without revealing it. */
  key: string;
  /** Time of the call: the answer does not include later revocations. */
  askedAt: number;
  askAgainAt: number;
}

interface Refusal {
  until: number;
  /** Id of its key, where accounts knows it. */
  keyId: string | undefined;
}

export interface CheckerOptions {
  ask: AskAccounts;
  limit: WrongCredentialLimit;
  /** Milliseconds of a clock that never goes back. */
  now: () => number;
}

/**
 * Identifies callers with few calls to accounts: parallel requests share one call, and answers are
 * cached.
 */
export class CredentialChecker {
  private readonly good = new LRUCache<string, GoodAnswer>({ max: MAX_GOOD });
  private readonly refused = new LRUCache<string, Refusal>({ max: MAX_REFUSED });
  private readonly running = new Map<string, Promise<CheckedCredential>>();
  private accountsIsAway = false;

  constructor(private readonly options: CheckerOptions) {}

  /**
   * @param address whose wrong credentials are counted together
   * @throws AppError UNAUTHORIZED, RATE_LIMIT_EXCEEDED after too many wrong ones, or
   *   SERVICE_UNAVAILABLE when accounts is unavailable and has not vouched for the credential lately
   */
  async check(credential: string, address: string): Promise<CheckedCredential> {
    const key = hash('sha256', credential, 'base64url');
    const now = this.options.now();

    const known = this.good.get(key);
    if (known !== undefined && now < known.askedAt + TRUST_MS) {
      countCredentialLookup('hit');
      return known;
    }
    const refusal = this.refused.get(key);
    if (refusal !== undefined && now < refusal.until) {
      countCredentialLookup('refused');
      throw new AppError('UNAUTHORIZED', { keyId: refusal.keyId });
    }
    if (known !== undefined && now < known.askedAt + KEEP_WHILE_AWAY_MS) {
      return this.checkKnown(known, credential);
    }
    return this.running.get(key) ?? this.checkUnknown(key, credential, address);
  }

  /** Checks a credential without a cached answer. It is counted as wrong until accounts accepts it. */
  private async checkUnknown(
    key: string,
    credential: string,
    address: string,
  ): Promise<CheckedCredential> {
    this.options.limit.enter(address);
    try {
      const checked = await this.ask(key, credential);
      this.options.limit.leave(address);
      return checked;
    } catch (error) {
      if (!isRefusal(error)) this.options.limit.leave(address);
      throw error;
    }
  }

  /** Checks a credential again that was accepted before: it stays valid unless accounts refuses it. */
  private async checkKnown(known: GoodAnswer, credential: string): Promise<CheckedCredential> {
    const now = this.options.now();
    if (this.accountsIsAway && now < known.askAgainAt) return this.useCached(known);
    const answer = this.ask(known.key, credential);

    if (this.accountsIsAway) {
      // accounts may hang, so the request does not wait for the answer.
      known.askAgainAt = now + ASK_AGAIN_MS;
      answer.catch(() => {});
      return this.useCached(known);
    }
    return answer.catch((error: unknown) => {
      if (isRefusal(error)) throw error;
      known.askAgainAt = this.options.now() + ASK_AGAIN_MS;
      return this.useCached(known);
    });
  }

  private useCached(known: GoodAnswer): CheckedCredential {
    countCredentialLookup('kept');
    return known;
  }

  private ask(key: string, credential: string): Promise<CheckedCredential> {
    const known = this.running.get(key);
    if (known !== undefined) return known;
    const call = this.askAndRemember(key, credential).finally(() => this.running.delete(key));
    this.running.set(key, call);
    return call;
  }

  private async askAndRemember(key: string, credential: string): Promise<CheckedCredential> {
    countCredentialLookup('miss');
    const askedAt = this.options.now();
    try {
      const answered = await this.options.ask(credential);
      this.accountsIsAway = false;
      const rateKey = keyIdOf(credential, answered.caller) ?? key;
      const answer = { ...answered, key, rateKey, askedAt, askAgainAt: askedAt };
      this.good.set(key, answer);
      return answer;
    } catch (error) {
      if (!isRefusal(error)) {
        this.accountsIsAway = true;
        // Any other answer of accounts is a fault of Fiado, not of the caller.
        throw new AppError('SERVICE_UNAVAILABLE', { cause: error });
      }
      this.accountsIsAway = false;
      this.good.delete(key);
      this.refused.set(key, { until: this.options.now() + REFUSAL_MS, keyId: error.keyId });
      throw error;
    }
  }
}

function isRefusal(error: unknown): error is AppError {
  return error instanceof AppError && error.code === 'UNAUTHORIZED';
}

/**
 * The API key of a credential; undefined when neither accounts nor the credential names one. An access token names its
 * key in its claims. They are read here without verification, because accounts has verified the signature of the
 * token.
 */
export function keyIdOf(credential: string, caller: Caller): string | undefined {
  return caller.keyId ?? keyIdInToken(credential);
}

function keyIdInToken(token: string): string | undefined {
  const claims = token.split('.')[1];
  if (claims === undefined) return undefined;
  try {
    const parsed: unknown = JSON.parse(Buffer.from(claims, 'base64url').toString());
    const { keyId } = Object(parsed) as { keyId?: unknown };
    return typeof keyId === 'string' ? keyId : undefined;
  } catch {
    // Not a token, but a key that contains dots.
    return undefined;
  }
}
