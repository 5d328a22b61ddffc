import {
  IsDateString,
  IsOptional,
  IsString,
  IsTimeZone,
  IsUUID,
  Matches,
  ValidateIf,
} from '@fiado/contracts/class-validator';
import { AreIds, IsCount, IsCountFromOne } from '../decorators';
import { defineJob } from '../define';

/** The debt that a delivery books. Amounts in integer cents. */
export class TransactionDelivered {
  @IsUUID()
  transactionId: string;

  @IsUUID()
  wholesalerId: string;

  @IsUUID()
  cornerStoreId: string;

  @IsUUID()
  userId: string;

  /** The wholesaler's own name for the corner store. */
  @IsString()
  externalId: string;

  @IsCountFromOne()
  principalCents: number;

  @IsCount()
  interestCents: number;

  @IsCount()
  ivaCents: number;

  /** Last moment to pay on time: the end of `dueOn` in `timeZone`. */
  @IsDateString()
  dueAt: string;

  /** Last day to pay, such as 2026-12-07. Absent in older events, as the time zone. */
  @IsOptional()
  @Matches(/^\d{4}-\d{2}-\d{2}$/)
  dueOn?: string;

  @IsOptional()
  @IsTimeZone()
  timeZone?: string;

  @IsDateString()
  deliveredAt: string;
}

/** transactions: goods were delivered, so the corner store owes. */
export const transactionDelivered = defineJob({
  type: 'transaction.delivered',
  producers: ['transactions'],
  queues: ['payments'],
  Data: TransactionDelivered,
});

/** A credit note on a delivered order, by part. Amounts in integer cents. */
export class TransactionCredited {
  @IsUUID()
  creditNoteId: string;

  @IsUUID()
  transactionId: string;

  @IsUUID()
  wholesalerId: string;

  @IsCountFromOne()
  principalCents: number;

  @IsCount()
  interestCents: number;

  @IsCount()
  ivaCents: number;
}

/** transactions: goods came back or cost less, so the corner store owes less. */
export const transactionCredited = defineJob({
  type: 'transaction.credited',
  producers: ['transactions'],
  queues: ['payments'],
  Data: TransactionCredited,
});

/** A change of what one receivable lacks. Amounts in integer cents. */
class ReceivableChange {
  /** Id of the allocation; it may be reversed in several parts. */
  @IsUUID()
  paymentId: string;

  @IsUUID()
  transactionId: string;

  @IsUUID()
  cornerStoreId: string;

  /** The principal that is repaid, or owed again: so much credit is free, or in use, again. */
  @IsCount()
  principalCents: number;

  /** The principal that is then outstanding. It is absolute: older versions add nothing. */
  @IsCount()
  outstandingPrincipalCents: number;
}

/** Money that reached one receivable. */
export class PaymentApplied extends ReceivableChange {
  /** The amount that is still owed after this payment; 0 is paid in full. */
  @IsCount()
  outstandingCents: number;

  @IsDateString()
  appliedAt: string;
}

/** payments: a deposit or a credit balance was applied to an order's receivable. */
export const paymentApplied = defineJob({
  type: 'payment.applied',
  producers: ['payments'],
  queues: ['transactions'],
  Data: PaymentApplied,
});

/** Money that was taken back from one receivable. */
export class PaymentReversed extends ReceivableChange {
  /** The amount that is owed after this reversal; never 0. */
  @IsCountFromOne()
  outstandingCents: number;

  @IsDateString()
  reversedAt: string;
}

/** payments: ops reversed the deposit that had paid an order's receivable. */
export const paymentReversed = defineJob({
  type: 'payment.reversed',
  producers: ['payments'],
  queues: ['transactions'],
  Data: PaymentReversed,
});

/** The amount that is owed of one receivable after a credit note. Integer cents. */
export class ReceivableCredited {
  @IsUUID()
  creditNoteId: string;

  @IsUUID()
  transactionId: string;

  @IsUUID()
  cornerStoreId: string;

  /** Absolute: older versions add nothing. */
  @IsCount()
  outstandingPrincipalCents: number;

  /** 0 when nothing is owed any more. */
  @IsCount()
  outstandingCents: number;

  /** Since when nothing is owed; null while something is. */
  @ValidateIf((_, value) => value !== null)
  @IsDateString()
  paidAt: string | null;
}

/** payments: a credit note lowered an order's receivable. */
export const receivableCredited = defineJob({
  type: 'receivable.credited',
  producers: ['payments'],
  queues: ['transactions'],
  Data: ReceivableCredited,
});

/** Credit notes that one job names at most: some 40 kB. */
export const MAX_SETTLED_NOTES = 1_000;

/** Credit notes whose statement is closed at 0 or more. */
export class CreditNotesSettled {
  @AreIds(MAX_SETTLED_NOTES)
  creditNoteIds: string[];

  @IsDateString()
  settledAt: string;
}

/** transactions: wholesalers gave back the money of credit notes, so stores may be paid it out. */
export const creditNotesSettled = defineJob({
  type: 'credit-notes.settled',
  producers: ['transactions'],
  queues: ['payments'],
  Data: CreditNotesSettled,
});

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
  @AreIds(MAX_TRANSACTIONS)
  opened: string[];

  /** Transactions that are in default no more since this version: they were paid in full. */
  @AreIds(MAX_TRANSACTIONS)
  closed: string[];
}

/**
 * payments: defaults of a corner store were opened or closed. The aggregate is the corner store:
 * count and date are those of the newest version. A version that comes late still names its
 * transactions, so a consumer orders `opened` and `closed` by the version for each transaction.
 */
export const defaultsChanged = defineJob({
  type: 'defaults.changed',
  producers: ['payments'],
  queues: ['accounts', 'transactions'],
  Data: DefaultsChanged,
});

class ApplyDeposit {
  @IsUUID()
  depositId: string;
}

/** payments 1.0, to itself: apply a stored deposit. Nothing sends it any more. */
export const applyDeposit = defineJob({
  type: 'apply-deposit',
  producers: ['payments'],
  queues: ['payments'],
  Data: ApplyDeposit,
});

export class OpenSandboxDefault {
  @IsUUID()
  wholesalerId: string;

  @IsUUID()
  cornerStoreId: string;

  /** Of the order that is overdue. */
  @IsCountFromOne()
  amountCents: number;
}

/** accounts to payments, in a sandbox: a new customer shall have a debt in default. */
export const openSandboxDefault = defineJob({
  type: 'open-sandbox-default',
  producers: ['accounts'],
  queues: ['payments'],
  Data: OpenSandboxDefault,
});
