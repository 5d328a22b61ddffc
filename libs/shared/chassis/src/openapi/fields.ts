import { EXPORT_KINDS } from '@fiado/contracts/exports';
import * as t from './json-schema';

/*
 * Fields that several resources share, and parameters of paths. Each has one meaning everywhere. A field
 * of a body with such a name has this description, unless the body gives its own.
 */
export const changeRequestId = t.id(
  'Id of the change request',
  '0199f2b4-3c1e-7f8b-9a6d-5e2c7f801b34',
);
export const exportId = t.id('Id of the export', '0199f2b4-3c1e-7f8b-9a6d-5e2c7f801b34');
export const wholesalerId = t.id('Id of the wholesaler', '1a2b3c4d-5e6f-4a7b-8c9d-0e1f2a3b4c5d');
export const cornerStoreId = t.id(
  'Fiado’s id of the corner store',
  '5d1e0a52-6b3f-4f0e-9a4d-2f1c7b8e3d33',
);
export const transactionId = t.id(
  'Fiado’s id of the order',
  '0b0c6f3e-5a0f-4a71-9f0a-3d4f6f7a1c11',
);
export const userId = t.id('Fiado’s id of the user', '9e2d4c71-1a5b-4c3d-8e7f-6a5b4c3d2e44');
export const externalId = t.field(t.text, 'The wholesaler’s own id of the customer', 'tienda-001');
export const paymentProviderId = t.id(
  'Id of the payment provider',
  '4f0e9a4d-2f1c-4b8e-8d33-5d1e0a526b3f',
);
export const apiKeyId = t.id(
  'Id of the key, not the key itself',
  'a1b2c3d4-e5f6-4789-9abc-def012345678',
);
export const staffId = t.id('Id of the person', '0198c2d1-e0a5-7b3f-8e9a-4d2f1c7b8e3d');
export const driverId = t.field(
  t.text,
  'The wholesaler’s own id of the driver; stored only',
  'driver-7',
);
export const documentId = t.id('Id of the image', '2f7b6f52-4f0c-4b5e-9f51-51b7a0011d9d');
export const verificationId = t.id(
  'Id of the verification whose code was sent by SMS',
  '7c1f2b60-2e64-4f55-8f6c-0b8a4c6a9d22',
);
export const opsKeyId = t.id(
  'Id of the ops key, not the key itself',
  'b7d4f0a2-3c1e-4f8b-9a6d-5e2c7f801b34',
);
export const privacyRequestId = t.id(
  'Id of the privacy request',
  '0199f2b4-5d2f-7a9c-8b7e-6f3d8a912c45',
);
export const sessionId = t.id('Id of the session', '0198c2d1-e0a5-7b3f-8e9a-4d2f1c7b8e3d');
export const disputeId = t.id('Id of the dispute', '0199f2b4-7d2f-7a9c-8b7e-6f3d8a912c45');
export const creditNoteId = t.id(
  'Fiado’s id of the credit note',
  '0199e2c4-ae5f-7061-8c73-849506172839',
);
export const wholesalerTransactionId = t.field(
  t.text,
  'The wholesaler’s own id of the order, unique among its orders',
  'PED-4711',
);
export const statementId = t.id('Id of the statement', '0199e2c4-9d4e-7f50-8b62-738495061729');
export const receivableId = t.id('Id of the debt', '0199e2c4-7b2c-7d3e-9f40-516273849506');
export const depositId = t.id('Fiado’s id of the deposit', 'c0ffee00-1234-4abc-8def-0123456789ab');
export const payoutId = t.id('Fiado’s id of the payout', '0199e2c4-9d4e-7f50-8b62-738495061728');
export const jobId = t.field(t.text, 'Id of the job', 'e5d4c3b2-a190-4f8e-9d7c-6b5a49382716');
export const webhookEndpointId = t.id(
  'Id of the webhook endpoint',
  '0199e2c4-5f1a-7b2c-9d8e-7f6a5b4c3d2e',
);
export const deliveryId = t.id('Id of the delivery', '0199e2c4-5f1a-7d4e-8f70-8a9bacbdcedf');
export const requestedBy = t.field(
  t.text,
  'Id of the person, or of the key, that asked',
  '5b6f0f4a-1d3c-4b7e-9a21-0c9d8e7f6a5b',
);
export const requestedAt = t.time('Time of the request', '2026-09-21T16:04:05.678Z');
export const expiresAt = t.time('Time after which it is not valid', '2027-11-22T00:00:00.000Z');
export const createdAt = t.time('Time at which it was created', '2026-09-21T16:04:05.678Z');
export const phoneNumber = t.field(
  t.text,
  'A mobile phone number, in E.164 or as ten digits of Mexico',
  '+525512340101',
);
export const apiKey = t.field(t.text, 'The key; shown once', 'fiado_live_…');
export const signingSecret = t.field(
  t.text,
  'Secret of `Fiado-Signature`; shown once',
  'fiado_sign_…',
);
export const decidedByName = t.field(
  t.text,
  'Name of that person or key; null where it is not known',
  'Luis Vega',
);
export const decidedAt = t.time('Time of the decision', '2026-12-02T17:00:00.000Z');
export const nextCursor = t.field(
  t.text,
  'The next page; null on the last',
  '0b0c6f3e-5a0f-4a71-9f0a-3d4f6f7a1c11',
);
export const updatedAt = t.time('Time of the last change', '2026-11-22T16:05:00.000Z');
export const creditLimit = t.field(
  t.pesos,
  'Most that the prices of its unpaid orders may add up to',
  10_000,
);
export const interestRate = t.field(t.rate, 'Interest on an order', 0.05);
export const timeZone = t.field(
  t.text,
  'Time zone of the hours in which it gets messages about debts',
  'America/Mexico_City',
);
export const firstName = t.field(t.text, 'First names', 'Lucía');
export const lastNames = t.field(t.text, 'Last names', 'Ortega Ruiz');
export const cornerStoreName = t.field(t.text, 'Name of the store', 'Abarrotes Lucía');
export const creditLimitAvailable = t.field(
  t.pesos,
  'Credit limit less the unpaid prices of open and delivered orders; never below 0',
  9500,
);
export const numeroReferencia = t.field(
  t.text,
  'Reference of the user, for all debts: 12 digits, the last a check digit (Luhn)',
  '830274915602',
);
export const reason = t.field(t.text, 'Why', 'Comprobante ilegible');
export const metadata = t.field(t.freeForm, 'Free JSON of the wholesaler');
export const quantity = t.field(t.decimal, 'Number of units', 24);
export const attempts = t.field(t.count, 'Number of attempts so far', 1);
export const nextAttemptAt = t.time(
  'Time of the next attempt; null if there will be none',
  '2026-09-21T16:04:10.678Z',
);
export const paymentDate = t.time(
  'Last moment to pay: the end of the day in `paymentTimeZone`, the payment term of the order ' +
    'after the delivery; before it, after the expected one',
  '2026-10-06T05:59:59.999Z',
);
export const paymentTimeZone = t.field(
  t.text,
  'Time zone of the corner store when the order was made; `paymentDate` is a day of its calendar',
  'America/Mexico_City',
);
export const totalAmount = t.field(t.pesos, 'Price of the goods, without interest and IVA', 500);
export const interests = t.field(
  t.pesos,
  '`totalAmount` times the interest rate of the corner store',
  25,
);
export const IVAAmount = t.field(t.pesos, 'Value-added tax on the interest', 4);
export const bankReference = t.field(
  t.text,
  'Reference of the bank transfer; unique, however it is spaced and in either case',
  'SPEI-20261002-77',
);
export const reference = t.field(
  t.text,
  'An `idFactura` or a `numeroReferencia`; leading zeros may be left out',
  '4829105736423',
);
export const exportKind = t.field(t.oneOf(EXPORT_KINDS), 'What is exported');
export const queue = t.field(t.text, 'Queue of the job');
