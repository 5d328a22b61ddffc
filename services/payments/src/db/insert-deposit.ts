import type { Db } from '@fiado/chassis/db/database';
import { query, queryNamed } from '@fiado/chassis/db/query';
import { OUTBOX_COLUMNS, OUTBOX_RECORD, type OutboxRow } from '@fiado/chassis/outbox/append';
import type { Deposit } from './deposit';

/**
 * Characters of a reference that its column keeps, to bound what a list of deposits answers. Our own
 * have 13 at most; the whole text stays in the kept body, which the request's limit bounds.
 */
export const KEPT_REFERENCE_LENGTH = 1_000;

/** A deposit on its way in. */
export type NewDeposit = Omit<
  Deposit,
  'status' | 'unmatchedReason' | 'userId' | 'unassignments' | 'receivedAt'
>;

/** The deposit with a provider's claveDePago. */
export type KnownDeposit = Pick<Deposit, 'id' | 'bodyHash'>;

/**
 * Stores a deposit and the job that applies it in one statement, which is a database transaction of
 * its own when none is open. A deposit already known under its key changes nothing.
 * @returns the deposit that is now stored under the key: this one, or an earlier one
 */
export async function insertDeposit(
  db: Db,
  deposit: NewDeposit,
  jobs: OutboxRow[],
): Promise<KnownDeposit> {
  const { paymentProviderId, claveDePago } = deposit;
  const [row] = await queryNamed<KnownDeposit>(
    db,
    'insert-deposit',
    `WITH stored AS (
       INSERT INTO deposits (id, payment_provider_id, provider_name, id_factura, numero_referencia,
         valor_cents, fecha_pago, paid_at, clave_de_pago, body_hash, body)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
       ON CONFLICT ON CONSTRAINT deposits_once DO NOTHING
       RETURNING id, body_hash
     ),
     -- The job leaves if, and only if, the deposit is new.
     queued AS (
       INSERT INTO outbox (${OUTBOX_COLUMNS})
       SELECT ${OUTBOX_COLUMNS} FROM jsonb_to_recordset($12::jsonb) AS job(${OUTBOX_RECORD})
        WHERE EXISTS (SELECT FROM stored)
     )
     SELECT id, body_hash FROM stored
     UNION ALL
     -- This statement's snapshot is older than its insert: here stands only what was there before.
     SELECT id, body_hash FROM deposits WHERE payment_provider_id = $2 AND clave_de_pago = $9`,
    [
      deposit.id,
      paymentProviderId,
      deposit.providerName,
      deposit.idFactura,
      deposit.numeroReferencia,
      deposit.valorCents,
      deposit.fechaPago,
      deposit.paidAt,
      claveDePago,
      deposit.bodyHash,
      deposit.body,
      JSON.stringify(jobs),
    ],
  );
  // No row: the duplicate was committed while this statement waited for it. A new statement sees
  // it.
  return row ?? (await knownDeposit(db, paymentProviderId, claveDePago));
}

async function knownDeposit(
  db: Db,
  paymentProviderId: string,
  claveDePago: string,
): Promise<KnownDeposit> {
  const [row] = await query<KnownDeposit>(
    db,
    `SELECT id, body_hash FROM deposits
      WHERE payment_provider_id = $1 AND clave_de_pago = $2`,
    [paymentProviderId, claveDePago],
  );
  if (row === undefined) throw new Error('A deposit that conflicts with another must find it');
  return row;
}
