/** What a key of each kind may be allowed to do: the closed list. Services need no scope. */
export const SCOPES_OF_KIND = {
  wholesaler: [
    'accounts:write',
    'corner-stores:read',
    'transactions:read',
    'transactions:write',
    'payments:read',
    'webhooks:read',
    'webhooks:write',
  ],
  provider: ['deposits:write', 'webhooks:read', 'webhooks:write'],
  /** In rising order: an ops key has one scope, and with it those before it. */
  ops: ['viewer', 'operator', 'approver', 'admin'],
} as const;

export type KeyKind = keyof typeof SCOPES_OF_KIND;
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
