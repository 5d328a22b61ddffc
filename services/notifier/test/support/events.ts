import { randomUUID } from 'node:crypto';
import { announcementOf, type EventDraft } from '@fiado/chassis/outbox/events';
import type { Caller } from '@fiado/contracts/caller';
import type { FiadoEvent } from '@fiado/contracts/events';
import { announceEvent } from '@fiado/contracts/jobs/announce-event';
import { newId } from '@fiado/contracts/new-id';
import type { Notifier } from './notifier';

/**
 * Announces an event to a wholesaler or payment provider, as another service would.
 * @returns it as it is listed and sent
 */
export async function announce(
  notifier: Notifier,
  { id: ownerId, kind }: Caller,
  draft: Partial<EventDraft> = {},
): Promise<FiadoEvent> {
  const id = newId();
  const data = announcementOf({
    id,
    owner: { kind: kind === 'provider' ? 'payment-provider' : 'wholesaler', id: ownerId },
    type: kind === 'provider' ? 'deposit.applied' : 'transaction.created',
    subject: { id: randomUUID(), version: 1 },
    occurredAt: new Date(),
    data: { transactionId: randomUUID(), version: 1 },
    ...draft,
  });
  await notifier.handle(announceEvent, { id: data.subjectId, version: 1 }, data, id);
  return JSON.parse(data.body) as FiadoEvent;
}
