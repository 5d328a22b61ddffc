import { guardRow } from '@fiado/shared/chassis/guard-row';
import type { Context } from '../context';
import { findDueInvoices } from '../db/invoices.repository';
import { issueInvoice } from './issue-invoice';

/** Name of the loop that issues invoices. */
export const INVOICE_LOOP = 'issue invoices';
/** Invoices of one round: they are issued side by side, and an invoice provider limits its rate. */
const BATCH_SIZE = 10;

/**
 * Tries the pending invoices again whose next try is due, on the database's clock.
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
