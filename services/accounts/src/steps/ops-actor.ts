import type { Caller } from '@fiado/contracts/caller';

/** Somebody of ops who asked for something earlier, for the audit log. */
export function opsActor(id: string): Pick<Caller, 'kind' | 'id'> {
  return { kind: 'ops', id };
}
