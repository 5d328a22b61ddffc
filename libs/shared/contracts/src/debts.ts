import { IsUUID } from './class-validator';
import { AreIds } from './decorators';
import { defineCall } from './define';
import type { TransactionDelivered } from './jobs/debts';

export class DeliveredOrderQuestion {
  @IsUUID()
  transactionId: string;

  @IsUUID()
  wholesalerId: string;
}

/** Errors: TRANSACTION_NOT_FOUND. `delivered` is null while the order is not delivered. */
interface DeliveredOrderAnswer {
  delivered: TransactionDelivered | null;
}

/**
 * For transactions: payments calls it while the event of a delivery is late. Error:
 * TRANSACTION_NOT_FOUND.
 */
export const deliveredTransactionCall = defineCall<DeliveredOrderAnswer>()(
  '/internal/delivered-transaction',
  DeliveredOrderQuestion,
);

/** As getPayment answers. Amounts in pesos. */
export interface PaymentAnswer {
  idFactura: string;
  numeroReferencia: string;
  amountDue: number;
  amountPaid: number;
  paymentDate: string;
  /** Time zone of the calendar of `paymentDate`. */
  paymentTimeZone: string;
  status: 'pending' | 'overdue' | 'paid';
}

/** For payments: the debt of a delivered order, for the order's page. */
export const paymentCall = defineCall<PaymentAnswer>()('/internal/payment', DeliveredOrderQuestion);

export class CornerStoreDebtsQuestion {
  @IsUUID()
  cornerStoreId: string;
}

export interface CornerStoreDebts {
  openDebts: number;
  amountDueCents: number;
  overdueDebts: number;
  overdueCents: number;
  /** Last day of the oldest open debt, ISO 8601; null without one. */
  oldestDueAt: string | null;
  creditBalanceCents: number;
  /** Sum of the payouts that wait for a second person; it is no part of the balance. */
  reservedCents: number;
  /** Sum of its recoveries: money that was taken back after a payout; no part of `amountDueCents`. */
  recoveryCents: number;
  /** Null until the first debt. */
  numeroReferencia: string | null;
  /** Sum of the deposits that name its reference and wait to be matched. */
  unmatchedCents: number;
  /** Orders that the store says are not its own, undecided. Absent in answers of the release before. */
  openDisputes?: number;
  /** When a debt last opened or closed, or a deposit or payout moved, ISO 8601; null where none ever did. */
  lastMoneyAt: string | null;
}

/** For payments: what a corner store owes to all wholesalers. */
export const cornerStoreDebtsCall = defineCall<CornerStoreDebts>()(
  '/internal/corner-store-debts',
  CornerStoreDebtsQuestion,
);

export class CreditUseQuestion {
  @AreIds()
  cornerStoreIds: string[];
}

/** Stores without a credit line are left out: they have used nothing. */
interface CreditUseAnswer {
  lines: Array<{ cornerStoreId: string; usedCents: number }>;
}

/** For transactions. */
export const creditUseCall = defineCall<CreditUseAnswer>()(
  '/internal/credit-use',
  CreditUseQuestion,
);

/** What stores owe; one that owes nothing is left out. */
interface OwedAnswer {
  owed: Array<{ cornerStoreId: string; amountDueCents: number }>;
}

/** For payments: what corner stores owe to all wholesalers, without more. */
export const owedCall = defineCall<OwedAnswer>()('/internal/owed', CreditUseQuestion);
