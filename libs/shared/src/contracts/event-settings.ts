import { IsBoolean, IsIn, IsUUID } from 'class-validator';
import { EVENT_OWNER_KINDS, type EventOwnerKind } from './events';

/** The notifier to a service that publishes events: whether an owner wants them. */
export class EventSettings {
  /** wholesalerId or paymentProviderId. */
  @IsUUID()
  ownerId: string;

  @IsIn(EVENT_OWNER_KINDS)
  ownerKind: EventOwnerKind;

  @IsBoolean()
  enabled: boolean;
}
