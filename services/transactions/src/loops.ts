import { Loop } from '@fiado/chassis/loop';
import type { Context } from './context';
import { EXPIRY_LOOP, expireTransactions, type ExpiryCursor } from './orders/expire-orders';
import { INVOICE_LOOP, issueDueInvoices } from './invoices/issue-invoice';

/** How often orders expire. Seconds do not matter. */
const EXPIRE_EVERY_MS = 30_000;

/** How often due invoices are retried. Their delays are half a minute and more. */
const ISSUE_EVERY_MS = 5_000;

/** The loops of this service. */
export function loops(context: Context): Loop[] {
  let after: ExpiryCursor | undefined;
  return [
    new Loop(context.log, {
      name: EXPIRY_LOOP,
      everyMs: EXPIRE_EVERY_MS,
      round: async () => {
        after = await expireTransactions(context, after);
        return after !== undefined;
      },
    }),
    new Loop(context.log, {
      name: INVOICE_LOOP,
      everyMs: ISSUE_EVERY_MS,
      round: () => issueDueInvoices(context),
    }),
  ];
}
