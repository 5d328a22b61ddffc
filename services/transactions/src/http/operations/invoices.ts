import {
  count,
  listOf,
  nullable,
  object,
  oneOf,
  pesos,
  success,
  text,
  timestamp,
  uuid,
} from '@fiado/shared/openapi/json-schema';
import type { Operation } from '@fiado/shared/openapi/operation';
import { CreateInvoiceBody } from '../create-invoice';
import { EXAMPLE_IDS } from './answers';

const { transactionId } = EXAMPLE_IDS;

const exampleProducts = [
  {
    product: {
      description: 'Refresco 600 ml',
      price: 480.5,
      productKey: '50202306',
      sku: 'REF-600',
      taxes: [{ rate: 0.16, type: 'IVA' }],
      unitKey: 'H87',
    },
    quantity: 24,
  },
];

const invoicedProduct = object('InvoicedProduct', {
  description: text,
  price: pesos,
  productKey: text,
  sku: text,
  taxes: listOf(object('InvoicedTax', { rate: { type: 'number' }, type: text })),
  unitKey: text,
});

const invoiceAnswer = object('Invoice', {
  invoiceId: uuid,
  transactionId: uuid,
  status: oneOf(['pending', 'issued', 'failed']),
  discount: pesos,
  products: listOf(
    object('InvoiceLine', { product: invoicedProduct, quantity: { type: 'number' } }),
  ),
  provider: text,
  providerInvoiceId: nullable(text),
  providerStatus: nullable(text),
  uuid: nullable(text),
  selfInvoiceUrl: nullable(text),
  attempts: count,
  lastError: nullable(text),
  nextAttemptAt: nullable(timestamp),
  failureReason: nullable(text),
  createdAt: timestamp,
  issuedAt: nullable(timestamp),
});

export const createInvoice: Operation = {
  id: 'createInvoice',
  tag: 'Transactions',
  summary: 'Create the invoice of a transaction',
  description:
    'One for a transaction, once it is `on-hold`; it is issued a moment later. Another one replaces it ' +
    'only when it failed. `price` is the total of ' +
    'its line, taxes included: `quantity` does not multiply it. The prices less the `discount` must ' +
    'not exceed the amount of the transaction, once delivered the delivered one, by more than a cent ' +
    'for each line.',
  body: CreateInvoiceBody,
  bodyExample: { invoice: { discount: 0, products: exampleProducts } },
  answer: { status: 201, schema: success, example: { success: true } },
  errors: [
    'TRANSACTION_NOT_FOUND',
    'TRANSACTION_NOT_INVOICEABLE',
    'INVOICE_ALREADY_EXISTS',
    'INVOICE_AMOUNT_NOT_ALLOWED',
  ],
  takesIdempotencyKey: true,
};

export const getInvoice: Operation = {
  id: 'getInvoice',
  tag: 'Transactions',
  summary: 'Get the invoice of a transaction',
  description:
    'An invoice that could not be issued stays `pending` and is tried again for three days, at most ' +
    'an hour apart; `lastError` and `nextAttemptAt` show it. A `failed` one has its `failureReason`. ' +
    'Facturapi issues an e-receipt, as no tax data of the corner store is known: `selfInvoiceUrl` is ' +
    'the page on which the store gets its invoice, and `uuid` is null until the tax authority gave one.',
  answer: {
    status: 200,
    schema: invoiceAnswer,
    example: {
      invoiceId: '1f0e9d8c-7b6a-4594-8372-6150f4e3d2c1',
      transactionId,
      status: 'issued',
      discount: 0,
      products: exampleProducts,
      provider: 'local',
      providerInvoiceId: 'A-000042',
      providerStatus: 'stored',
      uuid: null,
      selfInvoiceUrl: null,
      attempts: 1,
      lastError: null,
      nextAttemptAt: null,
      failureReason: null,
      createdAt: '2027-01-20T16:04:05.678Z',
      issuedAt: '2027-01-20T16:04:06.123Z',
    },
  },
  errors: ['TRANSACTION_NOT_FOUND', 'INVOICE_NOT_FOUND'],
};
