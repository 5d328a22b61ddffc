import type { EventType } from './events';

/** All examples use the same ids, so that they belong together. */
export const EXAMPLE_IDS = {
  transactionId: '0b0c6f3e-5a0f-4a71-9f0a-3d4f6f7a1c11',
  verificationId: '7c1f2b60-2e64-4f55-8f6c-0b8a4c6a9d22',
  cornerStoreId: '5d1e0a52-6b3f-4f0e-9a4d-2f1c7b8e3d33',
  userId: '9e2d4c71-1a5b-4c3d-8e7f-6a5b4c3d2e44',
};
const { transactionId, cornerStoreId, userId } = EXAMPLE_IDS;
const webhookEndpointId = '0199e2c4-5f1a-7b2c-9d8e-7f6a5b4c3d2e';

export const EXAMPLE_SPEC_ORDER = {
  transactionId,
  cornerStoreId,
  userId,
  transactionStatus: 'pending-verification',
  wholesalerTransactionId: 'PED-4711',
  movementDate: '2026-09-21T16:04:05.678Z',
  totalAmount: 500,
  interests: 25,
  IVAAmount: 4,
  totalAmountWithInterests: 529,
  paymentDate: '2026-10-06T05:59:59.999Z',
  deliveryDate: null,
  products: [
    {
      id: '3f2a1b4c-8d7e-4f60-a1b2-c3d4e5f60718',
      externalSKU: 'REF-600',
      name: 'Refresco 600 ml',
      quantity: 24,
      createdAt: '2026-09-21T16:04:05.678Z',
      updatedAt: '2026-09-21T16:04:05.678Z',
    },
  ],
  metadata: { route: 'norte-3' },
  wholesaler: 'Abarrotes del Norte',
};
export const EXAMPLE_ORDER = {
  ...EXAMPLE_SPEC_ORDER,
  orderedAmount: 500,
  paymentTimeZone: 'America/Mexico_City',
  deliveredAt: null,
  deliveryProof: null,
  paidAt: null,
};
export const EXAMPLE_CREDIT_NOTE = {
  creditNoteId: '0199e2c4-ae5f-7061-8c73-849506172839',
  transactionId,
  amount: 120,
  interests: 6,
  IVAAmount: 0.96,
  totalAmount: 126.96,
  commission: 2.4,
  reason: 'return',
  reference: 'DEV-1201',
  invoiceAction: null,
  createdAt: '2026-09-24T17:10:00.000Z',
};
export const EXAMPLE_CREDIT_NOTE_REQUEST = {
  changeRequestId: '0199e2c4-c26e-7c3d-9a51-5f6e7d8c9ba0',
  transactionId,
  amount: 80,
  reason: 'return' as const,
  reference: 'DEV-1202',
  status: 'rejected' as const,
  failure: null,
  requestedAt: '2026-09-25T16:02:00.000Z',
  decidedAt: '2026-09-25T18:40:00.000Z',
};
export const EXAMPLE_DISPUTE = {
  disputeId: '0199f2b4-7d2f-7a9c-8b7e-6f3d8a912c45',
  transactionId,
  status: 'open' as const,
  openedAt: '2026-09-23T16:05:00.000Z',
  decidedAt: null,
  response: null,
  respondedAt: null,
};
const delivered = {
  ...EXAMPLE_ORDER,
  transactionStatus: 'delivery',
  deliveryDate: '2026-09-22T06:00:00.000Z',
  deliveredAt: '2026-09-22T15:30:00.000Z',
  deliveryProof: 'word',
};

const cornerStore = {
  externalId: 'tienda-001',
  userId,
  cornerStoreId,
  status: 'approved',
  creditLimit: 5_000,
  interestRate: 0.05,
};

const payment = {
  transactionId,
  idFactura: '1234567890128',
  numeroReferencia: '123456789015',
  amountDue: 0,
  amountPaid: 529,
  paymentDate: '2026-10-06T05:59:59.999Z',
  paymentTimeZone: 'America/Mexico_City',
  status: 'paid',
};

