import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '@fiado/contracts/errors';
import { eventSettingsCall, type EventSettings } from '@fiado/contracts/event-settings';
import type { Context } from '../context';
import { storeWantsEvents, type EventOwner } from '../db/event-owners.repository';

/** Longest wait until all services know whom events are for. */
const DEADLINE_MS = 3_000;

/**
 * Switches the events of an owner on, in the notifier and then in each service that publishes some.
 * Once it returns, no later event is lost: an order that begins now is published.
 * @throws AppError SERVICE_UNAVAILABLE when one of them has not answered within 3 s; some may have
 *   switched by then, and a repetition completes it
 */
export async function switchEventsOn(
  { db, senders }: Pick<Context, 'db' | 'senders'>,
  owner: EventOwner,
): Promise<void> {
  await storeWantsEvents(db, owner, true);
  await switchPublishers({ senders }, owner, true);
}

/**
 * Switches the events of an owner on or off in each service that publishes some.
 * @throws AppError SERVICE_UNAVAILABLE
 */
export async function switchPublishers(
  { senders }: Pick<Context, 'senders'>,
  { kind, id }: EventOwner,
  enabled: boolean,
): Promise<void> {
  const settings: EventSettings = { ownerId: id, ownerKind: kind, enabled };
  const deadline = new AbortController();
  const tooLate = sleep(DEADLINE_MS, undefined, { signal: deadline.signal }).then(() => {
    throw new AppError('SERVICE_UNAVAILABLE');
  });
  try {
    const told = senders.map((sender) => sender.ask(eventSettingsCall, settings));
    await Promise.race([Promise.all(told), tooLate]);
  } finally {
    tooLate.catch(() => {});
    deadline.abort();
  }
}
