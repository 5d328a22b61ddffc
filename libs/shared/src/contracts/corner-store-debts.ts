import { IsUUID } from 'class-validator';

/** POST /internal/corner-store-debts of payments: what a corner store owes to all wholesalers. */
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
  /** Null until the first debt. */
  numeroReferencia: string | null;
}
