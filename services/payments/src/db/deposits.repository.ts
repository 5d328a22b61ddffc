import type { EntityManager } from 'typeorm';
import { query, type Db } from '@fiado/shared/chassis/db/query';
import { DepositEntity, type DepositStatus } from './deposit.entity';
import type { NewDeposit } from './insert-deposit';

/** Locks a deposit: it is applied, assigned or reversed by one database transaction at a time. */
export function lockDeposit(tx: EntityManager, depositId: string): Promise<DepositEntity | null> {
  return tx.findOne(DepositEntity, {
    where: { id: depositId },
    lock: { mode: 'for_no_key_update' },
  });
}

/** Keeps a body that contradicts a known deposit; the same one again is kept once. */
export async function keepConflict(
  db: Db,
  depositId: string,
  { bodyHash, body }: NewDeposit,
): Promise<void> {
  await query(
    db,
    `INSERT INTO deposit_conflicts (deposit_id, body_hash, body) VALUES ($1, $2, $3)
     ON CONFLICT DO NOTHING`,
    [depositId, bodyHash, body],
  );
}

/** How many deposits wait in each of the two states, and since when, on the database's clock. */
export function findWaitingDeposits(
  db: Db,
): Promise<Array<{ status: DepositStatus; count: number; oldestSeconds: number }>> {
  return query(
    db,
    `SELECT waiting.status, count(deposits.id) AS count,
            coalesce(EXTRACT(EPOCH FROM now() - min(received_at)), 0)::float8 AS "oldestSeconds"
       FROM (VALUES ('received'), ('unmatched')) AS waiting (status)
       LEFT JOIN deposits ON deposits.status = waiting.status
      GROUP BY waiting.status`,
  );
}

export interface DepositPage {
  status: DepositStatus | undefined;
  /** Id of the last deposit of the page before. */
  cursor: string | undefined;
  limit: number;
}

/** What ops sees of a deposit. */
export type ListedDeposit = Omit<
  DepositEntity,
  'paymentProviderId' | 'bodyHash' | 'body' | 'paidAt' | 'userId'
>;

/** Deposits, newest first; an unknown cursor has nothing after it. */
export function listDeposits(
  db: Db,
  { status, cursor, limit }: DepositPage,
): Promise<ListedDeposit[]> {
  return query<ListedDeposit>(
    db,
    `SELECT id, provider_name AS "providerName", id_factura AS "idFactura",
            numero_referencia AS "numeroReferencia", valor_cents AS "valorCents",
            fecha_pago AS "fechaPago", clave_de_pago AS "claveDePago", status,
            received_at AS "receivedAt"
       FROM deposits
      WHERE ($1::text IS NULL OR status = $1)
        -- By the row and not by its time: a JSON time is cut to milliseconds.
        AND ($2::uuid IS NULL
             OR (received_at, id) < (SELECT received_at, id FROM deposits WHERE id = $2))
      ORDER BY received_at DESC, id DESC LIMIT $3`,
    [status ?? null, cursor ?? null, limit],
  );
}
