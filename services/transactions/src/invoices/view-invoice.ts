import type { Db } from '@fiado/chassis/db/database';
import { queryRow } from '@fiado/chassis/db/query';
import { endpoint } from '@fiado/chassis/http/endpoint';
import * as fields from '@fiado/chassis/openapi/fields';
import * as t from '@fiado/chassis/openapi/json-schema';
import { AppError } from '@fiado/contracts/errors';
import { EXAMPLE_INVOICE } from '@fiado/contracts/event-examples';
import { amountOf } from '@fiado/contracts/money';
import type { Context } from '../context';
import { requireWholesalerOf } from '../orders/order.sql';
import { SIMULATED } from './invoice-provider';
import type { InvoiceRow } from './invoice.entity';
import { DOCUMENT_KINDS, isUnderHalfOfOrder, TAX_FACTORS, totalCentsOf } from './invoice.rules';

export const INVOICE_STATUSES = ['pending', 'issued', 'failed'] as const;

export const CANCELLATIONS = ['none', 'requested', 'accepted', 'rejected', 'expired'] as const;

/** An invoice as it is shown. */
export interface ShownInvoice extends InvoiceRow {
  /** The order's amount, without what was credited. An event of the release before has none. */
  billableCents: number | undefined;
}

const UNDER_HALF =
  'The total is under half of the amount of the transaction. `price` is the total of a line: `quantity` does not multiply it';

export const invoicedTax = t.object(
  'InvoicedTax',
  {
    rate: t.field(
      t.decimal,
      'The tax as a share: 0.16 is 16 %, at most 2. With the factor `Cuota` pesos for each unit, with `Exento` 0',
      0.16,
    ),
    type: t.field(t.text, 'Name of the tax: IVA, IEPS', 'IVA'),
    factor: t.field(
      t.oneOf(TAX_FACTORS),
      '`Tasa`: a share of the price without taxes; IEPS is a part of what IVA is a share of. `Cuota`: pesos for each unit, of ' +
        'IEPS. `Exento`: exempt. Absent: `Tasa`',
    ),
  },
  ['factor'],
);

export const invoicedProduct = t.object('InvoicedProduct', {
  description: t.field(t.text, 'Name of the product on the invoice', 'Refresco 600 ml'),
  price: t.field(
    t.pesos,
    'Total price of the line, taxes included: `quantity` does not multiply it',
    480.5,
  ),
  productKey: t.field(
    t.text,
    'Key of the product in the catalogue of the tax authority (SAT)',
    '50202306',
  ),
  sku: t.field(t.text, 'The wholesaler’s own id of the product', 'REF-600'),
  taxes: t.list(invoicedTax, 'Taxes on the line'),
  unitKey: t.field(t.text, 'Key of the unit in the catalogue of the tax authority (SAT)', 'H87'),
});

export const invoiceFields = {
  invoiceId: t.id('Id of the invoice', '9d0f4f0e-4b0e-4f0a-9a52-8c1d6f1f0a42'),
  transactionId: fields.transactionId,
  status: t.field(t.oneOf(INVOICE_STATUSES), 'Whether the invoice was issued'),
  kind: t.field(
    t.nullable(t.oneOf(DOCUMENT_KINDS)),
    '`invoice`: in the name of the store, by its tax profile. `receipt`: in nobody’s name. Null until it is tried',
  ),
  cancellation: t.field(
    t.oneOf(CANCELLATIONS),
    'Of an issued one whose transaction ended or shrank, or that you cancelled: `requested` until its provider has answered, and ' +
      'its receiver where that has to agree, `accepted` once it is cancelled, `rejected` when one of them will not, `expired` when ' +
      'the receiver did not answer in time. Else `none`',
    'none',
  ),
  discount: t.field(t.pesos, 'Discount on the whole invoice', 0),
  products: t.list(
    t.object('InvoiceLine', {
      product: t.field(invoicedProduct, 'The product of the line'),
      quantity: fields.quantity,
    }),
    'Lines of the invoice',
  ),
  total: t.field(t.pesos, 'What it bills: the prices less the discount', 480.5),
  warning: t.textOrNull(
    'Text that points out a total under half of what the transaction may be billed for; null otherwise',
    UNDER_HALF,
  ),
  provider: t.field(t.text, 'Invoicing provider', 'facturapi'),
  isSimulated: t.field(
    t.flag,
    'Whether nobody issued it: it is for tests, and no document exists',
    false,
  ),
  providerInvoiceId: t.textOrNull('Id of the invoice at the provider', 'inv-1001'),
  providerStatus: t.textOrNull('State of the invoice at the provider', 'valid'),
  uuid: t.textOrNull(
    'Fiscal folio (UUID) of the issued invoice',
    '6f0d1f9a-6a4e-4d39-9c8a-0d5b6a1e77c1',
  ),
  selfInvoiceUrl: t.textOrNull(
    'Page on which the corner store asks for the invoice with its own tax data',
    'https://factura.example/abc',
  ),
  attempts: fields.attempts,
  lastError: t.textOrNull('Why the last attempt failed', 'HTTP 503'),
  nextAttemptAt: t.nullable(fields.nextAttemptAt),
  failureReason: t.textOrNull('Why the invoice failed for good', 'invalid product key'),
  createdAt: fields.createdAt,
  issuedAt: t.timeOrNull('Time at which the invoice was issued', '2026-11-23T10:00:00.000Z'),
};

