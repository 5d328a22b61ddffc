import { isUniqueViolation, query } from '@fiado/chassis/db/query';
import { insertRow } from '@fiado/chassis/db/rows';
import { answerInTransaction, type StoreAnswer } from '@fiado/chassis/idempotency';
import { appendToOutbox, outboxRows } from '@fiado/chassis/outbox/append';
import { AppError } from '@fiado/contracts/errors';
import { issueInvoice } from '@fiado/contracts/jobs/issue-invoice';
import { newId } from '@fiado/contracts/new-id';
import type { Context } from '../context';
import { lockTransaction } from '../db/transactions.repository';
import { exceedsTransaction, isInvoiceable, type InvoicedProduct } from '../domain/invoice';

export interface CreateInvoice {
  wholesalerId: string;
  transactionId: string;
  discountCents: number;
  products: InvoicedProduct[];
}

/**
 * Stores an invoice of a transaction, which a job issues. It replaces a failed one.
 * @throws AppError TRANSACTION_NOT_FOUND, TRANSACTION_NOT_INVOICEABLE, INVOICE_ALREADY_EXISTS,
 * INVOICE_AMOUNT_NOT_ALLOWED
 */
export async function createInvoice(
  context: Context,
  { wholesalerId, transactionId, discountCents, products }: CreateInvoice,
  answerOf: StoreAnswer<void>,
): Promise<void> {
  const id = newId();
  await answerInTransaction(context, answerOf, async (tx) => {
    const transaction = await lockTransaction(tx, wholesalerId, transactionId);
    if (transaction === undefined) throw new AppError('TRANSACTION_NOT_FOUND');
    if (!isInvoiceable(transaction.status)) throw new AppError('TRANSACTION_NOT_INVOICEABLE');
    if (exceedsTransaction({ discountCents, products }, transaction.amountCents)) {
      throw new AppError('INVOICE_AMOUNT_NOT_ALLOWED');
    }
    // With a new id, because the provider knows the failed one by its id.
    await query(tx, `DELETE FROM invoices WHERE transaction_id = $1 AND status = 'failed'`, [
      transactionId,
    ]);
    await insertRow(tx, 'invoices', {
      id,
      transactionId,
      discountCents,
      products: JSON.stringify(products),
      status: 'pending',
      provider: context.invoiceProvider.name,
    });
    await appendToOutbox(tx, outboxRows(issueInvoice, { id, version: 1 }, { invoiceId: id }));
  }).catch((error: unknown) => {
    if (!isUniqueViolation(error, 'invoices_transaction')) throw error;
    throw new AppError('INVOICE_ALREADY_EXISTS', { cause: error });
  });
}
