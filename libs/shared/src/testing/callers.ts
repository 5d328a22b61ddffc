import { randomUUID } from 'node:crypto';
import type { Caller } from '../chassis/internal-token';
import { SCOPES_OF_KIND } from '../contracts/scopes';

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

export function ops(): Caller {
  return { kind: 'ops', id: 'ops', name: 'ops', scopes: [] };
}

export function service(name: string): Caller {
  return { kind: 'service', id: name, name, scopes: [] };
}
