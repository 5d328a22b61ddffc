import type { RequestHandler } from 'express';
import { callerOf } from '@fiado/shared/chassis/http/caller';
import { idParam } from '@fiado/shared/chassis/http/params';
import { AppError } from '@fiado/shared/contracts/errors';
import { amountOf } from '@fiado/shared/money';
import type { Context } from '../context';
import { InvoiceEntity } from '../db/invoice.entity';
import { TransactionEntity } from '../db/transaction.entity';

/** GET /transaction/{transactionId}/invoice. */
export function handleGetInvoice(context: Context): RequestHandler {
  return async (req, res) => {
    const transactionId = idParam(req, 'transactionId', 'TRANSACTION_NOT_FOUND');
    const wholesalerId = callerOf(req).id;
    const { manager } = context.db;
    const known = await manager.existsBy(TransactionEntity, { id: transactionId, wholesalerId });
    if (!known) throw new AppError('TRANSACTION_NOT_FOUND');
    const invoice = await manager.findOneBy(InvoiceEntity, { transactionId });
    if (invoice === null) throw new AppError('INVOICE_NOT_FOUND');
    res.json(presentInvoice(invoice));
  };
}

function presentInvoice(invoice: InvoiceEntity): object {
  return {
    invoiceId: invoice.id,
    transactionId: invoice.transactionId,
    status: invoice.status,
    discount: amountOf(invoice.discountCents),
    products: invoice.products,
    provider: invoice.provider,
    providerInvoiceId: invoice.providerInvoiceId,
    providerStatus: invoice.providerStatus,
    uuid: invoice.uuid,
    selfInvoiceUrl: invoice.selfInvoiceUrl,
    attempts: invoice.attempts,
    lastError: invoice.lastError,
    nextAttemptAt: invoice.status === 'pending' ? invoice.nextAttemptAt.toISOString() : null,
    failureReason: invoice.failureReason,
    createdAt: invoice.createdAt.toISOString(),
    issuedAt: invoice.issuedAt?.toISOString() ?? null,
  };
}
