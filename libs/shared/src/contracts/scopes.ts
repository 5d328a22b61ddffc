/** What a key of each kind may be allowed to do: the closed list. Ops and services need no scope. */
export const SCOPES_OF_KIND = {
  wholesaler: [
    'accounts:write',
    'corner-stores:read',
    'transactions:read',
    'transactions:write',
    'payments:read',
  ],
  provider: ['deposits:write'],
} as const;

/** A permission of a key. `write` covers what creates or changes, `read` what only looks. */
export type Scope = (typeof SCOPES_OF_KIND)[keyof typeof SCOPES_OF_KIND][number];
