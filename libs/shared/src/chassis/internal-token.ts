import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Scope } from '../contracts/scopes';

export type CallerKind = 'wholesaler' | 'provider' | 'ops' | 'service';

/** Who calls, as the gateway (or a neighbour) vouches for it; services trust nothing else. */
export interface Caller {
  kind: CallerKind;
  /** wholesalerId, paymentProviderId, the ops key's id, or the calling service's name. */
  id: string;
  name: string;
  /** What the credential allows, where a route asks for a scope. */
  scopes: Scope[];
  /** The API key itself that was called with; absent for an access token and for a service. */
  keyId?: string;
  /** Where a provider's times without a zone belong. */
  timeZone?: string;
}

/** Name of the header; the gateway drops it from whatever comes from outside. */
export const INTERNAL_TOKEN_HEADER = 'x-fiado-caller';

/** Life of a token: as long as a request may take, several times over. */
const TOKEN_LIFE_MS = 60_000;
/** A token is replaced when less than this remains, so that none expires on its way. */
const RENEW_BEFORE_MS = 20_000;
/** Callers remembered on either side; beyond it the oldest is forgotten. */
const MAX_REMEMBERED = 10_000;

interface Payload {
  caller: Caller;
  expiresAt: number;
}

/** Signs and checks the token `payload.hmac`, remembering both so that a hot caller costs a look-up. */
export class InternalTokens {
  private readonly signed = new Map<string, { token: string; expiresAt: number }>();
  private readonly verified = new Map<string, Payload>();

  constructor(
    private readonly secret: string,
    private readonly now: () => number = Date.now,
  ) {}

  /** A token for a caller, renewed in time. */
  sign(caller: Caller): string {
    // All of it: two keys of one wholesaler may differ in their scopes.
    const key = JSON.stringify(caller);
    const known = this.signed.get(key);
    if (known !== undefined && known.expiresAt - this.now() > RENEW_BEFORE_MS) return known.token;

    const expiresAt = this.now() + TOKEN_LIFE_MS;
    const payload = Buffer.from(JSON.stringify({ caller, expiresAt })).toString('base64url');
    const token = `${payload}.${this.signature(payload).toString('base64url')}`;
    remember(this.signed, key, { token, expiresAt });
    return token;
  }

  /** @returns undefined when the token is forged, malformed or past its life */
  verify(token: string): Caller | undefined {
    const known = this.verified.get(token) ?? this.check(token);
    if (known === undefined || known.expiresAt < this.now()) return undefined;
    return known.caller;
  }

  private check(token: string): Payload | undefined {
    const [payload = '', signature = ''] = token.split('.');
    const given = Buffer.from(signature, 'base64url');
    const expected = this.signature(payload);
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
    const parsed = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Payload;
    remember(this.verified, token, parsed);
    return parsed;
  }

  private signature(payload: string): Buffer {
    return createHmac('sha256', this.secret).update(payload).digest();
  }
}

function remember<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.delete(key);
  map.set(key, value);
  if (map.size > MAX_REMEMBERED) map.delete(map.keys().next().value as string);
}
