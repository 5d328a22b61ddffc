import { IsTimeZone, IsUUID } from 'class-validator';
import { defineJob } from '../define-job';

export class TimeZoneChanged {
  @IsUUID()
  cornerStoreId: string;

  @IsTimeZone()
  timeZone: string;
}

/** accounts: a corner store has a time zone of its own. Its version is the corner store's. */
export const timeZoneChanged = defineJob({
  type: 'time-zone.changed',
  version: 1,
  producers: ['accounts'],
  queues: ['payments'],
  Data: TimeZoneChanged,
});
