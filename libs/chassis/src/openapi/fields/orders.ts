import type { Fields } from '../json-schema';

/** Orders, from the first code to the invoice. */
export const orderFields: Fields = {
  transactionId: {
    description: 'Fiado’s id of the order',
    example: '0b0c6f3e-5a0f-4a71-9f0a-3d4f6f7a1c11',
  },
  incrementalID: {
    description: 'Number of the order, for people; unique, with gaps, and not in the order of time',
    example: 42,
  },
  wholesalerTransactionId: {
    description: 'The wholesaler’s own id of the order, unique among its orders',
    example: 'PED-4711',
  },
  transactionStatus: { description: 'State of the order; see “Life of an order”' },
  totalAmount: { description: 'Price of the goods, without interest and IVA', example: 500 },
  transactionAmount: {
    description:
      'Price of the delivered goods, without interest and IVA; interest and IVA are computed anew from it',
    example: 480,
  },
  interests: {
    description: '`totalAmount` times the interest rate of the corner store',
    example: 25,
  },
  IVAAmount: { description: 'Value-added tax on the interest', example: 4 },
  totalAmountWithInterests: {
    description: 'Sum of `totalAmount`, `interests` and `IVAAmount`: what the corner store owes',
    example: 529,
  },
  movementDate: {
    description: 'Time at which the order was created',
    example: '2026-11-22T16:05:00.000Z',
  },
  'BatchItemBody.movementDate': {
    description: 'Time of the order in the wholesaler’s system; stored with the order',
    example: '2026-11-22T16:05:00.000Z',
  },
  paymentDate: {
    description:
      'Last moment to pay: the end of the day in `paymentTimeZone`, the payment term of the order after the delivery; before it, after the expected one',
    example: '2026-12-07T05:59:59.999Z',
  },
  paymentTimeZone: {
    description:
      'Time zone of the corner store when the order was made; `paymentDate` is a day of its calendar',
    example: 'America/Mexico_City',
  },
  deliveryDate: {
    description: 'Expected delivery: an ISO 8601 time or date in the future, at most a year ahead',
    example: '2026-11-30T18:00:00.000Z',
  },
  products: { description: 'Lines of the order' },
  externalSKU: { description: 'The wholesaler’s own id of the product', example: 'REF-600' },
  'ProductLine.name': { description: 'Name of the product', example: 'Refresco 600 ml' },
  'ProductLineBody.name': { description: 'Name of the product', example: 'Refresco 600 ml' },
  'ProductLine.id': {
    description: 'Id of the line',
    example: '3c1b7d52-0f5e-4b5e-8a53-1d9d51b7a001',
  },
  quantity: { description: 'Number of units', example: 24 },
  metadata: { description: 'Free JSON of the wholesaler' },
  wholesaler: { description: 'Name of the wholesaler', example: 'Abarrotes del Norte' },
  transactions: { description: 'Orders' },
  transaction: { description: 'The order that the corner store confirms on the page of the link' },
  'CreateBatchBody.transactions': {
    description: 'Orders to create, each accepted or rejected by itself',
  },
  driverId: {
    description: 'The wholesaler’s own id of the driver; stored only',
    example: 'driver-7',
  },
  link: {
    description: 'Address of the page on which the corner store confirms the order',
    example: 'https://fiado.example/pedido/0b0c6f3e-5a0f-4a71-9f0a-3d4f6f7a1c11',
  },
  verificationId: {
    description: 'Id of the verification whose code was sent by SMS',
    example: '7c1f2b60-2e64-4f55-8f6c-0b8a4c6a9d22',
  },
  verificationStatus: { description: 'State of the verification', example: 'approved' },
  verification: { description: 'The newest verification of the order; null if it has none' },
  'VerificationNotValid.errorMessage': {
    description: 'Explains the error to a person; may change',
    example: 'The verification is not valid',
  },
  'VerificationNotValid.reason': {
    description:
      'Why the code is not accepted. `expired`: also a code that a resend replaced, or that went to a phone number ' +
      'changed since. `cancelled`: by a newer verification, or because its order was cancelled or has expired. ' +
      '`approved`: it was accepted before. `store-not-eligible`: the code was right, but the corner store is not ' +
      'approved or is in default. `phone-held`: the code was right, but you changed the phone number of the corner store ' +
      'lately, and no more orders fit into 5,000 until the lender clears the hold or a day has passed. After both, order ' +
      'and code stay pending. A resend helps after `expired` and `checks-used-up`',
  },
  checksLeft: {
    description:
      'How often the code may still be tried; 0 unless it was only wrong, or right with `store-not-eligible` or `phone-held`',
    example: 4,
  },
  'TransactionVerification.status': {
    description:
      '`pending`: waits for the code. `approved`: confirmed. `cancelled`: the order was cancelled or has expired',
  },
  'TransactionVerification.expiresAt': {
    description: 'End of the life of the newest code; a resend may begin another',
    example: '2026-11-22T16:15:00.000Z',
  },
  'TransactionVerification.checksLeft': {
    description: 'How often the newest code may still be tried; 0 if it is not valid any more',
    example: 5,
  },
  userPhoneNumber: {
    description: 'Phone number that the code was sent to',
    example: '********0101',
  },
  smsStatus: { description: 'Whether the code has arrived' },
  'ConfirmTransactionBody.errorCode': {
    description:
      'The code that the corner store read in the SMS: six digits. The contract gives it this name',
    example: '483920',
  },
  'ConfirmVerificationBody.errorCode': {
    description: 'The code that the user read in the SMS, as `code`; one of the two is needed',
    example: '483920',
  },
  'ConfirmVerificationBody.code': {
    description: 'The code that the user read in the SMS: six digits',
    example: '483920',
  },
  accepted: { description: 'Whether `createTransaction` would accept this order now' },
  rejectionReasons: { description: 'Error codes for which the order is rejected' },
  maximumAmount: {
    description: 'Largest `totalAmount` that the available credit covers',
    example: 4500,
  },
  'AcceptedBatchItem.status': { description: 'Always `accepted`' },
  'RejectedBatchItem.status': { description: 'Always `rejected`' },
  'RejectedBatchItem.cornerStoreId': {
    description: 'Id of the corner store',
    example: '5d1e0a52-6b3f-4f0e-9a4d-2f1c7b8e3d33',
  },
  'DeliverTransactionBody.status': { description: 'Always `delivery`' },
  deliveryWord: {
    description: 'The word that the corner store received by SMS and tells the driver',
    example: 'girasol',
  },
  'DeliverTransactionBody.latitude': {
    description: 'Where the goods were handed over, degrees north',
    example: 19.4326,
  },
  'DeliverTransactionBody.longitude': {
    description: 'Where the goods were handed over, degrees east',
    example: -99.1332,
  },
  'DeliverTransactionBody.description': {
    description: 'A note on the place',
    example: 'Mostrador',
  },
  'SentDeliveryWord.errorMessage': {
    description: 'Confirms that the word was sent',
    example: 'Sent',
  },
  invoice: { description: 'What the invoice shows' },
  invoiceId: { description: 'Id of the invoice', example: '9d0f4f0e-4b0e-4f0a-9a52-8c1d6f1f0a42' },
  'Invoice.status': { description: 'Whether the invoice was issued' },
  'InvoiceEvent.status': { description: 'Whether the invoice was issued' },
  discount: { description: 'Discount on the whole invoice', example: 0 },
  'InvoiceBody.products': { description: 'Lines of the invoice' },
  'Invoice.products': { description: 'Lines of the invoice' },
  product: { description: 'The product of the line' },
  'InvoicedProduct.description': {
    description: 'Name of the product on the invoice',
    example: 'Refresco 600 ml',
  },
  'InvoicedProductBody.description': {
    description: 'Name of the product on the invoice',
    example: 'Refresco 600 ml',
  },
  price: { description: 'Price of a unit', example: 12.5 },
  productKey: {
    description: 'Key of the product in the catalogue of the tax authority (SAT)',
    example: '50202306',
  },
  unitKey: {
    description: 'Key of the unit in the catalogue of the tax authority (SAT)',
    example: 'H87',
  },
  sku: { description: 'The wholesaler’s own id of the product', example: 'REF-600' },
  taxes: { description: 'Taxes on the line' },
  rate: { description: 'The tax as a share: 0.16 is 16 %', example: 0.16 },
  'InvoicedTax.type': { description: 'Name of the tax', example: 'IVA' },
  'TaxBody.type': { description: 'Name of the tax', example: 'IVA' },
  'Invoice.provider': { description: 'Invoicing provider', example: 'facturapi' },
  'InvoiceEvent.provider': { description: 'Invoicing provider', example: 'facturapi' },
  providerInvoiceId: { description: 'Id of the invoice at the provider', example: 'inv-1001' },
  providerStatus: { description: 'State of the invoice at the provider', example: 'valid' },
  uuid: {
    description: 'Fiscal folio (UUID) of the issued invoice',
    example: '6f0d1f9a-6a4e-4d39-9c8a-0d5b6a1e77c1',
  },
  selfInvoiceUrl: {
    description: 'Page on which the corner store asks for the invoice with its own tax data',
    example: 'https://factura.example/abc',
  },
  lastError: { description: 'Why the last attempt failed', example: 'HTTP 503' },
  failureReason: { description: 'Why the invoice failed for good', example: 'invalid product key' },
  issuedAt: {
    description: 'Time at which the invoice was issued',
    example: '2026-11-23T10:00:00.000Z',
  },
};

