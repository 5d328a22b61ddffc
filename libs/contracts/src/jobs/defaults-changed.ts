import { ArrayMaxSize, IsArray, IsDateString, IsUUID, ValidateIf } from 'class-validator';
import { IsCount } from '../decorators';
import { defineJob } from '../define-job';

/** Transactions that one event names at most: far above what one corner store ever owes for. */
const MAX_TRANSACTIONS = 10_000;

/** How overdue a corner store is now, and which transactions made the difference. */
export class DefaultsChanged {
  @IsUUID()
  cornerStoreId: string;

  /** Receivables in default, of all wholesalers; 0 when the corner store is not overdue any more. */
  @IsCount()
  overdueCount: number;

  /** When the oldest of them was due; null when there is none. */
  @ValidateIf((_, value) => value !== null)
  @IsDateString()
  oldestDueAt: string | null;

  /** Transactions that are in default since this version. */
  @IsArray()
  @ArrayMaxSize(MAX_TRANSACTIONS)
  @IsUUID(undefined, { each: true })
  opened: string[];

  /** Transactions that are in default no more since this version: they were paid in full. */
  @IsArray()
  @ArrayMaxSize(MAX_TRANSACTIONS)
  @IsUUID(undefined, { each: true })
  closed: string[];
}

/**
 * payments: defaults of a corner store were opened or closed. The aggregate is the corner store:
 * count and date are those of the newest version. A version that comes late still names its
 * transactions, so a consumer orders `opened` and `closed` by the version for each transaction.
 */
export const defaultsChanged = defineJob({
  type: 'defaults.changed',
  version: 1,
  producers: ['payments'],
  queues: ['accounts', 'transactions'],
  Data: DefaultsChanged,
});