const paymentDefault = {
  transactionId,
  userId,
  paymentDefaultAmount: 529,
  paymentDefaultCreatedDate: '2027-02-15T06:00:00.000Z',
  paymentDefaultPaidDate: null,
  externalId: 'tienda-001',
};

export const EXAMPLE_INVOICE = {
  invoiceId: '1f0e9d8c-7b6a-4594-8372-6150f4e3d2c1',
  transactionId,
  status: 'issued' as const,
  kind: 'receipt' as const,
  cancellation: 'none' as const,
  discount: 0,
  products: [
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
  ],
  total: 480.5,
  warning: null,
  provider: 'facturapi',
  isSimulated: false,
  providerInvoiceId: 'A-000042',
  providerStatus: 'open',
  uuid: null,
  selfInvoiceUrl: null,
  attempts: 1,
  lastError: null,
  nextAttemptAt: null,
  failureReason: null,
  createdAt: '2026-09-21T16:04:05.678Z',
  issuedAt: '2026-09-21T16:04:06.123Z',
};

export const EXAMPLE_TAX_DOCUMENT = {
  taxDocumentId: '0199e2c4-d37f-7c60-9a84-95a6b7c8d9e0',
  kind: 'payment' as const,
  transactionIds: [transactionId],
  statementId: '0199e2c4-9d4e-7f50-8b62-738495061729',
  status: 'issued' as const,
  cancellation: 'none' as const,
  total: 480.5,
  nettedAmount: 11.15,
  uuid: '6f0d1f9a-6a4e-4d39-9c8a-0d5b6a1e77c1',
  isSimulated: false,
  lastError: null,
  createdAt: '2026-11-24T17:30:00.000Z',
  issuedAt: '2026-11-24T17:30:05.123Z',
};

const closedStatement = {
  statementId: '0199e2c4-9d4e-7f50-8b62-738495061729',
  number: 12,
  periodFrom: '2026-11-16T06:00:00.000Z',
  periodTo: '2026-11-23T06:00:00.000Z',
  status: 'closed',
  lines: 2,
  grossAmount: 1480.5,
  commission: 29.61,
  commissionIVA: 4.74,
  openingBalance: 0,
  netAmount: 1446.15,
  amountDue: 1446.15,
  sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  closedAt: '2026-11-23T06:00:12.345Z',
  paidAt: null,
  paidOn: null,
  bankReference: null,
};
export const EXAMPLE_STATEMENT = {
  ...closedStatement,
  status: 'paid' as const,
  paidAt: '2026-11-24T17:30:00.000Z',
  paidOn: '2026-11-24',
  bankReference: 'SPEI-20261124-12',
};

const deposit = {
  depositId: '4c3b2a19-0807-4f6e-8d5c-4b3a29180706',
  idFactura: '1234567890128',
  numeroReferencia: '123456789015',
  valor: 529,
  fechaPago: '2026-10-01 10:15:00.000',
  claveDePago: 'SPEI-20261001-0001',
  paymentProvider: 'Passport',
  status: 'applied',
  reason: null,
  receivedAt: '2026-10-01T16:15:01.234Z',
};

const refusedReversal = {
  depositId: deposit.depositId,
  claveDePago: deposit.claveDePago,
  valor: deposit.valor,
  fechaPago: deposit.fechaPago,
  receivedAt: deposit.receivedAt,
  status: 'received',
  reversedAt: null,
  reversalRequest: {
    status: 'refused',
    reason: 'Charged twice',
    requestedAt: '2026-10-02T09:00:00.000Z',
    refusal: 'The corner store paid two debts',
  },
};

