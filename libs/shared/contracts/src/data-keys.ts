import { IsBoolean, IsIn, IsOptional, IsString } from './class-validator';
import { IsCount, IsArrayOf } from './decorators';
import { defineCall } from './define';

/** Keys that are not retired, at most: retired ones stay as numbers. */
export const MAX_DATA_KEYS = 100;
/** Rows of one message: with the retired ones, years of rotations. */
const MAX_SENT_KEYS = 1_000;

/** A data key as accounts sends it: wrapped by ENCRYPTION_KEY. */
class SentDataKey {
  @IsIn(['seal', 'index'])
  kind: 'seal' | 'index';

  @IsCount()
  number: number;

  /** Base64; absent when it is retired. */
  @IsOptional()
  @IsString()
  wrapped?: string;

  @IsBoolean()
  isSealing: boolean;
}

export class TakeDataKeys {
  @IsArrayOf(() => SentDataKey, { min: 1, max: MAX_SENT_KEYS })
  keys: SentDataKey[];
}

/** How far a service is with the keys. */
export interface SealingStatus {
  /** The newest key that all its running processes open; -1 without any. */
  held: number;
  /** The key that it seals with. */
  sealing: number;
  /** Since when. */
  sealingSince: string;
  /** Rows that may hold values of an older key; of each table at most 100,000. */
  oldRows: number;
}

/** For transactions and the notifier: all keys that accounts has. */
export const takeDataKeysCall = defineCall<SealingStatus>()('/internal/data-keys', TakeDataKeys);