export const invoiceAnswer = t.object('Invoice', invoiceFields);

export const getInvoiceEndpoint = endpoint({
  id: 'getInvoice',
  as: 'transactions.getInvoice',
  tag: 'Transactions',
  route: 'GET /v1/transaction/:transactionId/invoice',
  scope: 'transactions:read',
  names: { transactionId: 'order' },
  summary: 'Get the invoice of a transaction',
  description:
    'An invoice that could not be issued stays `pending` and is retried for three days, at most ' +
    'an hour apart; `lastError` and `nextAttemptAt` show it. A `failed` one has its `failureReason`. ' +
    'A store with a tax profile (`setTaxProfile`) gets an invoice (CFDI) in its name, paid later (PPD, 99), with its `uuid`. Any ' +
    'other gets an e-receipt: `selfInvoiceUrl` is the page on which it gets its invoice. A document is cancelled when its transaction is cancelled or expires, and a receipt when it is credited whole. When less is delivered, or ' +
    'a part is credited, so that it bills too much, an invoice in the name of the store gets a credit note (CFDI of type E), and stays as it is; ' +
    'a receipt is cancelled and made anew, with another `invoiceId` and smaller lines in proportion. A receipt that the store has turned into its invoice, or that is part of a global ' +
    'invoice, and an invoice whose receiver refuses, stay, with `cancellation: rejected` and the reason in `lastError`: correct it with your ' +
    'provider.',
  errors: ['TRANSACTION_NOT_FOUND', 'INVOICE_NOT_FOUND'],
  answer: invoiceAnswer,
  example: EXAMPLE_INVOICE,
  input: ({ id, caller }) => ({
    transactionId: id('transactionId', 'TRANSACTION_NOT_FOUND'),
    wholesalerId: caller.id,
  }),
  handle: async ({ db }: Context, { transactionId, wholesalerId }) => {
    await requireWholesalerOf(db, transactionId, wholesalerId);
    const invoice = await findInvoice(db, transactionId);
    if (invoice === undefined) throw new AppError('INVOICE_NOT_FOUND');
    return invoice;
  },
  present: presentInvoice,
});

export function presentInvoice(invoice: ShownInvoice): t.AnswerOf<typeof invoiceAnswer> {
  const { status, cancellation, nextAttemptAt, billableCents } = invoice;
  const waits = status === 'pending' || cancellation === 'requested';
  return t.presentRow(invoiceAnswer, invoice, {
    invoiceId: invoice.id,
    discount: amountOf(invoice.discountCents),
    total: amountOf(totalCentsOf(invoice)),
    warning: isUnderHalfOfOrder(invoice, billableCents ?? 0) ? UNDER_HALF : null,
    isSimulated: invoice.provider === SIMULATED,
    nextAttemptAt: waits ? nextAttemptAt.toISOString() : null,
  });
}

/** The invoice of an order. */
export function findInvoice(db: Db, transactionId: string): Promise<ShownInvoice | undefined> {
  return queryRow<ShownInvoice>(
    db,
    `SELECT invoices.*, t.amount_cents - (
              SELECT coalesce(sum(principal_cents), 0)::bigint FROM credit_notes
               WHERE transaction_id = t.id) AS billable_cents
       FROM invoices JOIN transactions t ON t.id = transaction_id WHERE transaction_id = $1`,
    [transactionId],
  );
}
