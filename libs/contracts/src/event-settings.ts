import { IsBoolean, IsIn, IsUUID } from 'class-validator';
import { EVENT_OWNER_KINDS, type EventOwnerKind } from './events';
import { defineCall } from './define-call';

export class EventSettings {
  /** wholesalerId or paymentProviderId. */
  @IsUUID()
  ownerId: string;

  @IsIn(EVENT_OWNER_KINDS)
  ownerKind: EventOwnerKind;

  @IsBoolean()
  enabled: boolean;
}

/** For every service that publishes events. */
export const eventSettingsCall = defineCall<EventSettings, Pick<EventSettings, 'enabled'>>(
  '/internal/event-settings',
  EventSettings,
);
