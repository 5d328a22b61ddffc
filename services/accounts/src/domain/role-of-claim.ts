import { SCOPES_OF_KIND, type OpsScope } from '@fiado/contracts/scopes';
import type { ProviderRoles } from './parse-provider-roles';

/**
 * The highest role that the values of a claim stand for.
 * @param claim a text or a list of texts; anything else stands for no role
 */
export function roleOfClaim(roles: ProviderRoles, claim: unknown): OpsScope | undefined {
  const values: unknown[] = Array.isArray(claim) ? claim : [claim];
  const found = values.map((value) => (typeof value === 'string' ? roles.get(value) : undefined));
  return SCOPES_OF_KIND.ops.findLast((role) => found.includes(role));
}
