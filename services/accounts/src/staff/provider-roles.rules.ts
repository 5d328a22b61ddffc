import { type OpsScope, SCOPES_OF_KIND } from '@fiado/contracts/caller';

/** Roles by the values of a claim of the identity provider. */
export type ProviderRoles = ReadonlyMap<string, OpsScope>;

/**
 * Reads a text such as `fiado-admins=admin,fiado-support=operator`.
 * @returns undefined for any other text, and for one that names a value twice
 */
export function parseProviderRoles(text: string): ProviderRoles | undefined {
  const roles = new Map<string, OpsScope>();
  for (const pair of text.split(',')) {
    const end = pair.lastIndexOf('=');
    const value = pair.slice(0, Math.max(end, 0)).trim();
    const role = SCOPES_OF_KIND.ops.find((one) => one === pair.slice(end + 1).trim());
    if (value === '' || role === undefined || roles.has(value)) return undefined;
    roles.set(value, role);
  }
  return roles;
}

/**
 * The highest role that the values of a claim stand for.
 * @param claim a text or a list of texts; anything else stands for no role
 */
export function roleOfClaim(roles: ProviderRoles, claim: unknown): OpsScope | undefined {
  const values: unknown[] = Array.isArray(claim) ? claim : [claim];
  const found = values.map((value) => (typeof value === 'string' ? roles.get(value) : undefined));
  return SCOPES_OF_KIND.ops.findLast((role) => found.includes(role));
}
