import type { Db } from '@fiado/chassis/db/database';
import { query, queryRow } from '@fiado/chassis/db/query';
import type { PendingChange } from '@fiado/contracts/change-requests';
import { DEPOSIT_STATUSES, type Deposit, type DepositStatus } from './deposit';
import { KEPT_REFERENCE_LENGTH, type NewDeposit } from './insert-deposit';

/** Locks a deposit: it is applied, assigned or reversed by one database transaction at a time. */
export function lockDeposit(tx: Db, depositId: string): Promise<Deposit | undefined> {
  return queryRow<Deposit>(tx, 'SELECT * FROM deposits WHERE id = $1 FOR NO KEY UPDATE', [
    depositId,
  ]);
}

/**
 * Conflicting bodies that are kept of one deposit. Each is answered with 409. The first ones are
 * enough to find the bug of a provider that sends more.
 */
const MAX_CONFLICTS = 20;

/** Keeps a body that conflicts with a known deposit; the same one again is kept once. */
export async function keepConflict(
  db: Db,
  depositId: string,
  { bodyHash, body }: NewDeposit,
): Promise<void> {
  await query(
    db,
    `INSERT INTO deposit_conflicts (deposit_id, body_hash, body)
     SELECT $1, $2, $3
      WHERE (SELECT count(*) FROM deposit_conflicts WHERE deposit_id = $1) < $4
     ON CONFLICT DO NOTHING`,
    [depositId, bodyHash, body, MAX_CONFLICTS],
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
       -- The second condition is that of the index deposits_to_do.
       LEFT JOIN deposits ON deposits.status = waiting.status AND deposits.status <> 'applied'
      GROUP BY waiting.status`,
  );
}

/** Filters of a list of deposits: a status, or conflicting bodies of a provider. */
export const DEPOSIT_FILTERS = [...DEPOSIT_STATUSES, 'conflicting'] as const;
export type DepositFilter = (typeof DEPOSIT_FILTERS)[number];

export interface DepositPage {
  filter: DepositFilter | undefined;
  /** Id of the last deposit of the page before. */
  cursor: string | undefined;
  limit: number;
}

/** A deposit as ops sees it. */
export type DepositView = Omit<
  Deposit,
  'paymentProviderId' | 'bodyHash' | 'body' | 'paidAt' | 'userId' | 'unassignments'
>;

/** A body that was refused because its claveDePago already had another. */
export interface DepositConflict {
  idFactura: string;
  numeroReferencia: string;
  valorCents: number;
  fechaPago: string;
  /** ISO 8601. */
  receivedAt: string;
}

export interface ListedDeposit extends DepositView {
  /** In the order of their arrival. */
  conflicts: DepositConflict[];
  pendingChange: PendingChange | null;
}

/** SQL of the change of a deposit that waits for a second person, or null. */
export const PENDING_CHANGE = `
  (SELECT json_build_object('changeRequestId', w.change_request_id, 'kind', w.kind,
            'requestedBy', w.requested_by, 'requestedAt', w.requested_at)
     FROM deposit_changes w WHERE w.deposit_id = deposits.id) AS "pendingChange"`;

/** Deposits, newest first. */
export function listDeposits(
  db: Db,
  { filter, cursor, limit }: DepositPage,
): Promise<ListedDeposit[]> {
  return query<ListedDeposit>(
    db,
    `SELECT id, provider_name, id_factura,
            numero_referencia, valor_cents, fecha_pago, clave_de_pago, status, unmatched_reason,
            received_at,
            ${PENDING_CHANGE},
            (SELECT coalesce(json_agg(json_build_object(
                      'idFactura', left(body::json ->> 'idFactura', $4),
                      'numeroReferencia', left(body::json ->> 'numeroReferencia', $4),
                      'valorCents', ((body::json ->> 'valor')::numeric * 100)::bigint,
                      'fechaPago', body::json ->> 'fechaPago',
                      'receivedAt', c.received_at) ORDER BY c.received_at, c.body_hash), '[]')
               FROM deposit_conflicts c WHERE c.deposit_id = deposits.id) AS conflicts
       FROM deposits
      WHERE ($1::text IS NULL OR status = $1)
        AND (NOT $5::boolean OR id IN (SELECT deposit_id FROM deposit_conflicts))
        -- By the row and not by its time: a JSON time is cut to milliseconds.
        AND ($2::uuid IS NULL
             OR (received_at, id) < (SELECT received_at, id FROM deposits WHERE id = $2))
      ORDER BY received_at DESC, id DESC LIMIT $3`,
    [
      filter === 'conflicting' ? null : (filter ?? null),
      cursor ?? null,
      limit,
      KEPT_REFERENCE_LENGTH,
      filter === 'conflicting',
    ],
  );
}
