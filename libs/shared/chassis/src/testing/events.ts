import { withEventBody, type EventPresenters } from '../outbox/events';
import type { EventOwnerKind } from '@fiado/contracts/events';
import { announceEvent, type AnnounceEvent } from '@fiado/contracts/jobs/announce-event';
import { service } from './callers';
import type { TestService } from './service';

/** An event as its owner gets it, without its id and its time. */
export interface PublishedEvent {
  type: string;
  data: Record<string, unknown>;
}

/** Switches an owner's events on or off, as the notifier does. */
export async function switchEvents(
  running: TestService<unknown>,
  ownerId: string,
  { enabled = true, kind = 'wholesaler' }: { enabled?: boolean; kind?: EventOwnerKind } = {},
): Promise<void> {
  const body = { ownerId, ownerKind: kind, enabled };
  const path = '/internal/event-settings';
  const { status } = await running.call(service('notifier'), 'POST', path, { body });
  if (status !== 200) throw new Error(`The service answered ${status}`);
}

/** The events of an owner that are in the service's outbox, oldest first, as the relay sends them. */
export async function eventsOf(
  running: TestService<unknown>,
  presenters: EventPresenters | undefined,
  ownerId: string,
): Promise<PublishedEvent[]> {
  const rows = await running.rows<{
    id: string;
    at: Date;
    subject: string;
    version: number;
    data: object;
  }>(
    `SELECT id, created_at AS at, aggregate_id AS subject, aggregate_version AS version, data
       FROM outbox WHERE type = $1 AND data ->> 'ownerId' = $2 ORDER BY created_at, id`,
    [announceEvent.type, ownerId],
  );
  return rows.map(({ id, at, subject, version, data }) => {
    const { body } = withEventBody(presenters ?? {}, {
      id,
      type: announceEvent.type,
      version: announceEvent.version,
      occurredAt: at.toISOString(),
      aggregateId: subject,
      aggregateVersion: version,
      data,
    }).data as AnnounceEvent;
    const { type, data: shown } = JSON.parse(body) as PublishedEvent;
    return { type, data: shown };
  });
}
