import type { Scope } from './scopes';

/**
 * `callback` is a third party that posts to us; its own signature authenticates it. `anonymous` is a
 * person of the lender's staff who is about to sign in.
 */
export type CallerKind = 'wholesaler' | 'provider' | 'ops' | 'service' | 'callback' | 'anonymous';

/** Who calls, as the gateway vouches for it, or a service that calls in its own name. */
export interface Caller {
  kind: CallerKind;
  /**
   * wholesalerId, paymentProviderId, the ops key's id, the staff id, or the name of the process or
   * third party, or `anonymous`.
   */
  id: string;
  name: string;
  /** What the credential allows, where a route asks for a scope. */
  scopes: Scope[];
  /** The API key itself that was called with; absent for an access token and for a service. */
  keyId?: string;
  /** Time zone of a provider's times without a zone. */
  timeZone?: string;
  /**
   * Only of a signed-in person; absent for every key. `authTime` is the ISO time of the last strong
   * sign-in: with a passkey, or at the identity provider.
   */
  staff?: { authTime: string };
}
