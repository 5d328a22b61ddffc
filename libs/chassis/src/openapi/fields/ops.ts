import type { Fields } from '../json-schema';

/** Wholesalers, payment providers, keys, messages, jobs and invariants. */
export const opsFields: Fields = {
  name: { description: 'Name', example: 'Abarrotes del Norte' },
  wholesalerId: {
    description: 'Id of the wholesaler',
    example: 'c2d1e0a5-26b3-4f4f-8e9a-4d2f1c7b8e3d',
  },
  minimumTransactionAmount: { description: 'Least `totalAmount` of an order', example: 100 },
  commissionRate: { description: 'The lender’s commission on a delivered order', example: 0.02 },
  paymentTermDays: { description: 'Days from the delivery to the payment', example: 15 },
  deliveryWordEnabled: {
    description: 'Sends a delivery word by SMS when an order is confirmed',
    example: true,
  },
  deliveryWordRequired: { description: 'Refuses a delivery without the word', example: false },
  confirmationRequired: {
    description: 'Refuses the delivery of an order that was not confirmed',
    example: true,
  },
  deliveryOverageRate: {
    description: 'How far the delivered amount may exceed the ordered one',
    example: 0.1,
  },
  smsToUnknownPerDay: {
    description: 'Most SMS in 24 hours to phone numbers that belong to no customer',
    example: 100,
  },
  phoneChangeHold: {
    description: 'Which corner stores cannot order for a time after their phone number changed',
  },
  batchEnabled: { description: 'Allows `createTransactions`', example: true },
  batchItemsPerDay: { description: 'Most accepted items of batches in a day', example: 10_000 },
  wholesalers: { description: 'Wholesalers, newest first' },
  paymentProviders: { description: 'Payment providers, newest first' },
  apiKeys: { description: 'Keys of the party, newest first' },
  'ListedCustomer.externalId': {
    description: 'Id of the customer in the wholesaler’s system',
    example: 'tienda-001',
  },
  entries: { description: 'Entries, newest first' },
  auditEntryId: {
    description: 'Id of the entry',
    example: 'c7d4f0a2-3c1e-4f8b-9a6d-5e2c7f801b34',
  },
  occurredAt: {
    description: 'Time at which it happened',
    example: '2026-11-22T16:05:00.000Z',
  },
  actorKind: {
    description: 'Kind of the actor: ops, wholesaler, provider, service or address',
    example: 'ops',
  },
  actorId: {
    description: 'Id of the key or party that did it; `ops` is `OPS_API_KEY`',
    example: 'ops',
  },
  actorName: {
    description: 'Name of the person or of the ops key; null for others',
    example: 'Ana Torres',
  },
  action: { description: 'What was done', example: 'corner-store.approved' },
  objectId: {
    description: 'Id of what it was done to; null if it concerns several objects or none',
    example: '0b0c6f3e-5a0f-4a71-9f0a-3d4f6f7a1c11',
  },
  'AuditEntry.details': { description: 'Ids, numbers and states; never personal data' },
  paymentProviderId: {
    description: 'Id of the payment provider',
    example: '4f0e9a4d-2f1c-4b8e-8d33-5d1e0a526b3f',
  },
  'CreatePaymentProviderBody.name': { description: 'Name, unique', example: 'Acme' },
  'CreatedPaymentProvider.name': { description: 'Name', example: 'Acme' },
  'PaymentProvider.name': { description: 'Name', example: 'Acme' },
  timeZone: {
    description:
      'Time zone: of a provider that of `fechaPago`, of a corner store that of the hours in which it gets messages about debts',
    example: 'America/Mexico_City',
  },
  allowedAddresses: { description: 'Addresses and networks that may call; empty: all' },
  signatureRequired: {
    description: 'Refuses a deposit without a valid `Fiado-Signature`',
    example: true,
  },
  signingSecret: {
    description: 'Secret of `Fiado-Signature`; shown once',
    example: 'fsig_4Jm2yGv8mQ0bT7c1',
  },
  apiKeyId: {
    description: 'Id of the key, not the key itself',
    example: 'e0a526b3-f4f0-4e9a-8d2f-1c7b8e3d335d',
  },
  apiKey: { description: 'The key; shown once', example: 'fiado_test_4Jm2yGv8mQ0bT7c1' },
  scopes: { description: 'What the key may do; without them all that its owner may' },
  accessToken: {
    description: 'Token for the header `Authorization`',
    example: 'eyJhbGciOiJFZERTQSJ9.e30.c2ln',
  },
  tokenType: { description: 'Scheme of the header', example: 'Bearer' },
  expiresIn: { description: 'Life of the token', example: 3600 },
  dataKeys: { description: 'Data keys that are not retired, newest first' },
  dataKeyNumber: { description: 'Number of the data key', example: 1 },
  sealingFrom: {
    description: 'Time from which values are encrypted with it',
    example: '2026-11-22T16:04:35.678Z',
  },
  sealingServices: { description: 'How far each service is with the newest data key' },
  heldNumber: { description: 'Newest data key that all its processes have', example: 1 },
  sealingNumber: { description: 'Data key that it encrypts with', example: 1 },
  oldRows: {
    description: 'Rows that may hold values of an older data key, at most 100,000 of a table',
    example: 0,
  },
  opsKeyId: {
    description: 'Id of the ops key, not the key itself',
    example: '0a526b3f-4f0e-4a4d-8f1c-7b8e3d335d1e',
  },
  opsKeys: { description: 'Ops keys' },
  'OpsKey.name': { description: 'Who or what uses the key', example: 'ana' },
  'IssueOpsKeyBody.name': { description: 'Who or what uses the key', example: 'ana' },
  'IssuedOpsKey.name': { description: 'Who or what uses the key', example: 'ana' },
  scope: { description: 'Role of the key; each includes the ones before it' },
  expiresAt: {
    description: 'Time after which it is not valid',
    example: '2027-11-22T00:00:00.000Z',
  },
  revokedAt: { description: 'Time at which it was revoked', example: '2026-12-01T00:00:00.000Z' },
  lastUsedAt: { description: 'Time of the last use', example: '2026-11-22T16:05:00.000Z' },
  messageId: { description: 'Id of the SMS', example: 'f6c5d77b-1f0a-49d2-8f0e-4c5b9b0a3a1e' },
  messages: { description: 'SMS, newest first' },
  template: { description: 'Kind of SMS', example: 'order-code' },
  'Message.phoneNumber': { description: 'Phone number of the SMS', example: '********0101' },
  'Message.status': { description: 'State of the SMS' },
  'MessageEvent.status': { description: 'State of the SMS' },
  'Message.reason': {
    description: 'Why the SMS was not sent or did not arrive',
    example: 'phone-cap',
  },
  'MessageEvent.reason': {
    description: 'Why the SMS was not sent or did not arrive',
    example: 'phone-cap',
  },
  'Message.body': { description: 'Text of the SMS', example: 'Fiado: tu codigo es 123456' },
  sentAt: {
    description: 'Time at which the SMS provider accepted it',
    example: '2026-11-22T16:05:01.000Z',
  },
  subjectId: {
    description: 'Id of the order or the verification',
    example: '0b0c6f3e-5a0f-4a71-9f0a-3d4f6f7a1c11',
  },
  attemptLog: { description: 'Each call to the SMS provider for it' },
  'MessageAttempt.startedAt': {
    description: 'Start of the call',
    example: '2026-11-22T16:05:00.900Z',
  },
  finishedAt: { description: 'End of the call', example: '2026-11-22T16:05:01.000Z' },
  outcome: { description: '`pending` is tried again; `unknown` may have been sent' },
  httpStatus: { description: 'Status of the answer; null without one', example: 201 },
  providerCode: { description: 'The provider’s code of a failure', example: '30003' },
  jobs: { description: 'Jobs' },
  jobId: { description: 'Id of the job', example: '1024' },
  queue: { description: 'Queue of the job' },
  'Job.type': { description: 'Type of the job', example: 'PaymentEvent.applied' },
  'RetryJobsBody.type': { description: 'Only jobs of this type', example: 'PaymentEvent.applied' },
  'Job.state': { description: 'State of the job' },
  failedReason: { description: 'Why the job failed', example: 'connect ECONNREFUSED' },
  failedAt: { description: 'Time at which it failed', example: '2026-11-22T16:05:01.000Z' },
  retried: { description: 'Number of jobs that are tried again', example: 3 },
  asOf: {
    description: 'Time as of which defaults are looked for; not in production',
    example: '2026-12-24T12:00:00.000Z',
  },
  checked: { description: 'Links or entries that this page has checked', example: 1_000 },
  'AuditChainPage.position': {
    description: 'Position of the last link that is in order; null in pages of entries',
    example: 1_000,
  },
  hash: {
    description:
      'Hash of that link: SHA-256 in hex, over the hash before, the position and the entry',
    example: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  },
  break: { description: 'The first break; null while there is none' },
  'AuditChainBreak.kind': { description: 'What was done to the log' },
  'AuditChainBreak.position': {
    description: 'Position of the break in the chain; null outside the chain',
    example: 718,
  },
  'AuditChainBreak.description': {
    description: 'Explains the break to a person; may change',
    example: 'The entry differs from what was chained',
  },
  service: { description: 'Service that was checked' },
  checks: { description: 'Each invariant' },
  holds: { description: 'Whether the invariant holds', example: true },
  violations: { description: 'Rows that break it, at most 20' },
  'InvariantCheck.name': { description: 'Name of the invariant', example: 'ledger-balances' },
  nextCursor: {
    description: 'The next page; null on the last',
    example: '0b0c6f3e-5a0f-4a71-9f0a-3d4f6f7a1c11',
  },
  createdAt: { description: 'Time at which it was created', example: '2026-11-22T16:05:00.000Z' },
  updatedAt: { description: 'Time of the last change', example: '2026-11-22T16:05:00.000Z' },
  success: { description: 'Always true' },
  errorCode: { description: 'Code of the error; stable' },
  errorMessage: {
    description: 'Explains the error to a person; may change',
    example: 'The transaction does not exist',
  },
  code: { description: 'Code of the error; stable' },
  message: { description: 'Explains the error to a person; may change' },
  'Sent.message': { description: 'Confirms that the code was sent', example: 'Sent' },
  'ValidationError.message': { description: 'What is wrong with the request' },
  statusCode: { description: 'HTTP status' },
  error: { description: 'Name of the HTTP status' },
};

