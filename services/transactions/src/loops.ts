import type { Loop } from '@fiado/chassis/loop';
import type { Context } from './context';
import { invoiceLoop } from './invoices/issue-invoice';
import { expiryLoop } from './orders/expire-orders';
import { closingLoop } from './statements/close-statements';

/** The loops of this service. */
export function loops(context: Context): Loop[] {
  return [expiryLoop(context), invoiceLoop(context), closingLoop(context)];
}
