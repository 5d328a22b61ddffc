import type { Db } from '@fiado/chassis/db/database';
import { queryRow } from '@fiado/chassis/db/query';
import { endpoint } from '@fiado/chassis/http/endpoint';
import * as t from '@fiado/chassis/openapi/json-schema';
import { AppError } from '@fiado/contracts/errors';
import { EXAMPLE_INVOICE } from '@fiado/contracts/event-examples';
import { amountOf } from '@fiado/contracts/money';
import type { Context } from '../context';
import { findWholesalerOf } from '../orders/order.sql';
import { exampleProducts } from './create-invoice';
import type { InvoicedProduct } from './invoice.rules';

const INVOICE_STATUSES = ['pending', 'issued', 'failed'] as const;

/** The invoice of an order: one, which is replaced only when it failed. */
export interface Invoice {
  id: string;
  transactionId: string;
  discountCents: number;
  products: InvoicedProduct[];
  status: InvoiceStatus;
  /** The invoice provider that was configured when it was created. */
  provider: string;
  providerInvoiceId: string | null;
  failureReason: string | null;
  /** Attempts to issue it, or to look up its state at the provider. */
  attempts: number;
  nextAttemptAt: Date;
  /** Why the newest try failed; null once a try succeeded. */
  lastError: string | null;
  /** The provider's name of its state. */
  providerStatus: string | null;
  /** The tax authority's id, once there is one. */
  uuid: string | null;
  /** Where the customer turns a receipt into an invoice of its own. */
  selfInvoiceUrl: string | null;
  createdAt: Date;
  issuedAt: Date | null;
}

type InvoiceStatus = (typeof INVOICE_STATUSES)[number];

const invoicedProduct = t.object('InvoicedProduct', {
  description: t.text,
  price: t.pesos,
  productKey: t.text,
  sku: t.text,
  taxes: t.listOf(t.object('InvoicedTax', { rate: t.decimal, type: t.text })),
  unitKey: t.text,
});

export const invoiceAnswer = t.object('Invoice', {
  invoiceId: t.uuid,
  transactionId: t.uuid,
  status: t.oneOf(INVOICE_STATUSES),
  discount: t.pesos,
  products: t.listOf(t.object('InvoiceLine', { product: invoicedProduct, quantity: t.decimal })),
  provider: t.text,
  providerInvoiceId: t.nullable(t.text),
  providerStatus: t.nullable(t.text),
  uuid: t.nullable(t.text),
  selfInvoiceUrl: t.nullable(t.text),
  attempts: t.count,
  lastError: t.nullable(t.text),
  nextAttemptAt: t.nullable(t.timestamp),
  failureReason: t.nullable(t.text),
  createdAt: t.timestamp,
  issuedAt: t.nullable(t.timestamp),
});

export const getInvoiceEndpoint = endpoint({
  id: 'getInvoice',
  tag: 'Transactions',
  route: 'GET /v1/transaction/:transactionId/invoice',
  scope: 'transactions:read',
  summary: 'Get the invoice of a transaction',
  description:
    'An invoice that could not be issued stays `pending` and is retried for three days, at most ' +
    'an hour apart; `lastError` and `nextAttemptAt` show it. A `failed` one has its `failureReason`. ' +
    'Facturapi issues an e-receipt, because no tax data of the corner store is known: `selfInvoiceUrl` is ' +
    'the page on which the store gets its invoice, and `uuid` is null until the tax authority has assigned one.',
  errors: ['TRANSACTION_NOT_FOUND', 'INVOICE_NOT_FOUND'],
  answer: invoiceAnswer,
  example: { ...EXAMPLE_INVOICE, products: exampleProducts },
  input: ({ id, caller }) => ({
    id: id('transactionId', 'TRANSACTION_NOT_FOUND'),
    wholesalerId: caller.id,
  }),
  handle: async ({ db }: Context, transaction) => {
    const wholesalerId = await findWholesalerOf(db, transaction.id);
    if (wholesalerId !== transaction.wholesalerId) throw new AppError('TRANSACTION_NOT_FOUND');
    const invoice = await findInvoice(db, transaction.id);
    if (invoice === undefined) throw new AppError('INVOICE_NOT_FOUND');
    return invoice;
  },
  present: presentInvoice,
});

export function presentInvoice(invoice: Invoice): t.AnswerOf<typeof invoiceAnswer> {
  const { status, nextAttemptAt } = invoice;
  return t.presentRow(invoiceAnswer, invoice, {
    invoiceId: invoice.id,
    discount: amountOf(invoice.discountCents),
    nextAttemptAt: status === 'pending' ? nextAttemptAt.toISOString() : null,
  });
}

/** The invoice of an order. */
export function findInvoice(db: Db, transactionId: string): Promise<Invoice | undefined> {
  return queryRow<Invoice>(db, 'SELECT * FROM invoices WHERE transaction_id = $1', [transactionId]);
}