/** A corner store's overview and timeline, and the search. */
export const opsReadFields: Fields = {
  cornerStore: { description: 'The corner store' },
  'CornerStoreOverview.wholesalers': { description: 'Its wholesalers' },
  credit: { description: 'Use of its credit line; null while it is not known' },
  debts: { description: 'What it owes to all wholesalers; null while it is not known' },
  missing: { description: 'Services that did not answer, so that their part is not here' },
  lenderTimeZone: { description: 'Time zone of the lender', example: 'America/Mexico_City' },
  used: { description: 'Credit in use', example: 529 },
  available: { description: 'Credit that is left', example: 9471 },
  openDebts: { description: 'Number of debts that are not paid', example: 1 },
  'CornerStoreDebts.amountDue': { description: 'What is left to pay of them', example: 529 },
  overdueDebts: { description: 'Number of them that are overdue', example: 0 },
  overdueAmount: { description: 'What is left to pay of those', example: 0 },
  oldestDueAt: {
    description: 'Last day of the oldest open debt',
    example: '2026-12-07T05:59:59.999Z',
  },
  creditBalance: { description: 'Money that was paid beyond all debts', example: 0 },
  entryId: {
    description: 'Id of the entry',
    example: 'order.created:0b0c6f3e-5a0f-4a71-9f0a-3d4f6f7a1c11',
  },
  'TimelineEntry.service': { description: 'Service that knows of it' },
  'TimelineEntry.type': {
    description:
      'What happened, such as `order.created`, `request.refused`, `message.requested`, ' +
      '`payment.applied`, or an action of the audit log',
    example: 'order.created',
  },
  'TimelineEntry.subjectId': {
    description: 'Id of the order, user or verification that it is about',
    example: '0b0c6f3e-5a0f-4a71-9f0a-3d4f6f7a1c11',
  },
  'TimelineEntry.details': {
    description: 'Ids, amounts in pesos, times and states; a phone number is masked',
  },
  hits: { description: 'What the value names' },
  kind: { description: 'What it is' },
  matchedBy: { description: 'Its field that has the value' },
  'SearchHit.id': {
    description: 'Its id',
    example: '0b0c6f3e-5a0f-4a71-9f0a-3d4f6f7a1c11',
  },
  label: { description: 'How people call it', example: 'tienda-001' },
  'MessageSearch.limit': { description: 'Most messages on a page', example: 50 },
  'MessageSearch.cursor': {
    description: '`nextCursor` of the page before',
    example: 'b7a6c5d4-e3f2-4101-8f9e-8d7c6b5a4938',
  },
  'SearchQuestion.q': {
    description: 'The whole id, number, reference or phone number',
    example: 'tienda-001',
  },
  'ResendMessagesBody.status': { description: 'Only unknown messages can be sent again' },
  'ResendMessagesBody.since': {
    description: 'Only messages that were made since then: a date or a timestamp',
    example: '2026-11-22T16:00:00Z',
  },
  dryRun: { description: 'Only count', example: true },
  'ResendMessagesBody.cursor': {
    description: '`nextCursor` of the call before',
    example: 'b7a6c5d4-e3f2-4101-8f9e-8d7c6b5a4938',
  },
  'ResentMessages.unknown': {
    description: 'Unknown messages that are not expired and not followed by a newer one',
    example: 248,
  },
  resent: {
    description: 'Those whose purpose is alive: sent again, or that would be in a dry run',
    example: 231,
  },
};

