import { IsTimeZone, IsUUID } from '@fiado/contracts/class-validator';
import { CornerStoreSnapshot, WholesalerSnapshot } from '../corner-store';
import { defineJob } from '../define';

/** accounts: a corner store, its customers' links or its phone changed. */
export const cornerStoreChanged = defineJob({
  type: 'corner-store.changed',
  producers: ['accounts'],
  queues: ['transactions'],
  Data: CornerStoreSnapshot,
});

/** accounts: a wholesaler was created or its settings changed. */
export const wholesalerChanged = defineJob({
  type: 'wholesaler.changed',
  producers: ['accounts'],
  queues: ['transactions'],
  Data: WholesalerSnapshot,
});

class TimeZoneChanged {
  @IsUUID()
  cornerStoreId: string;

  @IsTimeZone()
  timeZone: string;
}

/** accounts: a corner store has a time zone of its own. Its version is the corner store's. */
export const timeZoneChanged = defineJob({
  type: 'time-zone.changed',
  producers: ['accounts'],
  queues: ['payments'],
  Data: TimeZoneChanged,
});