/** Orders and credit lines as ops reads them. */
export const opsOrderFields: Fields = {
  deliveredAt: {
    description: 'Time at which the delivery was reported; null before it',
    example: '2026-11-24T17:00:00.000Z',
  },
  'OpsTransactionDetail.interestRate': {
    description: 'Interest rate with which the order was created',
    example: 0.05,
  },
  ivaRate: { description: 'IVA rate with which the order was created', example: 0.16 },
  'OpsTransactionDetail.commissionRate': {
    description: 'Commission rate with which the order was created',
    example: 0.02,
  },
  linked: { description: 'Whether the corner store confirms it on a page behind a link' },
  'OpsTransactionDetail.expiresAt': {
    description: 'Time at which it expires if it is not confirmed, or not delivered, by then',
    example: '2026-12-22T16:05:00.000Z',
  },
  'OpsTransactionDetail.deliveryWord': {
    description: 'State of its delivery word, without the word; null if it has none',
  },
  'OpsTransactionDetail.invoice': { description: 'Its invoice; null if it has none' },
  'OpsVerification.status': {
    description:
      '`pending`: waits for the code. `approved`: confirmed. `cancelled`: the order was cancelled or has expired',
  },
  'OpsVerification.checksLeft': {
    description: 'How often the newest code may still be tried; 0 if it is not valid any more',
    example: 5,
  },
  'OpsVerification.sends': { description: 'Number of SMS with a code', example: 1 },
  'DeliveryWordState.sends': { description: 'Number of SMS with a word', example: 1 },
  wrongWords: { description: 'Wrong words since this word was made', example: 0 },
  wrongWordsInAll: {
    description: 'Wrong words since the order was confirmed, or since ops reset the word',
    example: 0,
  },
  isLocked: {
    description: 'Whether too many wrong words lock the order until ops resets the word',
  },
  isVoid: { description: 'Whether the phone number was changed since the word was sent' },
  creditEntries: { description: 'Changes of the used credit' },
  creditEntryId: {
    description: 'Id of the entry',
    example: '0199e2c4-6a1b-7c2d-8e3f-405162738495',
  },
  'CreditEntry.kind': {
    description:
      '`hold`: the order was created. `adjustment`: another amount was delivered. `release`: it was ' +
      'cancelled or has expired. `repayment` and `reversal`: of a payment',
  },
  'CreditEntry.amount': {
    description: 'By how much the used credit grew; negative where it became free',
    example: 500,
  },
  causeId: {
    description: 'Id of the payment behind a repayment or reversal; null for the others',
    example: '1c7a1b9e-0c55-4a8e-8f10-6f2f3f0c7a31',
  },
  creditUsed: { description: 'Credit in use', example: 500 },
};