/** What waits for ops, and the figures of today. */
export const opsOverviewFields: Fields = {
  'Overview.asOf': {
    description: 'Time at which the overview was put together',
    example: '2026-11-22T16:05:00.000Z',
  },
  day: { description: 'Today in the lender’s time zone', example: '2026-11-22' },
  unavailable: {
    description: 'Services whose part is missing because they did not answer in time',
  },
  waiting: { description: 'What waits for ops; null where the service did not answer' },
  storesInValidation: { description: 'Corner stores in manual validation', example: 3 },
  phonesHeld: {
    description: 'Corner stores whose changed phone number holds their orders',
    example: 0,
  },
  pendingChanges: { description: 'Changes that wait for a second person', example: 2 },
  unmatchedDeposits: { description: 'Deposits that nobody could be found for', example: 1 },
  oldestUnmatchedSeconds: {
    description: 'For how long the oldest of them has waited, in seconds',
    example: 5400,
  },
  failingWebhooks: {
    description: 'Webhooks that failed for good or wait for another attempt',
    example: 0,
  },
  disabledEndpoints: { description: 'Webhook endpoints that are disabled', example: 0 },
  deadJobs: {
    description: 'Jobs that failed for good, of the services that answered',
    example: 0,
  },
  'Overview.orders': { description: 'Orders that were created today' },
  'Overview.payments': { description: 'Deliveries and deposits of today, and all open debts' },
  'Overview.messages': { description: 'SMS that were requested today' },
  'OverviewOrders.asOf': {
    description: 'Time of the sample',
    example: '2026-11-22T16:04:31.000Z',
  },
  'OverviewPayments.asOf': {
    description: 'Time of the sample',
    example: '2026-11-22T16:04:31.000Z',
  },
  'OverviewMessages.asOf': {
    description: 'Time of the sample',
    example: '2026-11-22T16:04:31.000Z',
  },
  orders: { description: 'Number of orders', example: 2 },
  'OverviewOrders.totalAmount': {
    description: 'Price of the goods in all of them, without interest and IVA',
    example: 1500,
  },
  'OverviewHour.totalAmount': {
    description: 'Price of the goods in all of them, without interest and IVA',
    example: 1500,
  },
  hours: { description: 'The hours with orders, oldest first' },
  startsAt: { description: 'Start of the hour', example: '2026-11-22T15:00:00.000Z' },
  'OverviewPayments.deliveries': { description: 'Deliveries that were booked today', example: 1 },
  deliveredAmount: {
    description: 'Price of the delivered goods, without interest and IVA',
    example: 500,
  },
  'OverviewPayments.deposits': { description: 'Deposits that were received today', example: 1 },
  depositedAmount: { description: 'Sum of these deposits', example: 529 },
  outstandingAmount: { description: 'What is owed of all debts', example: 10_580 },
  par30: {
    description:
      'Portfolio at risk: the share of `outstandingAmount` that is overdue for more than 30 days; null ' +
      'if nothing is owed',
    example: 0.05,
  },
  ageing: { description: 'Open debts by the days that they are overdue' },
  days: { description: 'Days overdue; `0`: not yet' },
  'OverviewAgeing.receivables': { description: 'Number of debts', example: 18 },
  'OverviewAgeing.amountDue': { description: 'What is owed of them', example: 9522 },
  sent: { description: 'Accepted by the SMS provider, or delivered', example: 40 },
  failed: { description: 'Failed, expired, or of unknown outcome', example: 1 },
  pending: { description: 'Not sent yet', example: 0 },
};
