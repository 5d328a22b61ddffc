import type { Db } from '@fiado/chassis/db/database';
import { inAskedOrder, queryNamed } from '@fiado/chassis/db/query';
import { ORDER_COLUMNS, type OrderOfCustomer, ORDERS_OF_CUSTOMERS } from '../orders/order.sql';
import type { VerificationRow } from './verification.entity';

export interface ConfirmationIds {
  wholesalerId: string;
  transactionId: string;
  verificationId: string;
}

/** An order, and what its confirmation needs. */
export interface OrderOfVerification extends OrderOfCustomer {
  createdAt: Date;
  deliveryDate: Date | null;
  deliveryWordEnabled: boolean;
  /** Null when the order has no verification of the asked id. */
  codeSalt: VerificationRow['codeSalt'] | null;
  /** Whether the wholesaler changed the phone since the code was sent. */
  codeIsVoid: boolean;
}

/**
 * The wholesalers' own orders, and whether those verifications are theirs, in one round trip.
 * @returns in the order of the ids; undefined where the wholesaler has no such order
 */
export async function findOrdersOfVerifications(
  db: Db,
  ids: ConfirmationIds[],
): Promise<Array<OrderOfVerification | undefined>> {
  const rows = await queryNamed<OrderOfVerification & { at: number }>(
    db,
    'find-orders-of-verifications',
    `SELECT asked.at, found.*
       FROM unnest($1::uuid[], $2::uuid[], $3::uuid[])
              WITH ORDINALITY AS asked(transaction_id, wholesaler_id, verification_id, at),
            -- OFFSET 0: each order is looked up by itself, where a join would read whole tables.
            LATERAL (SELECT ${ORDER_COLUMNS}, t.created_at, t.delivery_date,
                            wholesaler.delivery_word_enabled, verification.code_salt,
                            coalesce(verification.phone_changes <> customer.phone_changes, false)
                              AS "codeIsVoid"
                       FROM ${ORDERS_OF_CUSTOMERS}
                       LEFT JOIN verifications verification
                         ON verification.transaction_id = t.id
                        AND verification.id = asked.verification_id
                      WHERE t.id = asked.transaction_id AND t.wholesaler_id = asked.wholesaler_id
                     OFFSET 0) found`,
    [
      ids.map(({ transactionId }) => transactionId),
      ids.map(({ wholesalerId }) => wholesalerId),
      ids.map(({ verificationId }) => verificationId),
    ],
  );
  return inAskedOrder(ids, rows);
}
