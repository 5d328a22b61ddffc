import { sealedTableOf } from '@fiado/chassis/db/marked-columns';
import type { SealedTable } from '@fiado/chassis/keys/sealed-tables';
import { PHONE_PURPOSE } from '@fiado/contracts/jobs/send-message';
import { InvoiceFileRow } from '../invoices/invoice-file.entity';
import { InvoiceIssuerRow } from '../invoices/invoice-issuer.entity';
import { InvoiceRow } from '../invoices/invoice.entity';
import { LOCATION_PURPOSE, WORD_PURPOSE } from '../orders/order.rules';

/** All sealed values of the schema, but answers and jobs, which live for a day and for a month. */
export const SEALED_TABLES: SealedTable[] = [
  {
    table: 'credit_lines',
    id: 'corner_store_id',
    columns: [{ column: 'phone_sealed', purpose: PHONE_PURPOSE }],
  },
  {
    table: 'delivery_words',
    id: 'transaction_id',
    columns: [{ column: 'word_sealed', purpose: WORD_PURPOSE }],
  },
  {
    table: 'transactions',
    id: 'id',
    columns: [{ column: 'location_sealed', purpose: LOCATION_PURPOSE }],
  },
  sealedTableOf(InvoiceIssuerRow),
  sealedTableOf(InvoiceRow),
  sealedTableOf(InvoiceFileRow),
];
