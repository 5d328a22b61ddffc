import type { Caller } from '@fiado/shared/contracts/caller';
import type { EventOwnerKind } from '@fiado/shared/contracts/events';

/** The caller as the owner of events and endpoints. */
export function eventOwnerOf({ kind, id }: Caller): { kind: EventOwnerKind; id: string } {
  return { kind: kind === 'provider' ? 'payment-provider' : 'wholesaler', id };
}
