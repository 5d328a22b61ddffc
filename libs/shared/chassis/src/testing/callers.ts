import { randomUUID } from 'node:crypto';
import {
  type Caller,
  includedOpsScopes,
  type OpsScope,
  SCOPES_OF_KIND,
} from '@fiado/contracts/caller';
import type { ProcessName } from '@fiado/contracts/process-names';

export function wholesaler(id: string = randomUUID(), name = 'Abarrotes del Norte'): Caller {
  return { kind: 'wholesaler', id, name, scopes: [...SCOPES_OF_KIND.wholesaler] };
}

export function provider(name: string, id: string = randomUUID(), timeZone?: string): Caller {
  return {
    kind: 'provider',
    id,
    name,
    scopes: [...SCOPES_OF_KIND.provider],
    ...(timeZone === undefined ? {} : { timeZone }),
  };
}

/** Who calls with OPS_API_KEY, or with a key of that scope. */
export function ops(scope: OpsScope = 'admin', id = 'ops'): Caller {
  return { kind: 'ops', id, name: id, scopes: includedOpsScopes(scope) };
}

/** A signed-in person with that role. @param authTime of the last strong sign-in */
export function staffMember(role: OpsScope, authTime: Date, id: string = randomUUID()): Caller {
  return { ...ops(role, id), name: 'Ana Torres', staff: { authTime: authTime.toISOString() } };
}

export function service(name: ProcessName): Caller {
  return { kind: 'service', id: name, name, scopes: [] };
}

/** Who posts a callback, as the gateway vouches for it. */
export function callback(name: string): Caller {
  return { kind: 'callback', id: name, name, scopes: [] };
}
