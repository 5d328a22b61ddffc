import { errors, jwtVerify, SignJWT } from 'jose';
import type { Caller } from '@fiado/contracts/caller';
import type { ProcessName } from '@fiado/contracts/process-names';
import type { ProcessKeys } from './process-keys';

const ALGORITHM = 'EdDSA';
/** The only process that may vouch for callers from outside. */
const VOUCHER: ProcessName = 'gateway';
/** Life of a token: several times the longest request. */
const TOKEN_LIFE_MS = 60_000;
/** A token is replaced when less than this remains, so that none expires in transit. */
const RENEW_BEFORE_MS = 20_000;
/** Tokens remembered on either side; beyond it the oldest is forgotten. */
const MAX_REMEMBERED = 10_000;

/**
 * Signs and checks the tokens with which processes call each other: JWTs of Ed25519, each for one
 * receiver. A token is signed once for a caller and checked once, and remembered for its life, so
 * that a hot caller costs a look-up.
 */
export class InternalTokens {
  private readonly signed = new Map<string, { token: Promise<string>; expiresAt: number }>();
  private readonly verified = new Map<string, { caller: Caller; expiresAt: number }>();

  constructor(
    private readonly keys: ProcessKeys,
    private readonly now: () => number = Date.now,
  ) {}

  /**
   * A token for one receiver, renewed in time.
   * @param caller the caller that the gateway vouches for; without it, the process itself
   */
  sign(receiver: ProcessName, caller?: Caller): Promise<string> {
    // All of the caller: two keys of one wholesaler may differ in their scopes.
    const key = receiver + (caller === undefined ? '' : JSON.stringify(caller));
    const known = this.signed.get(key);
    if (known !== undefined && known.expiresAt - this.now() > RENEW_BEFORE_MS) return known.token;

    const expiresAt = this.now() + TOKEN_LIFE_MS;
    const token = new SignJWT(caller === undefined ? {} : { caller })
      .setProtectedHeader({ alg: ALGORITHM, kid: this.keys.keyId })
      .setIssuer(this.keys.process)
      .setAudience(receiver)
      .setExpirationTime(Math.floor(expiresAt / 1000))
      .sign(this.keys.privateKey);
    remember(this.signed, key, { token, expiresAt });
    return token;
  }

  /**
   * @returns undefined when the token is forged, for another receiver, expired or claims too
   * much
   */
  async verify(token: string): Promise<Caller | undefined> {
    const known = this.verified.get(token) ?? (await this.check(token));
    if (known === undefined || known.expiresAt <= this.now()) return undefined;
    return known.caller;
  }

  private async check(token: string): Promise<{ caller: Caller; expiresAt: number } | undefined> {
    try {
      let issuer: ProcessName | undefined;
      const { payload } = await jwtVerify<{ caller?: Caller }>(
        token,
        ({ kid = '' }) => {
          const known = this.keys.publicKeys.get(kid);
          if (known === undefined) throw new errors.JWKSNoMatchingKey();
          issuer = known.process;
          return known.key;
        },
        {
          // Pinned, so that the header of the token cannot choose the algorithm.
          algorithms: [ALGORITHM],
          audience: this.keys.process,
          requiredClaims: ['exp'],
          currentDate: new Date(this.now()),
        },
      );
      if (issuer === undefined || payload.iss !== issuer) return undefined;
      const caller = payload.caller ?? serviceCaller(issuer);
      // A service's key can only vouch for that service. If stolen, it gives no access as a
      // wholesaler or ops.
      const vouches = issuer === VOUCHER && caller.kind !== 'service';
      if (payload.caller !== undefined && !vouches) return undefined;
      const checked = { caller, expiresAt: Number(payload.exp) * 1000 };
      remember(this.verified, token, checked);
      return checked;
    } catch (error) {
      if (error instanceof errors.JOSEError) return undefined;
      throw error;
    }
  }
}

/** A process that calls in its own name. */
function serviceCaller(process: ProcessName): Caller {
  return { kind: 'service', id: process, name: process, scopes: [] };
}

function remember<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.delete(key);
  map.set(key, value);
  if (map.size > MAX_REMEMBERED) map.delete(map.keys().next().value as string);
}
