import type { Fields } from '../json-schema';

/** Of an answer, and of an event. */
const ofCreditNote = (schema: string): Fields => ({
  [`${schema}.amount`]: ['Price of the goods that are credited, without interest and IVA', 120],
  [`${schema}.interests`]: ['Interest that is no longer owed', 6],
  [`${schema}.IVAAmount`]: ['Value-added tax on that interest', 0.96],
  [`${schema}.totalAmount`]: [
    'Sum of `amount`, `interests` and `IVAAmount`: what the corner store owes less',
    126.96,
  ],
  [`${schema}.commission`]: ['Commission on these goods, which the lender gives back', 2.4],
  [`${schema}.reason`]: ['Why the goods are credited', 'return'],
  [`${schema}.reference`]: ['The wholesaler’s own id of the credit note', 'DEV-1201'],
  [`${schema}.invoiceAction`]: [
    '`credit-note-due`: the invoice of the order bills these goods, and its issuer corrects it with the tax authority; null when there was no invoice yet',
    'credit-note-due',
  ],
  [`${schema}.createdAt`]: ['Time of the credit note', '2026-11-26T17:10:00.000Z'],
});

const ofCreditNoteRequest = (schema: string): Fields => ({
  [`${schema}.amount`]: ['Price of the goods that were to be credited', 80],
  [`${schema}.reason`]: ['Why the goods were to be credited', 'return'],
  [`${schema}.reference`]: ['The wholesaler’s own id of the credit note', 'DEV-1202'],
  [`${schema}.status`]: ['Outcome of the request', 'rejected'],
  [`${schema}.failure`]: [
    'Code of the error with which an approved note failed; else null',
    'CREDIT_NOTE_AMOUNT_NOT_ALLOWED',
  ],
  [`${schema}.requestedAt`]: ['Time of the request', '2026-11-26T16:02:00.000Z'],
  [`${schema}.decidedAt`]: [
    'Time at which it ended without a note; null while it waits',
    '2026-11-26T18:40:00.000Z',
  ],
});

