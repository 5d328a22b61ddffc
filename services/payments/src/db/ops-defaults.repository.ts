import type { Db } from '@fiado/chassis/db/database';
import { query } from '@fiado/chassis/db/query';
import { DUE, type Due } from '../domain/due-day';

export const DEFAULT_STATUSES = ['open', 'closed'] as const;
export type DefaultStatus = (typeof DEFAULT_STATUSES)[number];

/** A default as ops sees it. */
export interface OpsDefault extends Due {
  id: string;
  receivableId: string;
  transactionId: string;
  wholesalerId: string;
  cornerStoreId: string;
  userId: string;
  externalId: string;
  /** What was owed when it was opened, in cents. */
  amountCents: number;
  /** What is owed now, in cents. */
  outstandingCents: number;
  openedAt: Date;
  paidAt: Date | null;
}

export interface OpsDefaultFilter {
  status?: DefaultStatus | undefined;
  wholesalerId?: string | undefined;
  cornerStoreId?: string | undefined;
  /** Opened at or after. */
  since?: Date | undefined;
}

const STATUS_CONDITIONS: Record<DefaultStatus, string> = {
  open: 'd.paid_at IS NULL',
  closed: 'd.paid_at IS NOT NULL',
};

/** Defaults of all wholesalers, newest first. */
export function listOpsDefaults(
  db: Db,
  {
    filter: { status, wholesalerId, cornerStoreId, since },
    cursor,
    limit,
  }: { filter: OpsDefaultFilter; cursor: string | undefined; limit: number },
): Promise<OpsDefault[]> {
  return query<OpsDefault>(
    db,
    `SELECT d.id, d.receivable_id, r.transaction_id, d.wholesaler_id, d.corner_store_id, d.user_id,
            d.external_id, d.amount_cents, d.opened_at, d.paid_at, ${DUE},
            r.principal_cents + r.interest_cents + r.iva_cents
              - r.paid_principal_cents - r.paid_interest_cents - r.paid_iva_cents
              AS outstanding_cents
       FROM payment_defaults d JOIN receivables r ON r.id = d.receivable_id
      WHERE ${status === undefined ? 'true' : STATUS_CONDITIONS[status]}
        AND ($1::uuid IS NULL OR d.wholesaler_id = $1)
        AND ($2::uuid IS NULL OR d.corner_store_id = $2)
        AND ($3::timestamptz IS NULL OR d.opened_at >= $3)
        AND ($4::uuid IS NULL OR (d.opened_at, d.id) <
              (SELECT opened_at, id FROM payment_defaults WHERE id = $4))
      ORDER BY d.opened_at DESC, d.id DESC LIMIT $5`,
    [wholesalerId ?? null, cornerStoreId ?? null, since ?? null, cursor ?? null, limit],
  );
}
