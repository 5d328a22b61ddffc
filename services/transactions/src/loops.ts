import { exportLoop } from '@fiado/chassis/exports/make-exports';
import { exportSweepLoop } from '@fiado/chassis/exports/wipe-exports';
import type { Loop } from '@fiado/chassis/loop';
import type { Context } from './context';
import { issuerWarnings } from './invoices/issuer-warnings';
import { expiryLoop } from './orders/expire-orders';
import { closingLoop } from './statements/close-statements';
import { taxDocumentLoop } from './tax-documents/issue-tax-documents';

/** The loops of this service. */
export function loops(context: Context): Loop[] {
  return [
    expiryLoop(context),
    ...(context.config.OUTGOING === 'on' ? [context.invoiceLoop, taxDocumentLoop(context)] : []),
    ...issuerWarnings(context),
    closingLoop(context),
    exportLoop(context),
    exportSweepLoop(context),
  ];
}
