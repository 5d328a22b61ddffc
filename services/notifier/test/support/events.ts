import { randomUUID } from 'node:crypto';
import { eventRow, type Happening } from '@fiado/shared/chassis/outbox/event-row';
import type { Caller } from '@fiado/shared/contracts/caller';
import type { FiadoEvent } from '@fiado/shared/contracts/events';
import { announceEvent, type AnnounceEvent } from '@fiado/shared/contracts/jobs/announce-event';
import type { Notifier } from './notifier';

/**
 * Announces an event to a wholesaler or payment provider, as another service would.
 * @returns it as it is listed and sent
 */
export async function announce(
  notifier: Notifier,
  { id, kind }: Caller,
  happening: Partial<Happening> = {},
): Promise<FiadoEvent> {
  const row = eventRow({
    owner: { kind: kind === 'provider' ? 'payment-provider' : 'wholesaler', id },
    type: kind === 'provider' ? 'deposit.applied' : 'transaction.created',
    subject: { id: randomUUID(), version: 1 },
    occurredAt: new Date(),
    data: { transactionId: randomUUID(), version: 1 },
    ...happening,
  });
  const data = row.data as AnnounceEvent;
  await notifier.deliver(announceEvent, { id: row.aggregate_id, version: 1 }, data, row.id);
  return JSON.parse(data.body) as FiadoEvent;
}
