import type { Caller } from '@fiado/contracts/caller';

/** In whose name a person acts who is just signing in or out, for the audit log. */
export function staffActor(staffId: string): Caller {
  return { kind: 'ops', id: staffId, name: 'staff', scopes: [] };
}