/** Orders, from the first code to the invoice. */
export const orderFields: Fields = {
  transactionId: ['Fiado’s id of the order', '0b0c6f3e-5a0f-4a71-9f0a-3d4f6f7a1c11'],
  incrementalID: [
    'Number of the order, for people; unique, with gaps, and not in the order of time',
    42,
  ],
  wholesalerTransactionId: [
    'The wholesaler’s own id of the order, unique among its orders',
    'PED-4711',
  ],
  transactionStatus: ['State of the order; see “Life of an order”'],
  totalAmount: ['Price of the goods, without interest and IVA', 500],
  orderedAmount: [
    'Price of the goods that were ordered, which stays when another amount is delivered; null for an order that was delivered with 1.0.0',
    500,
  ],
  transactionAmount: [
    'Price of the delivered goods, without interest and IVA; interest and IVA are computed anew from it',
    480,
  ],
  interests: ['`totalAmount` times the interest rate of the corner store', 25],
  IVAAmount: ['Value-added tax on the interest', 4],
  totalAmountWithInterests: [
    'Sum of `totalAmount`, `interests` and `IVAAmount`: what the corner store owes',
    529,
  ],
  creditNoteId: ['Fiado’s id of the credit note', '0199e2c4-ae5f-7061-8c73-849506172839'],
  creditNotes: ['Credit notes of the order, oldest first'],
  'CreditNoteBody.amount': [
    'Price of the goods that are credited, without interest and IVA; at most what is left of the delivered amount',
    120,
  ],
  'CreditNoteBody.reason': ['Why the goods are credited', 'return'],
  'CreditNoteBody.reference': [
    'The wholesaler’s own id of the credit note, unique for its order',
    'DEV-1201',
  ],
  ...ofCreditNote('CreditNote'),
  ...ofCreditNote('CreditNoteEvent'),
  'CreditNoteList.requests': ['Credit notes that you asked for and that are not booked'],
  ...ofCreditNoteRequest('CreditNoteRequest'),
  ...ofCreditNoteRequest('CreditNoteRequestEvent'),
  movementDate: ['Time at which the order was created', '2026-11-22T16:05:00.000Z'],
  'BatchItemBody.movementDate': [
    'Time of the order in the wholesaler’s system; stored with the order',
    '2026-11-22T16:05:00.000Z',
  ],
  paymentDate: [
    'Last moment to pay: the end of the day in `paymentTimeZone`, the payment term of the order after the delivery; before it, after the expected one',
    '2026-12-07T05:59:59.999Z',
  ],
  paymentTimeZone: [
    'Time zone of the corner store when the order was made; `paymentDate` is a day of its calendar',
    'America/Mexico_City',
  ],
  deliveryDate: [
    'Expected delivery: an ISO 8601 time or date in the future, at most a year ahead',
    '2026-11-30T18:00:00.000Z',
  ],
  deliveredAt: [
    'Time at which the delivery was reported; null before it',
    '2026-11-24T17:00:00.000Z',
  ],
  paidAt: [
    'Time at which the order was paid in full; null before it and after a reversal, and for an order that was paid with 1.0.0',
    '2026-12-01T16:15:01.234Z',
  ],
  products: ['Lines of the order'],
  externalSKU: ['The wholesaler’s own id of the product', 'REF-600'],
  'ProductLine.name': ['Name of the product', 'Refresco 600 ml'],
  'ProductLineBody.name': ['Name of the product', 'Refresco 600 ml'],
  'ProductLine.id': ['Id of the line', '3c1b7d52-0f5e-4b5e-8a53-1d9d51b7a001'],
  quantity: ['Number of units', 24],
  metadata: ['Free JSON of the wholesaler'],
  wholesaler: ['Name of the wholesaler', 'Abarrotes del Norte'],
  transactions: ['Orders'],
  transaction: ['The order that the user confirms on the page of the link'],
  'CreateBatchBody.transactions': ['Orders to create, each accepted or rejected by itself'],
  driverId: ['The wholesaler’s own id of the driver; stored only', 'driver-7'],
  link: [
    'Address of the page on which the user confirms the order',
    'https://fiado.example/pedido/0b0c6f3e-5a0f-4a71-9f0a-3d4f6f7a1c11',
  ],
  verificationId: [
    'Id of the verification whose code was sent by SMS',
    '7c1f2b60-2e64-4f55-8f6c-0b8a4c6a9d22',
  ],
  verificationStatus: ['State of the verification', 'approved'],
  verification: ['The newest verification of the order; null if it has none'],
  'VerificationNotValid.errorMessage': [
    'Explains the error to a person; may change',
    'The verification is not valid',
  ],
  'VerificationNotValid.reason': [
    'Why the code is not accepted. `expired`: also a code that a resend replaced, or that went to a phone number ' +
      'changed since. `cancelled`: by a newer verification, or because its order was cancelled or has expired. ' +
      '`approved`: it was accepted before. `store-not-eligible`: the code was right, but the corner store is not ' +
      'approved or is in default. `phone-held`: the code was right, but you changed the phone number of the corner store ' +
      'lately, and no more orders fit into 5,000 until the lender clears the hold or a day has passed. After both, order ' +
      'and code stay pending. A resend helps after `expired` and `checks-used-up`',
  ],
  checksLeft: [
    'How often the code may still be tried; 0 unless it was only wrong, or right with `store-not-eligible` or `phone-held`',
    4,
  ],
  'TransactionVerification.status': [
    '`pending`: waits for the code. `approved`: confirmed. `cancelled`: the order was cancelled or has expired',
  ],
  'TransactionVerification.expiresAt': [
    'End of the life of the newest code; a resend may begin another',
    '2026-11-22T16:15:00.000Z',
  ],
  'TransactionVerification.checksLeft': [
    'How often the newest code may still be tried; 0 if it is not valid any more',
    5,
  ],
  userPhoneNumber: ['Phone number that the code was sent to', '********0101'],
  smsStatus: ['Whether the code has arrived'],
  'ConfirmTransactionBody.errorCode': [
    'The code that the corner store read in the SMS: six digits. The contract gives it this name',
    '483920',
  ],
  'ConfirmVerificationBody.errorCode': [
    'The code that the user read in the SMS, as `code`; one of the two is needed',
    '483920',
  ],
  'ConfirmVerificationBody.code': ['The code that the user read in the SMS: six digits', '483920'],
  accepted: ['Whether `createTransaction` would accept this order now'],
  rejectionReasons: ['Error codes for which the order is rejected'],
  maximumAmount: ['Largest `totalAmount` that the available credit covers', 4500],
  'AcceptedBatchItem.status': ['Always `accepted`'],
  'RejectedBatchItem.status': ['Always `rejected`'],
  'RejectedBatchItem.cornerStoreId': [
    'Id of the corner store',
    '5d1e0a52-6b3f-4f0e-9a4d-2f1c7b8e3d33',
  ],
  'DeliverTransactionBody.status': ['Always `delivery`'],
  deliveryWord: ['The word that the corner store received by SMS and tells the driver', 'girasol'],
  'DeliverTransactionBody.latitude': ['Where the goods were handed over, degrees north', 19.4326],
  'DeliverTransactionBody.longitude': ['Where the goods were handed over, degrees east', -99.1332],
  'DeliverTransactionBody.description': ['A note on the place', 'Mostrador'],
  'SentDeliveryWord.errorMessage': ['Confirms that the word was sent', 'Sent'],
  invoice: ['What the invoice shows'],
  invoiceId: ['Id of the invoice', '9d0f4f0e-4b0e-4f0a-9a52-8c1d6f1f0a42'],
  'Invoice.status': ['Whether the invoice was issued'],
  'InvoiceEvent.status': ['Whether the invoice was issued'],
  discount: ['Discount on the whole invoice', 0],
  'InvoiceBody.products': ['Lines of the invoice'],
  'Invoice.products': ['Lines of the invoice'],
  product: ['The product of the line'],
  'InvoicedProduct.description': ['Name of the product on the invoice', 'Refresco 600 ml'],
  'InvoicedProductBody.description': ['Name of the product on the invoice', 'Refresco 600 ml'],
  price: ['Price of a unit', 12.5],
  productKey: ['Key of the product in the catalogue of the tax authority (SAT)', '50202306'],
  unitKey: ['Key of the unit in the catalogue of the tax authority (SAT)', 'H87'],
  sku: ['The wholesaler’s own id of the product', 'REF-600'],
  taxes: ['Taxes on the line'],
  rate: ['The tax as a share: 0.16 is 16 %', 0.16],
  'InvoicedTax.type': ['Name of the tax', 'IVA'],
  'TaxBody.type': ['Name of the tax', 'IVA'],
  'Invoice.provider': ['Invoicing provider', 'facturapi'],
  'InvoiceEvent.provider': ['Invoicing provider', 'facturapi'],
  providerInvoiceId: ['Id of the invoice at the provider', 'inv-1001'],
  providerStatus: ['State of the invoice at the provider', 'valid'],
  uuid: ['Fiscal folio (UUID) of the issued invoice', '6f0d1f9a-6a4e-4d39-9c8a-0d5b6a1e77c1'],
  selfInvoiceUrl: [
    'Page on which the corner store asks for the invoice with its own tax data',
    'https://factura.example/abc',
  ],
  lastError: ['Why the last attempt failed', 'HTTP 503'],
  failureReason: ['Why the invoice failed for good', 'invalid product key'],
  issuedAt: ['Time at which the invoice was issued', '2026-11-23T10:00:00.000Z'],
};

