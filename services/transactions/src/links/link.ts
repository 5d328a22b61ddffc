import type { Db } from '@fiado/chassis/db/database';
import { query } from '@fiado/chassis/db/query';
import { AppError } from '@fiado/contracts/errors';
import type { LinkedOrder } from '@fiado/contracts/links';
import { MAX_CHECKS } from '@fiado/contracts/verification-rules';
import type { Context } from '../context';
import { presentTransaction, type TransactionView } from '../orders/order-view';
import type { TransactionStatus } from '../orders/order.rules';
import { IS_PHONE_HELD } from '../orders/order.sql';

/** A transaction as the page behind its link needs it. */
export interface LinkedTransaction {
  id: string;
  cornerStoreId: string;
  status: TransactionStatus;
  wholesalerId: string;
  wholesalerName: string;
  amountCents: number;
  phoneSealed: Buffer;
  verificationId: string;
  codeSalt: Buffer;
  codeSent: boolean;
  codeIsExpired: boolean;
  /** Whether the code's checks on the page are used up. */
  codeIsUsedUp: boolean;
  /** Times that the wholesaler changed the phone, and whether it did since the code was sent. */
  phoneChanges: number;
  codeIsVoid: boolean;
  isPhoneHeld: boolean;
  interestRate: string;
  ivaRate: string;
  commissionRate: string;
  paymentTermDays: number;
  deliveryOverageRate: string;
}

/**
 * By the id at the end of the link, which only its recipient and the wholesaler know.
 * @throws AppError TRANSACTION_NOT_FOUND
 */
export async function requireLinked(db: Db, transactionId: string): Promise<LinkedTransaction> {
  const [row] = await query<LinkedTransaction>(
    db,
    `SELECT t.id, t.status, t.wholesaler_id, t.amount_cents,
            wholesaler.name AS "wholesalerName", line.phone_sealed, line.corner_store_id,
            verification.id AS "verificationId", verification.sends > 0 AS "codeSent",
            verification.code_salt, verification.expires_at <= now() AS "codeIsExpired",
            verification.page_checks >= $2 AND verification.page_code_salt IS NOT DISTINCT FROM verification.code_salt
              AS "codeIsUsedUp",
            t.interest_rate, t.iva_rate, t.commission_rate,
            coalesce(t.payment_term_days, wholesaler.payment_term_days) AS "paymentTermDays",
            coalesce(t.delivery_overage_rate, wholesaler.delivery_overage_rate)
              AS "deliveryOverageRate", customer.phone_changes,
            verification.phone_changes <> customer.phone_changes AS "codeIsVoid", ${IS_PHONE_HELD}
       FROM transactions t
       JOIN wholesalers wholesaler USING (wholesaler_id)
       JOIN credit_lines line USING (corner_store_id)
       JOIN customers customer USING (wholesaler_id, corner_store_id)
       JOIN verifications verification ON verification.transaction_id = t.id
      WHERE t.id = $1 AND t.linked`,
    [transactionId, MAX_CHECKS],
  );
  if (row === undefined) throw new AppError('TRANSACTION_NOT_FOUND');
  return row;
}

/** The figures of the API's own answer. */
export function presentLinked(context: Context, transaction: TransactionView): LinkedOrder {
  const { wholesaler, products, totalAmount, interests, IVAAmount, ...rest } = presentTransaction(
    transaction,
    context,
  );
  return {
    wholesaler,
    products: products.map(({ name, quantity }) => ({ name, quantity })),
    totalAmount,
    interests,
    IVAAmount,
    totalAmountWithInterests: rest.totalAmountWithInterests,
    paymentDate: rest.paymentDate,
    timeZone: rest.paymentTimeZone,
  };
}
