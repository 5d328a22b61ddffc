import { IsUUID } from 'class-validator';
import { defineCall } from './define-call';

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
  /** Of payouts that wait for a second person; it is no part of the balance. */
  reservedCents: number;
  /** What it owes of money that was taken back after a payout; no part of `amountDueCents`. */
  recoveryCents: number;
  /** Null until the first debt. */
  numeroReferencia: string | null;
}

/** For payments: what a corner store owes to all wholesalers. */
export const cornerStoreDebtsCall = defineCall<CornerStoreDebtsQuestion, CornerStoreDebts>(
  '/internal/corner-store-debts',
  CornerStoreDebtsQuestion,
);
