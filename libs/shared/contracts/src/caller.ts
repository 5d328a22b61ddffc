/** Name of the header with the token of a caller; the gateway drops it from whatever comes from outside. */
export const INTERNAL_TOKEN_HEADER = 'x-fiado-caller';
/**
 * Name of the header of a 503 for an invalid token: nothing was done, so another instance may get the request. The
 * gateway drops it from what goes outside.
 */
export const TOKEN_REFUSED_HEADER = 'x-fiado-token-refused';

/**
 * `callback` is a third party that posts to us; its own signature authenticates it. `anonymous` is a
 * person of the lender's staff who is about to sign in.
 */
export type CallerKind = 'wholesaler' | 'provider' | 'ops' | 'service' | 'callback' | 'anonymous';

/** The caller of a request, as the gateway states it, or a service that calls in its own name. */
export interface Caller {
  kind: CallerKind;
  /**
   * wholesalerId, paymentProviderId, the ops key's id, the staff id, or the name of the process or
   * third party, or `anonymous`.
   */
  id: string;
  name: string;
  /** The scopes of the credential, for routes that ask for one. */
  scopes: Scope[];
  /** The API key itself that was called with; absent for an access token and for a service. */
  keyId?: string;
  /** Time zone of a provider's times without a zone. */
  timeZone?: string;
  /** Set if the provider has signed the request. */
  hasSigned?: true;
  /**
   * Only of a signed-in person; absent for every key. `authTime` is the ISO time of the last strong
   * sign-in: with a passkey, or at the identity provider.
   */
  staff?: { authTime: string };
}

/** The scopes that a key of each kind may have: the closed list. Services need no scope. */
export const SCOPES_OF_KIND = {
  wholesaler: [
    'accounts:write',
    'corner-stores:read',
    'transactions:read',
    'transactions:write',
    'payments:read',
    'statements:read',
    'webhooks:read',
    'webhooks:write',
  ],
  provider: ['deposits:write', 'webhooks:read', 'webhooks:write'],
  /** In rising order: an ops key has one scope, and with it those before it. */
  ops: ['viewer', 'operator', 'approver', 'admin'],
} as const;

type KeyKind = keyof typeof SCOPES_OF_KIND;

export const KEY_KINDS = Object.keys(SCOPES_OF_KIND) as KeyKind[];

/** A permission of a key. `write` covers what creates or changes, `read` what only looks. */
export type Scope = (typeof SCOPES_OF_KIND)[KeyKind][number];

/** The kinds of keys that can have a scope. */
export function kindsWithScope(scope: Scope): KeyKind[] {
  return KEY_KINDS.filter((kind) => SCOPES_OF_KIND[kind].some((one) => one === scope));
}

/** The scope of an ops key. */
export type OpsScope = (typeof SCOPES_OF_KIND)['ops'][number];

/** A scope of ops and those that it includes. */
export function includedOpsScopes(scope: OpsScope): OpsScope[] {
  return SCOPES_OF_KIND.ops.slice(0, SCOPES_OF_KIND.ops.indexOf(scope) + 1);
}
