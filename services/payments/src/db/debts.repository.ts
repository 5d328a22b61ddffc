import type { Db } from '@fiado/chassis/db/database';
import { query } from '@fiado/chassis/db/query';
import { DUE } from '../domain/due-day';
import type { ReceivableView } from './receivables.repository';

/** Open debts that the account page lists; a store has a few. */
const MAX_OPEN = 100;
/** Paid ones below them. */
const MAX_PAID = 20;

/** What a user owes for orders of a wholesaler: open ones by their last day, then the newest paid. */
export function findDebts(
  db: Db,
  { userId, wholesalerId }: { userId: string; wholesalerId: string },
): Promise<ReceivableView[]> {
  const select = `
    SELECT r.wholesaler_id, r.id_factura, b.numero_referencia,
           r.principal_cents + r.interest_cents + r.iva_cents AS owed_cents,
           r.paid_principal_cents + r.paid_interest_cents + r.paid_iva_cents AS paid_cents,
           ${DUE}, r.paid_at, r.in_default
      FROM receivables r JOIN credit_balances b USING (user_id)
     WHERE r.user_id = $1 AND r.wholesaler_id = $2`;
  return query<ReceivableView>(
    db,
    `(${select} AND r.paid_at IS NULL ORDER BY r.due_at, r.id LIMIT ${MAX_OPEN})
     UNION ALL
     (${select} AND r.paid_at IS NOT NULL ORDER BY r.paid_at DESC, r.id LIMIT ${MAX_PAID})`,
    [userId, wholesalerId],
  );
}
