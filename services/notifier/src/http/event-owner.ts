import type { Caller } from '@fiado/contracts/caller';
import type { EventOwner } from '../db/event-owners.repository';

/** The caller as the owner of events and endpoints. */
export function eventOwnerOf({ kind, id }: Caller): EventOwner {
  return { kind: kind === 'provider' ? 'payment-provider' : 'wholesaler', id };
}