/** Orders and credit lines as ops reads them. */
export const opsOrderFields: Fields = {
  'OpsTransactionDetail.interestRate': ['Interest rate with which the order was created', 0.05],
  ivaRate: ['IVA rate with which the order was created', 0.16],
  'OpsTransactionDetail.commissionRate': ['Commission rate with which the order was created', 0.02],
  linked: ['Whether the corner store confirms it on a page behind a link'],
  'OpsTransactionDetail.expiresAt': [
    'Time at which it expires if it is not confirmed, or not delivered, by then',
    '2026-12-22T16:05:00.000Z',
  ],
  'OpsTransactionDetail.deliveryWord': [
    'State of its delivery word, without the word; null if it has none',
  ],
  'OpsTransactionDetail.invoice': ['Its invoice; null if it has none'],
  'OpsVerification.status': [
    '`pending`: waits for the code. `approved`: confirmed. `cancelled`: the order was cancelled or has expired',
  ],
  'OpsVerification.checksLeft': [
    'How often the newest code may still be tried; 0 if it is not valid any more',
    5,
  ],
  'OpsVerification.sends': ['Number of SMS with a code', 1],
  'DeliveryWordState.sends': ['Number of SMS with a word', 1],
  wrongWords: ['Wrong words since this word was made', 0],
  wrongWordsInAll: ['Wrong words since the order was confirmed, or since ops reset the word', 0],
  isLocked: ['Whether too many wrong words lock the order until ops resets the word'],
  isVoid: ['Whether the phone number was changed since the word was sent'],
  creditEntries: ['Changes of the used credit'],
  creditEntryId: ['Id of the entry', '0199e2c4-6a1b-7c2d-8e3f-405162738495'],
  'CreditEntry.kind': [
    '`hold`: the order was created. `adjustment`: another amount was delivered. `release`: it was ' +
      'cancelled or has expired. `repayment` and `reversal`: of a payment',
  ],
  'CreditEntry.amount': ['By how much the used credit grew; negative where it became free', 500],
  causeId: [
    'Id of the payment behind a repayment or reversal; null for the others',
    '1c7a1b9e-0c55-4a8e-8f10-6f2f3f0c7a31',
  ],
  creditUsed: ['Credit in use', 500],
};
