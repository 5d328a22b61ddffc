import { IsBase64, IsBoolean, IsUUID } from 'class-validator';
import { defineJob } from '../define';

class OppositionAsked {
  /** Blind index of the phone that sent the word (base64). */
  @IsBase64()
  phoneIndex: string;

  /** true: no reminders any more; false: reminders again. */
  @IsBoolean()
  opposes: boolean;
}

/** notifier: a phone sent a word about the reminders of its store. */
export const oppositionAsked = defineJob({
  type: 'opposition.asked',
  version: 1,
  producers: ['notifier'],
  queues: ['accounts'],
  Data: OppositionAsked,
});

class OppositionChanged {
  @IsUUID()
  cornerStoreId: string;

  @IsBoolean()
  opposes: boolean;
}

/** accounts: whether a corner store wants no reminders. Its version is the milliseconds of the change. */
export const oppositionChanged = defineJob({
  type: 'opposition.changed',
  version: 1,
  producers: ['accounts'],
  queues: ['payments'],
  Data: OppositionChanged,
});
