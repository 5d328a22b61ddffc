import type { Db } from '@fiado/chassis/db/database';
import { query } from '@fiado/chassis/db/query';
import { AppError } from '@fiado/contracts/errors';
import type { LinkedOrder } from '@fiado/contracts/links';
import { MAX_CHECKS } from '@fiado/contracts/verification-rules';
import type { Context } from '../context';
import { presentTransaction, type OrderView } from '../orders/order-view';
import {
  ORDER_COLUMNS,
  type OrderOfCustomer,
  ORDERS_OF_CUSTOMERS,
  type OrderTerms,
  TERMS_COLUMNS,
} from '../orders/order.sql';
import type { VerificationRow } from '../codes/verification.entity';

/** Wrong codes on the page of one link, over all of its codes. */
export const MAX_WRONG_CODES_OF_LINK = 10;

/** An order as the page behind its link needs it. */
export interface OrderOfLink
  extends OrderOfCustomer, OrderTerms, Pick<VerificationRow, 'codeSalt' | 'pageWrongCodes'> {
  verificationId: VerificationRow['id'];
  codeSent: boolean;
  codeIsExpired: boolean;
  /** Whether the code's checks on the page are used up. */
  codeIsUsedUp: boolean;
  /** Checks on the page, of this code; wrong ones of all codes. */
  pageChecks: number;
  /** Whether the wholesaler changed the phone since the code was sent. */
  codeIsVoid: boolean;
}

/**
 * By the id at the end of the link, which only its recipient and the wholesaler know.
 * @throws AppError TRANSACTION_NOT_FOUND
 */
export async function requireLinked(db: Db, transactionId: string): Promise<OrderOfLink> {
  const [row] = await query<OrderOfLink>(
    db,
    `SELECT ${ORDER_COLUMNS}, ${TERMS_COLUMNS}, verification.id AS "verificationId",
            verification.code_salt, verification.sends > 0 AS "codeSent",
            verification.expires_at <= now() AS "codeIsExpired",
            verification.page_checks >= $2
              AND verification.page_code_salt IS NOT DISTINCT FROM verification.code_salt
              AS "codeIsUsedUp",
            CASE WHEN verification.page_code_salt = verification.code_salt
                 THEN verification.page_checks ELSE 0 END AS "pageChecks",
            verification.page_wrong_codes AS "pageWrongCodes",
            verification.phone_changes <> customer.phone_changes AS "codeIsVoid"
       FROM ${ORDERS_OF_CUSTOMERS}
       JOIN verifications verification ON verification.transaction_id = t.id
      WHERE t.id = $1 AND t.linked`,
    [transactionId, MAX_CHECKS],
  );
  if (row === undefined) throw new AppError('TRANSACTION_NOT_FOUND');
  return row;
}

/** The figures of the API's own answer. */
export function presentLinked(context: Context, order: OrderView): LinkedOrder {
  const { wholesaler, products, totalAmount, interests, IVAAmount, ...rest } = presentTransaction(
    order,
    context,
  );
  return {
    wholesaler,
    products: products.map(({ name, quantity }) => ({ name, quantity })),
    orderedAmount: rest.orderedAmount,
    totalAmount,
    interests,
    IVAAmount,
    totalAmountWithInterests: rest.totalAmountWithInterests,
    paymentDate: rest.paymentDate,
    timeZone: rest.paymentTimeZone,
  };
}
