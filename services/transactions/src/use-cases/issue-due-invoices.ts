import { guardRow } from '@fiado/chassis/guard-row';
import type { Context } from '../context';
import { findDueInvoices } from '../db/invoices.repository';
import { issueInvoice } from './issue-invoice';

/** Name of the loop that issues invoices. */
export const INVOICE_LOOP = 'issue invoices';
/**
 * Invoices of one iteration. They are issued concurrently, and an invoice provider limits its rate.
 */
const BATCH_SIZE = 10;

/**
 * Retries the pending invoices whose next attempt is due, by the database's clock.
 * @returns true when there may be more
 */
export async function issueDueInvoices(context: Context): Promise<boolean> {
  const due = await findDueInvoices(context.db, BATCH_SIZE);
  await Promise.all(
    due.map((invoiceId) =>
      guardRow(INVOICE_LOOP, { log: context.log, invoiceId }, () =>
        issueInvoice(context, invoiceId),
      ),
    ),
  );
  return due.length === BATCH_SIZE;
}
