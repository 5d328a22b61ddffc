import type { CornerStoreStatus } from '@fiado/shared/contracts/corner-store';
import type { DefaultsChanged } from '@fiado/shared/contracts/jobs/defaults-changed';
import type { PaymentApplied } from '@fiado/shared/contracts/jobs/payment-applied';
import type { PaymentReversed } from '@fiado/shared/contracts/jobs/payment-reversed';
import type { TransactionDelivered } from '@fiado/shared/contracts/jobs/transaction-delivered';
import type { VerificationState } from '@fiado/shared/verification/rules';
import type { Parts } from '../../../services/payments/src/domain/allocation';
import type { TransactionStatus } from '../../../services/transactions/src/domain/transaction-status';
import type { Random } from '../random';
import type { Settings, StoreTerms } from '../world';

export interface StoreRow extends StoreTerms {
  version: number;
}

export interface LineRow {
  version: number;
  status: CornerStoreStatus;
  limitCents: number;
  interestRate: string;
  usedCents: number;
  overdue: boolean;
  overdueVersion: number;
}

export interface OrderRow {
  id: string;
  wholesalerId: string;
  cornerStoreId: string;
  wholesalerTransactionId: string | undefined;
  status: TransactionStatus;
  version: number;
  amountCents: number;
  interestCents: number;
  ivaCents: number;
  commissionCents: number;
  interestRate: string;
  ivaRate: string;
  commissionRate: string;
  createdAt: Date;
  deliveryDate: Date | undefined;
  expiresAt: Date;
  paymentDueAt: Date;
  deliveredAt: Date | undefined;
  paid: boolean;
  owedCents: number;
  receivableVersion: number;
  inDefault: boolean;
  defaultVersion: number;
  /** Batches have none. */
  verification: (VerificationState & { id: string; salt: Buffer }) | undefined;
}

export interface CreditEntry {
  cornerStoreId: string;
  transactionId: string;
  kind: 'hold' | 'adjustment' | 'release' | 'repayment' | 'reversal';
  amountCents: number;
}

export interface ReceivableRow {
  id: string;
  transactionId: string;
  cornerStoreId: string;
  idFactura: string;
  owed: Parts;
  paid: Parts;
  dueAt: Date;
  paidAt: Date | undefined;
  inDefault: boolean;
  version: number;
}

/** One row of a receivable's ledger; its allocation says whose money it is, null the balance's. */
export interface ReceivableEntry {
  receivableId: string;
  allocationId: string | undefined;
  depositId: string | null;
  parts: Parts;
  /** created_at, in ms. */
  at: number;
}

export interface DepositRow {
  id: string;
  claveDePago: string;
  idFactura: string;
  numeroReferencia: string;
  valorCents: number;
  status: 'received' | 'applied' | 'unmatched' | 'reversed';
  cornerStoreId: string | undefined;
}

export interface BalanceRow {
  numeroReferencia: string;
  balanceCents: number;
}

export type News =
  | { type: 'corner-store.changed'; cornerStoreId: string; version: number; terms: StoreTerms }
  | { type: 'transaction.delivered'; delivered: TransactionDelivered }
  | { type: 'payment.applied'; version: number; payment: PaymentApplied }
  | { type: 'payment.reversed'; version: number; reversal: PaymentReversed }
  | { type: 'defaults.changed'; version: number; news: DefaultsChanged }
  | { type: 'apply-deposit'; depositId: string };

export type Message = News & { id: string };

/** What a store reads on its phone. */
export interface CodeSms {
  transactionId: string;
  code: string;
}

/**
 * Fiado in memory: what each of the three services keeps, and the messages between them that are on
 * their way. The rules are the production's own functions; `sql-rules.ts` stands for the statements.
 */
export interface House {
  random: Random;
  newId: () => string;
  now: Date;
  /** Settings are known everywhere from the start: what travels late is a store's terms. */
  settings: Map<string, Settings>;
  /** Which stores a wholesaler has as customers: `wholesaler/store`. */
  customers: Set<string>;
  accounts: { stores: Map<string, StoreRow>; away: boolean };
  transactions: {
    /** Stores known here, with their customers' links. */
    lines: Map<string, LineRow>;
    orders: Map<string, OrderRow>;
    entries: CreditEntry[];
    inbox: Set<string>;
    codes: CodeSms[];
  };
  payments: {
    receivables: Map<string, ReceivableRow>;
    ledger: ReceivableEntry[];
    balances: Map<string, BalanceRow>;
    balanceEntries: Array<{ cornerStoreId: string; depositId: string | null; cents: number }>;
    deposits: Map<string, DepositRow>;
    overdueVersions: Map<string, number>;
    inbox: Set<string>;
    /** The next numbers of the references' sequences. */
    facturas: number;
    referencias: number;
  };
  outbox: Message[];
}

export function say(house: House, news: News): void {
  house.outbox.push({ ...news, id: house.newId() });
}

/** A use case that others may come in between of, at each yield: where production has an await. */
export type Operation<Result> = Generator<undefined, Result>;

/** The row of an id that must be there. */
export function rowOf<Row>(rows: Map<string, Row>, id: string): Row {
  const row = rows.get(id);
  if (row === undefined) throw new Error(`There is no row ${id}`);
  return row;
}
