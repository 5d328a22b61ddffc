import { query } from '@fiado/chassis/db/query';
import { endpoint } from '@fiado/chassis/http/endpoint';
import * as fields from '@fiado/chassis/openapi/fields';
import * as t from '@fiado/chassis/openapi/json-schema';
import { EXAMPLE_TAX_DOCUMENT } from '@fiado/contracts/event-examples';
import { amountOf } from '@fiado/contracts/money';
import type { Context } from '../context';
import { SIMULATED } from '../invoices/invoice-provider';
import { requireWholesalerOf } from '../orders/order.sql';
import type { TaxDocumentRow } from './tax-document.entity';

/** A document as `tax_document_resource` writes it: all of its rows. Cents. */
export interface ShownTaxDocument extends Pick<
  TaxDocumentRow,
  'statementId' | 'status' | 'cancellation' | 'uuid' | 'lastError' | 'provider'
> {
  id: string;
  kind: 'credit-note' | 'payment' | 'invoice';
  cents: TaxDocumentRow['cents'];
  nettedCents: TaxDocumentRow['nettedCents'];
  transactionIds: string[];
  createdAt: string;
  issuedAt: string | null;
}

const taxDocumentAnswer = t.object('TaxDocument', {
  taxDocumentId: t.id('Id of the document', EXAMPLE_TAX_DOCUMENT.taxDocumentId),
  kind: t.field(
    t.oneOf(['credit-note', 'payment', 'invoice']),
    '`credit-note`: takes off what an invoice bills too much (CFDI of type E). `payment`: says that the lender paid invoices (type P). ' +
      '`invoice`: a cancelled one, which another one replaced',
  ),
  transactionIds: t.list(
    t.uuid,
    'Transactions whose invoices it is about: a payment complement settles all those of a statement and a receiver',
  ),
  statementId: t.nullable(fields.statementId),
  status: t.field(t.oneOf(['pending', 'issued']), 'Whether it was issued'),
  cancellation: t.field(
    t.oneOf(['none', 'requested', 'accepted', 'rejected']),
    'Of a payment complement whose statement was returned, and of a credit note whose invoice was cancelled: `requested` until its provider ' +
      'has answered, `accepted` once it is cancelled, `rejected` when its provider will not cancel it. `accepted` of an invoice that ' +
      'was replaced. Else `none`',
    'none',
  ),
  total: t.field(t.pesos, 'What it takes off, says that was paid, or bills', 480.5),
  nettedAmount: t.field(
    t.pesos,
    'What of it was not transferred: of a payment what the statement took off, as the commission; of a credit note all',
    11.15,
  ),
  uuid: t.textOrNull('Fiscal folio (UUID) once it is issued', EXAMPLE_TAX_DOCUMENT.uuid),
  isSimulated: t.field(
    t.flag,
    'Whether nobody issued it: it is for tests, and no document exists',
    false,
  ),
  lastError: t.textOrNull('Why the last attempt failed', 'HTTP 503'),
  createdAt: fields.createdAt,
  issuedAt: t.timeOrNull('Time at which it was issued', '2026-11-24T18:00:00.000Z'),
});

const listing = {
  as: 'transactions.listTaxDocuments',
  summary: 'List the documents about the invoice of a transaction',
  errors: ['TRANSACTION_NOT_FOUND'],
  answer: t.object('TaxDocuments', {
    documents: t.list(taxDocumentAnswer, 'The documents'),
  }),
  example: { documents: [EXAMPLE_TAX_DOCUMENT] },
  handle: listTaxDocuments,
  present: (documents: ShownTaxDocument[]) => ({ documents: documents.map(presentTaxDocument) }),
} as const;

const DESCRIPTION =
  'Oldest first: the credit notes (CFDI) for what it bills too much, the payment complement of the statement that settled it, and ' +
  'the invoices that it replaced. What is not issued yet is tried again, an hour apart at most, until it is.';

export const listTaxDocumentsEndpoint = endpoint({
  ...listing,
  id: 'listTaxDocuments',
  tag: 'Transactions',
  route: 'GET /v1/transaction/:transactionId/invoice/documents',
  scope: 'transactions:read',
  names: { transactionId: 'order' },
  description: `${DESCRIPTION} \`getInvoiceFile\` serves the file of each by its \`kind\` and \`uuid\`.`,
  input: ({ id, caller }) => ({
    transactionId: id('transactionId', 'TRANSACTION_NOT_FOUND'),
    wholesalerId: caller.id,
  }),
});

export const listOpsTaxDocumentsEndpoint = endpoint({
  ...listing,
  id: 'listTransactionTaxDocuments',
  tag: 'Ops: transactions',
  route: 'GET /v1/admin/transactions/:transactionId/invoice/documents',
  scope: 'viewer',
  description: DESCRIPTION,
  input: ({ id }) => ({ transactionId: id('transactionId', 'TRANSACTION_NOT_FOUND') }),
});

/** @throws AppError TRANSACTION_NOT_FOUND */
async function listTaxDocuments(
  { db }: Context,
  { transactionId, wholesalerId }: { transactionId: string; wholesalerId?: string },
): Promise<ShownTaxDocument[]> {
  await requireWholesalerOf(db, transactionId, wholesalerId);
  const rows = await query<{ document: ShownTaxDocument }>(
    db,
    `SELECT tax_document_resource(first) AS document
       FROM tax_documents own JOIN tax_documents first ON first.id = own.document_id
      WHERE own.transaction_id = $1 AND own.status <> 'dropped' ORDER BY own.created_at, own.id`,
    [transactionId],
  );
  return rows.map(({ document }) => document);
}

export function presentTaxDocument(
  document: ShownTaxDocument,
): t.AnswerOf<typeof taxDocumentAnswer> {
  return t.presentRow(taxDocumentAnswer, document, {
    taxDocumentId: document.id,
    total: amountOf(document.cents),
    nettedAmount: amountOf(document.nettedCents),
    isSimulated: document.provider === SIMULATED,
    createdAt: new Date(document.createdAt).toISOString(),
    issuedAt: document.issuedAt && new Date(document.issuedAt).toISOString(),
  });
}
