import type { Envelope } from '@fiado/contracts/define';
import {
  eventIdOf,
  type EventOwnerKind,
  eventSettingsCall,
  type EventType,
} from '@fiado/contracts/events';
import {
  announceEvent,
  type AnnounceEvent,
  MAX_EVENT_LENGTH,
} from '@fiado/contracts/jobs/announce-event';
import { stringifyJson } from '@fiado/contracts/json-text';
import type { Database } from '../db/database';
import { query } from '../db/query';
import { internalEndpoint } from '../http/endpoint';

/** An event as a trigger wrote it to the outbox: `announce_event` of db/triggers.ts. */
interface WrittenEvent {
  ownerKind: EventOwnerKind;
  ownerId: string;
  type: EventType;
  /** The argument of the presenter of the event, with times as ISO texts. */
  resource: never;
}

/** A resource as it comes out of JSON: its times are texts. */
export type Written<Resource> = {
  [Name in keyof Resource]: Date extends Resource[Name]
    ? Exclude<Resource[Name], Date> | string
    : Resource[Name];
};

/**
 * The object of an event as its GET shows it, made from the resource that its trigger wrote.
 * @param occurredAt for what depends on the time
 */
type PresentEvent = (resource: never, occurredAt: Date) => object;

/** For each type of event that a service publishes. */
export type EventPresenters = Partial<Record<EventType, PresentEvent>>;

/** Fields that are dropped, in this order, while the event is longer than MAX_EVENT_LENGTH. */
const LARGE_FIELDS = ['metadata', 'products'];

/**
 * An envelope as it is added to its queue. An envelope of `announce-event` gets the body of its event here,
 * after the commit, so that an order does not wait for it. The body shows the resource as it was in the
 * commit. The same row always has the same body, and the notifier keeps the first.
 */
export function withEventBody(presenters: EventPresenters, envelope: Envelope): Envelope {
  if (envelope.type !== announceEvent.type) return envelope;
  const { ownerKind, ownerId, type, resource } = envelope.data as WrittenEvent;
  const present = presenters[type];
  if (present === undefined) throw new Error(`No presenter for events of type ${type}`);
  const { id, aggregateId, aggregateVersion: version } = envelope;
  const occurredAt = new Date(envelope.occurredAt);
  const data = announcementOf({
    id,
    owner: { kind: ownerKind, id: ownerId },
    type,
    subject: { id: aggregateId, version },
    occurredAt,
    data: { ...present(resource, occurredAt), version },
  });
  return { ...envelope, data };
}

/** An event that has no body yet. */
export interface EventDraft {
  /** Also of the job. */
  id: string;
  owner: { kind: EventOwnerKind; id: string };
  type: EventType;
  /** The subject of the event; the version rises with each event of the subject. */
  subject: { id: string; version: number };
  occurredAt: Date;
  /** The object as its GET shows it, with `version`; it may hold JsonText. */
  data: object;
}

/** The data of the job that announces an event. */
export function announcementOf(draft: EventDraft): AnnounceEvent {
  const { id, owner, type, subject, occurredAt, data } = draft;
  const event = { id: eventIdOf(id), type, timestamp: occurredAt.toISOString() };
  return {
    ownerKind: owner.kind,
    ownerId: owner.id,
    type,
    subjectId: subject.id,
    subjectVersion: subject.version,
    body: eventBodyOf(event, { ...data }),
  };
}

/** The body of the event's webhooks, as it is stored, signed and sent. */
function eventBodyOf(event: object, data: Record<string, unknown>): string {
  for (const field of LARGE_FIELDS) {
    const body = stringifyJson({ ...event, data });
    if (Buffer.byteLength(body) <= MAX_EVENT_LENGTH) return body;
    delete data[field];
  }
  return stringifyJson({ ...event, data });
}

/**
 * The notifier calls it on every service that publishes events. Once it has answered, no event of
 * the owner is lost: each statement that writes an event reads the table in its own snapshot.
 */
export const changeEventSettingsEndpoint = internalEndpoint({
  call: eventSettingsCall,
  allow: ['service:notifier'],
  handle: async ({ db }: { db: Database }, settings) => {
    const { ownerId, ownerKind, enabled } = settings;
    if (enabled) {
      await query(
        db,
        `INSERT INTO event_owners (owner_id, owner_kind) VALUES ($1, $2) ON CONFLICT DO NOTHING`,
        [ownerId, ownerKind],
      );
    } else {
      await query(db, 'DELETE FROM event_owners WHERE owner_id = $1', [ownerId]);
    }
    return { enabled };
  },
});
