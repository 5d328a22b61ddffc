import { setTimeout as sleep } from 'node:timers/promises';
import { IsBoolean } from '@fiado/contracts/class-validator';
import { endpoint } from '@fiado/chassis/http/endpoint';
import * as t from '@fiado/chassis/openapi/json-schema';
import { About } from '@fiado/contracts/about';
import { AppError } from '@fiado/contracts/errors';
import { eventSettingsCall, type EventSettings } from '@fiado/contracts/events';
import type { Context } from '../context';
import { countEndpoints } from '../webhooks/endpoints.sql';
import {
  eventOwnerOf,
  lockOwner,
  storeWantsEvents,
  wantsEvents,
  type EventOwner,
} from './event-owners.sql';

/** Longest wait until all services know whom events are for. */
const DEADLINE_MS = 3_000;

class EventSettingsBody {
  @About('Whether events are recorded for this owner', true)
  @IsBoolean()
  enabled: boolean;
}

export const changeEventSettingsEndpoint = endpoint({
  id: 'changeEventSettings',
  as: 'events.changeSettings',
  tag: 'Events',
  route: 'PUT /v1/events/settings',
  scope: 'webhooks:write',
  names: {},
  summary: 'Switch events on or off',
  description:
    'For systems that list events and have no webhook endpoint; an endpoint switches them on too. ' +
    'Once it has answered, every later event is listed. What happened before is not. They cannot be ' +
    'switched off while there are webhook endpoints.',
  body: EventSettingsBody,
  bodyExample: { enabled: true },
  errors: ['WEBHOOK_ENDPOINTS_NEED_EVENTS'],
  answer: t.object('EventSettings', {
    enabled: t.field(t.flag, 'Whether events are recorded for this owner', true),
  }),
  input: ({ caller, body: { enabled } }) => ({ owner: eventOwnerOf(caller), enabled }),
  handle: async (context: Context, { owner, enabled }) => {
    await (enabled ? switchEventsOn(context, owner) : switchEventsOff(context, owner));
    return { enabled };
  },
  present: ({ enabled }) => ({ enabled }),
});

/**
 * @throws AppError WEBHOOK_ENDPOINTS_NEED_EVENTS for an owner with webhook endpoints, which would be
 *   silent without a reason that anybody sees
 */
async function switchEventsOff(
  context: Pick<Context, 'db' | 'senders'>,
  owner: EventOwner,
): Promise<void> {
  const { db } = context;
  await db.transaction(async (tx) => {
    await lockOwner(tx, owner);
    if ((await countEndpoints(tx, owner.id)) > 0) {
      throw new AppError('WEBHOOK_ENDPOINTS_NEED_EVENTS');
    }
    await storeWantsEvents(tx, owner, false);
  });
  await switchPublishers(context, owner, false);
  // They were switched on again meanwhile: the publishers may have been told in the other order.
  if (await wantsEvents(db, owner.id)) await switchPublishers(context, owner, true);
}

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
async function switchPublishers(
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