/** The data of an example of each type: a test of an endpoint sends it, and the document shows it. */
export const EXAMPLE_DATA: Record<EventType, object> = {
  'verification.approved': {
    verificationId: EXAMPLE_IDS.verificationId,
    userId,
    verificationStatus: 'approved',
    version: 1,
  },
  'onboarding.completed': { ...cornerStore, status: 'in-manual-validation', version: 2 },
  'corner-store.status-changed': { ...cornerStore, version: 3 },
  'corner-store.limit-changed': { ...cornerStore, creditLimit: 8_000, version: 4 },
  'corner-store.blocked': { cornerStoreId, userId, version: 5 },
  'corner-store.erased': { cornerStoreId, userId, version: 5 },
  'transaction.created': { ...EXAMPLE_ORDER, version: 1 },
  'transaction.confirmed': { ...EXAMPLE_ORDER, transactionStatus: 'on-hold', version: 2 },
  'transaction.delivered': { ...delivered, version: 3 },
  'transaction.cancelled': { ...EXAMPLE_ORDER, transactionStatus: 'cancelled', version: 3 },
  'transaction.expired': { ...EXAMPLE_ORDER, transactionStatus: 'expired', version: 2 },
  'transaction.paid': {
    ...delivered,
    transactionStatus: 'paid',
    paidAt: '2026-10-01T16:15:01.234Z',
    version: 4,
  },
  'transaction.payment-reversed': { ...delivered, version: 5 },
  'transaction.credited': { ...EXAMPLE_CREDIT_NOTE, version: 1 },
  'transaction.credit-note-refused': { ...EXAMPLE_CREDIT_NOTE_REQUEST, version: 1 },
  'transaction.disputed': { ...EXAMPLE_DISPUTE, version: 1 },
  'transaction.dispute-closed': {
    ...EXAMPLE_DISPUTE,
    status: 'kept',
    decidedAt: '2026-09-24T17:00:00.000Z',
    response: 'La recibió su hermano',
    respondedAt: '2026-09-23T18:00:00.000Z',
    version: 2,
  },
  'default.opened': { ...paymentDefault, version: 1 },
  'default.closed': {
    ...paymentDefault,
    paymentDefaultPaidDate: '2027-02-20T17:00:00.000Z',
    version: 2,
  },
  'default.withdrawn': {
    ...paymentDefault,
    paymentDefaultPaidDate: '2027-02-20T17:00:00.000Z',
    version: 3,
  },
  'payment.applied': { ...payment, version: 2 },
  'payment.reversed': { ...payment, amountDue: 529, amountPaid: 0, status: 'pending', version: 3 },
  'message.failed': {
    messageId: 'b7a6c5d4-e3f2-4101-8f9e-8d7c6b5a4938',
    template: 'order-code',
    status: 'failed',
    reason: '30003',
    subjectId: transactionId,
    version: 1,
  },
  'invoice.issued': { ...EXAMPLE_INVOICE, version: 1 },
  'invoice.failed': {
    ...EXAMPLE_INVOICE,
    status: 'failed',
    providerInvoiceId: null,
    failureReason: 'REFUSED',
    issuedAt: null,
    version: 1,
  },
  'invoice.credit-note-issued': {
    ...EXAMPLE_TAX_DOCUMENT,
    kind: 'credit-note',
    statementId: null,
    nettedAmount: 480.5,
    version: 1,
  },
  'invoice.payment-complement-issued': { ...EXAMPLE_TAX_DOCUMENT, version: 1 },
  'invoice.cancelled': {
    ...EXAMPLE_INVOICE,
    cancellation: 'accepted',
    providerStatus: 'canceled',
    attempts: 2,
    version: 2,
  },
  'statement.closed': { ...closedStatement, version: 1 },
  'statement.paid': { ...EXAMPLE_STATEMENT, version: 2 },
  'statement.returned': { ...closedStatement, version: 3 },
  'deposit.applied': { ...deposit, version: 2 },
  'deposit.unmatched': { ...deposit, status: 'unmatched', reason: 'unknown', version: 1 },
  'deposit.reversed': { ...deposit, status: 'reversed', version: 3 },
  'deposit.reversal-refused': { ...refusedReversal, version: 3 },
  'endpoint.disabled': {
    webhookEndpointId,
    url: 'https://example.com/fiado',
    reason: 'failing',
    version: 1,
  },
  'endpoint.test': { webhookEndpointId, version: 1 },
};
