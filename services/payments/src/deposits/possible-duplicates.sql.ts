import type { Transaction } from '@fiado/chassis/db/database';
import { queryNamed, queryRow } from '@fiado/chassis/db/query';
import type { Deposit } from './deposit';
import type { DepositRow } from './deposit.entity';

/**
 * SQL of the function that tells which deposits may report one payment: those of one provider, day, amount and
 * references. A provider that sends a payment again under another claveDePago would pay a debt twice.
 */
export const CREATE_PAYMENT_OF = `
  CREATE FUNCTION payment_of(provider uuid, id_factura text, numero_referencia text, cents bigint,
                             fecha_pago text)
    RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN md5(provider::text || ' ' || cents::text || ' ' || left(fecha_pago, 10) || ' '
      || regexp_replace(fold_key(id_factura), '[[:space:]-]', '', 'g') || ' '
      || regexp_replace(fold_key(numero_referencia), '[[:space:]-]', '', 'g'))`;

/** SQL of the payment of a row of deposits. */
const PAYMENT =
  'payment_of(payment_provider_id, id_factura, numero_referencia, valor_cents, fecha_pago)';

/** The definition of the index that finds them. */
export const DEPOSITS_OF_PAYMENT = `ON deposits (${PAYMENT})`;

/** Providers that know the day alone send this time. */
const NO_TIME_OF_DAY = '00:00:00.000';

/** An earlier deposit that may report the same payment. */
export interface PossibleDuplicate extends Pick<DepositRow, 'id'> {
  /** The payment has the same time, to the millisecond. */
  isSameTime: boolean;
}

/**
 * Finds a deposit that was applied, or waits for ops, and may report the same payment as a locked one. Of
 * several, one that was applied is named. Of two at the same moment one is first: the other waits for its
 * database transaction.
 */
export async function findPossibleDuplicate(
  tx: Transaction,
  { id, fechaPago }: Deposit,
): Promise<PossibleDuplicate | undefined> {
  await queryNamed(
    tx,
    'lock-payment',
    `SELECT pg_advisory_xact_lock(hashtextextended(${PAYMENT}, 0)) FROM deposits WHERE id = $1`,
    [id],
  );
  return queryRow<PossibleDuplicate>(
    tx,
    `SELECT earlier.id, earlier.fecha_pago = $2 AND right($2, 12) <> '${NO_TIME_OF_DAY}' AS "isSameTime"
       FROM deposits earlier
      WHERE ${PAYMENT} = (SELECT ${PAYMENT} FROM deposits WHERE id = $1)
        AND earlier.id <> $1 AND earlier.status IN ('applied', 'unmatched')
      ORDER BY earlier.fecha_pago <> $2, earlier.status <> 'applied', earlier.received_at, earlier.id
      LIMIT 1`,
    [id, fechaPago],
  );
}
