import {
  IsBase64,
  IsDateString,
  IsOptional,
  IsString,
  IsUUID,
  ValidateIf,
} from '@fiado/contracts/class-validator';
import { AreIds, IsCountFromOne } from '../decorators';
import { defineJob } from '../define';

/** Orders among which a store chooses by SMS, at most: as many as one SMS names. */
export const MAX_CHOICES = 3;

class Denial {
  /** Twilio's id of the SMS: the same one may come twice. */
  @IsString()
  smsId: string;

  /** The number of an order that the store was asked about; absent without one. */
  @IsOptional()
  @IsCountFromOne(9)
  choice?: number;
}

class OrderDenied extends Denial {
  /** Blind index of the phone that sent the word (base64). */
  @IsBase64()
  phoneIndex: string;
}

/** notifier: a phone sent NO, which says that a delivered order is not its store's. */
export const orderDenied = defineJob({
  type: 'order.denied',
  producers: ['notifier'],
  queues: ['accounts'],
  Data: OrderDenied,
});

export class StoreDenies extends Denial {
  @IsUUID()
  cornerStoreId: string;

  /** Those whose orders the owner of the phone may see. */
  @AreIds()
  wholesalerIds: string[];

  /** When the SMS arrived. */
  @IsDateString()
  saidAt: string;
}

/** accounts: the same, with the store of the phone. */
export const storeDenies = defineJob({
  type: 'store.denies',
  producers: ['accounts'],
  queues: ['transactions'],
  Data: StoreDenies,
});

/**
 * Most days that a dispute adds before a debt comes into default. One that is not decided adds them all, and no more:
 * the lender's delay is no free credit.
 */
export const MAX_LATER_DAYS = 7;

/** A dispute of a delivered order: its store says that it is not its own. */
export class DisputeChanged {
  @IsUUID()
  disputeId: string;

  @IsUUID()
  transactionId: string;

  @IsDateString()
  openedAt: string;

  /** When it was decided; null while it is open. */
  @ValidateIf((_, value) => value !== null)
  @IsDateString()
  closedAt: string | null;

  /** Days that it was open, begun ones too, at most MAX_LATER_DAYS; null while it is open. */
  @ValidateIf((_, value) => value !== null)
  @IsCountFromOne(MAX_LATER_DAYS)
  days: number | null;
}

/** transactions: a delivery is disputed, or the dispute is decided. Its version is 1, and then 2. */
export const disputeChanged = defineJob({
  type: 'dispute.changed',
  producers: ['transactions'],
  queues: ['payments'],
  Data: DisputeChanged,
});
