import { eventIdOf, type EventOwnerKind, type EventType } from '../../contracts/events';
import { announceEvent, type AnnounceEvent } from '../../contracts/jobs/announce-event';
import { stringifyJson } from '../../json-text';
import { newId } from '../../new-id';
import { currentRequestId } from '../request-context';
import type { OutboxRow } from './append';

/** What happened, and who is told. */
export interface Happening {
  owner: { kind: EventOwnerKind; id: string };
  type: EventType;
  /** What it is about; the version rises with each event of the subject. */
  subject: { id: string; version: number };
  occurredAt: Date;
  /** The object as its GET shows it, with `version`; it may hold JsonText. */
  data: object;
}

/** The outbox row of one event. The row's id is the UUID of the event, so it is stored once. */
export function eventRow({ owner, type, subject, occurredAt, data }: Happening): OutboxRow {
  const id = newId();
  const event: AnnounceEvent = {
    ownerKind: owner.kind,
    ownerId: owner.id,
    type,
    subjectId: subject.id,
    subjectVersion: subject.version,
    body: stringifyJson({ id: eventIdOf(id), type, timestamp: occurredAt.toISOString(), data }),
  };
  return {
    id,
    queue: 'notifier',
    type: announceEvent.type,
    version: announceEvent.version,
    aggregate_id: subject.id,
    aggregate_version: subject.version,
    data: event,
    request_id: currentRequestId() ?? null,
  };
}
