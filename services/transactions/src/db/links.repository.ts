import { query, type Db } from '@fiado/shared/chassis/db/query';
import type { TransactionStatus } from '../domain/transaction-status';

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
  codeSent: boolean;
  /** Times that the wholesaler changed the phone, and whether it did since the code was sent. */
  phoneChanges: number;
  codeIsVoid: boolean;
}

/** By the id at the end of the link, which only its recipient knows. */
export async function findLinkedTransaction(
  db: Db,
  transactionId: string,
): Promise<LinkedTransaction | undefined> {
  const [row] = await query<LinkedTransaction>(
    db,
    `SELECT t.id, t.status, t.wholesaler_id AS "wholesalerId", t.amount_cents AS "amountCents",
            wholesaler.name AS "wholesalerName", line.phone_sealed AS "phoneSealed",
            line.corner_store_id AS "cornerStoreId",
            verification.id AS "verificationId", verification.sends > 0 AS "codeSent",
            customer.phone_changes AS "phoneChanges",
            verification.phone_changes <> customer.phone_changes AS "codeIsVoid"
       FROM transactions t
       JOIN wholesalers wholesaler USING (wholesaler_id)
       JOIN credit_lines line USING (corner_store_id)
       JOIN customers customer USING (wholesaler_id, corner_store_id)
       JOIN verifications verification ON verification.transaction_id = t.id
      WHERE t.id = $1 AND t.linked`,
    [transactionId],
  );
  return row;
}
