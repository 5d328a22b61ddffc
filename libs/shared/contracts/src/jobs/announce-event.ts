import { IsIn, IsUUID } from '@fiado/contracts/class-validator';
import { IsText, IsCount } from '../decorators';
import { defineJob } from '../define';
import { EVENT_OWNER_KINDS, EVENT_TYPES, type EventOwnerKind, type EventType } from '../events';

/** Longest body of an event, in characters. */
export const MAX_EVENT_LENGTH = 20_000;

/**
 * An event for one owner. The id of the job, which is the id of its outbox row, is the UUID of the
 * event: `body.id` is `evt_` and that UUID. `announcementOf` of chassis/outbox makes its data.
 */
export class AnnounceEvent {
  @IsIn(EVENT_OWNER_KINDS)
  ownerKind: EventOwnerKind;

  /** wholesalerId or paymentProviderId. */
  @IsUUID()
  ownerId: string;

  @IsIn(EVENT_TYPES)
  type: EventType;

  /** The object that it is about: endpoints with `ordered` get the events of a subject in order. */
  @IsUUID()
  subjectId: string;

  /** Rises with each event of the subject, and decides their order. */
  @IsCount()
  subjectVersion: number;

  /** The JSON text of a FiadoEvent: exactly these bytes are signed and sent. */
  @IsText(MAX_EVENT_LENGTH)
  body: string;
}

/** To the notifier: something happened that this owner wants to be told of. */
export const announceEvent = defineJob({
  type: 'announce-event',
  producers: ['accounts', 'transactions', 'payments', 'notifier'],
  queues: ['notifier'],
  Data: AnnounceEvent,
});
