import { ValidationError } from '@fiado/contracts/errors';
import { eventIdOf, type FiadoEvent } from '@fiado/contracts/events';
import type { AnnounceEvent } from '@fiado/contracts/jobs/announce-event';
import type { Context } from '../context';

/**
 * Stores an event that another service announces, once.
 * @param id of the job, the same however often it is delivered; the event has the same
 * @throws ValidationError when the body is not the event that the job names: receivers would drop it
 */
export async function takeEvent(
  { newEvents, webhookSender }: Pick<Context, 'newEvents' | 'webhookSender'>,
  id: string,
  event: AnnounceEvent,
): Promise<void> {
  const occurredAt = new Date(checkedBody(id, event).timestamp);
  if (await newEvents.add(Object.assign({}, event, { id, occurredAt }))) webhookSender.wake();
}

function checkedBody(id: string, { type, body }: AnnounceEvent): FiadoEvent {
  const event = parsed(body) as Partial<FiadoEvent> | undefined;
  if (event?.id !== eventIdOf(id) || event.type !== type) {
    throw new ValidationError(['body must be the JSON of the event with the id of the job']);
  }
  if (Number.isNaN(Date.parse(event.timestamp ?? ''))) {
    throw new ValidationError(['body.timestamp must be an ISO 8601 timestamp']);
  }
  return event as FiadoEvent;
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
