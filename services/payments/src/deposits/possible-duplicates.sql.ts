import type { Transaction } from '@fiado/chassis/db/database';
import { queryNamed, queryRow } from '@fiado/chassis/db/query';
import type { Deposit } from './deposit';
import type { DepositRow } from './deposit.entity';

/** SQL of the function that `deposits_of_payment` was of; CREATE_PAYMENT_READ_OF replaces it. */
export const CREATE_PAYMENT_OF = `
  CREATE FUNCTION payment_of(provider uuid, id_factura text, numero_referencia text, cents bigint,
                             fecha_pago text)
    RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN md5(provider::text || ' ' || cents::text || ' ' || left(fecha_pago, 10) || ' '
      || regexp_replace(fold_key(id_factura), '[[:space:]-]', '', 'g') || ' '
      || regexp_replace(fold_key(numero_referencia), '[[:space:]-]', '', 'g'))`;

/** The definition of that index. */
export const DEPOSITS_OF_PAYMENT =
  'ON deposits (payment_of(payment_provider_id, id_factura, numero_referencia, valor_cents, fecha_pago))';

/**
 * What plainReference removes, as the inside of a bracket expression: white space, dashes, and the marks that fold_key
 * leaves. Written out, as [[:space:]] depends on the locale.
 */
const NOT_READ = [
  String.raw`\u0009-\u000d\u0020\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000`,
  String.raw`\u002d\u058a\u05be\u1400\u1806\u2010-\u2015\u2e17\u2e1a\u2e3a\u2e3b\u2e40\u2e5d\u301c\u3030`,
  String.raw`\u30a0\ufe31\ufe32\ufe58\ufe63\uff0d\U00010d6e\U00010ead`,
  String.raw`\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\ufff9-\ufffb\U000110bd\U000110cd\U00013430-\U0001343f`,
].join('');

/**
 * SQL of the function that tells which deposits may report one payment: those of one provider, day, amount and
 * references. A provider that sends a payment again under another claveDePago would pay a debt twice. References are the
 * same if they are read as the same debt (readingsOf): with other dashes, spaces or leading zeros, and in either field.
 */
export const CREATE_PAYMENT_READ_OF = `
  CREATE FUNCTION reference_read(reference text)
    RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN ltrim(regexp_replace(fold_key(reference), '[${NOT_READ}]', '', 'g'), '0') COLLATE "C";
  CREATE FUNCTION payment_read_of(provider uuid, id_factura text, numero_referencia text, cents bigint,
                                  fecha_pago text)
    RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN md5(provider::text || ' ' || cents::text || ' ' || left(fecha_pago, 10) || ' '
      || least(reference_read(id_factura) COLLATE "C", reference_read(numero_referencia)) || ' '
      || greatest(reference_read(id_factura) COLLATE "C", reference_read(numero_referencia)))`;

/** SQL of the payment of a row of deposits. */
const PAYMENT =
  'payment_read_of(payment_provider_id, id_factura, numero_referencia, valor_cents, fecha_pago)';

/** The definition of the index that finds them. */
export const DEPOSITS_OF_PAYMENT_READ = `ON deposits (${PAYMENT})`;

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
