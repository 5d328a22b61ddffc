import {
  IsBase64,
  IsDateString,
  IsIn,
  IsOptional,
  IsString,
  IsUUID,
  IsBoolean,
} from '@fiado/contracts/class-validator';
import { AreIds, AreBase64, IsArrayOf, IsCount } from '../decorators';
import { defineJob } from '../define';
import { SERVICES, type Service } from '../process-names';

/** The two steps of a cancellation: the data are no longer used, and later they are gone. */
export const ERASURE_PHASES = ['block', 'suppress'] as const;
export type ErasurePhase = (typeof ERASURE_PHASES)[number];

/** Columns of one schema with personal data, at most. */
const MAX_COLUMNS = 1_000;

/** By what each service finds its rows of a person. */
export class PersonKeys {
  @IsUUID()
  userId: string;

  @IsUUID()
  cornerStoreId: string;

  /** Blind indexes of the phones that the person has had (base64). */
  @AreBase64()
  phoneIndexes: string[];

  /** Of the person's orders, debts, deposits and payouts, for a service that has none of its own. */
  @AreIds()
  objectIds: string[];
}

export class PersonErase extends PersonKeys {
  @IsUUID()
  erasureId: string;

  @IsIn(ERASURE_PHASES)
  phase: ErasurePhase;

  /** Random bytes of this erasure (base64): a renamed value is a hash with them. */
  @IsBase64()
  nameKey: string;
}

/** accounts: block or erase a person. */
export const personErase = defineJob({
  type: 'person.erase',
  producers: ['accounts'],
  queues: ['transactions', 'payments', 'notifier'],
  Data: PersonErase,
});

/** How many values of a column were erased. */
export class ErasedColumnCount {
  @IsString()
  table: string;

  @IsString()
  column: string;

  @IsCount()
  rows: number;
}

export class PersonErased {
  @IsUUID()
  erasureId: string;

  @IsIn(SERVICES)
  service: Service;

  @IsArrayOf(() => ErasedColumnCount, { max: MAX_COLUMNS })
  rows: ErasedColumnCount[];

  /** Of the person's orders, debts, deposits and payouts. */
  @AreIds()
  objectIds: string[];

  /** Rows of the person that stay: absent in answers of the release before. */
  @IsOptional()
  @IsCount()
  keptRows?: number;

  /** When a debt last closed or a deposit last came; absent where there was none. */
  @IsOptional()
  @IsDateString()
  lastMoneyAt?: string;
}

/** To accounts: a service has done its part of an erasure. */
export const personErased = defineJob({
  type: 'person.erased',
  producers: ['transactions', 'payments', 'notifier'],
  queues: ['accounts'],
  Data: PersonErased,
});

class OppositionAsked {
  /** Blind index of the phone that sent the word (base64). */
  @IsBase64()
  phoneIndex: string;

  /** true: no reminders any more; false: reminders again. */
  @IsBoolean()
  opposes: boolean;

  /** Whether it came by WhatsApp. */
  @IsOptional()
  @IsBoolean()
  byWhatsapp?: boolean;
}

/** notifier: a phone sent a word about the reminders of its store. */
export const oppositionAsked = defineJob({
  type: 'opposition.asked',
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
  producers: ['accounts'],
  queues: ['payments'],
  Data: OppositionChanged,
});
