import { query } from '@fiado/shared/chassis/db/query';
import { InvoiceRefused } from '../clients/invoice-provider/invoice-provider';
import type { Context } from '../context';
import { InvoiceEntity } from '../db/invoice.entity';

/**
 * Has a stored invoice issued. The provider is asked outside any database transaction and under our
 * id, so that a crash in between only asks it again for the same invoice.
 */
export async function issueInvoice(context: Context, invoiceId: string): Promise<void> {
  const invoice = await context.db.manager.findOneBy(InvoiceEntity, { id: invoiceId });
  if (invoice?.status !== 'pending') return;

  const { transactionId, discountCents, products } = invoice;
  const outcome = await context.invoiceProvider
    .issue({ invoiceId, transactionId, discountCents, products })
    .catch((error: unknown) => {
      if (error instanceof InvoiceRefused) return { refused: error.message };
      throw error;
    });
  const [status, providerInvoiceId, reason] =
    'refused' in outcome
      ? (['failed', null, outcome.refused] as const)
      : (['issued', outcome.providerInvoiceId, null] as const);
  await query(
    context.db,
    `UPDATE invoices
        SET status = $2, provider_invoice_id = $3, failure_reason = $4,
            issued_at = CASE WHEN $2 = 'issued' THEN now() END
      WHERE id = $1 AND status = 'pending'`,
    [invoiceId, status, providerInvoiceId, reason],
  );
  if (status === 'failed') context.log.warn({ invoiceId }, 'an invoice was refused');
}
