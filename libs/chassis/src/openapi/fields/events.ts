import type { Fields } from '../json-schema';

/** Events, webhooks and the sandbox. */
export const eventFields: Fields = {
  'Event.id': {
    description: 'Id of the event',
    example: 'evt_01934d3e-8a1f-7cc0-9d2b-6f2f3f0c7a31',
  },
  id: { description: 'Id of the event', example: 'evt_01934d3e-8a1f-7cc0-9d2b-6f2f3f0c7a31' },
  eventId: {
    description: 'Id of the event: the header `webhook-id`',
    example: 'evt_01934d3e-8a1f-7cc0-9d2b-6f2f3f0c7a31',
  },
  type: { description: 'Type of the event' },
  types: { description: 'Only these types' },
  timestamp: { description: 'Time of the event', example: '2026-11-22T16:05:00.000Z' },
  data: { description: 'The object that the event is about' },
  version: {
    description: 'Version of the object: a receiver ignores an event with a lower one',
    example: 3,
  },
  events: { description: 'Types that are sent' },
  'EventPage.events': { description: 'Events, oldest first' },
  eventTypes: { description: 'Each type with an example' },
  enabled: { description: 'Whether events are recorded for this owner', example: true },
  webhookEndpointId: {
    description: 'Id of the webhook endpoint',
    example: '8b9d8f4c-0a52-4d9a-b0cf-1b52f7a6c001',
  },
  webhookEndpoints: { description: 'Webhook endpoints' },
  url: {
    description: 'Address that events are sent to: https, and public',
    example: 'https://erp.example/fiado',
  },
  description: { description: 'A note of the owner', example: 'ERP, production' },
  ordered: { description: 'Sends the events of one object one after another' },
  signatures: {
    description: 'Kinds of signature in the header: `v1` is HMAC-SHA256, `v1a` is Ed25519',
  },
  publicKey: {
    description: 'Public key of the endpoint',
    example: 'whpk_5P0rO0cYyZ6dpoxYvKpTt0PMgGx6vZlr6o6l2wB3E1A=',
  },
  state: { description: 'Whether events are sent to the endpoint' },
  disabledReason: { description: 'Why the endpoint was disabled' },
  'EndpointEvent.reason': { description: 'Why the endpoint was disabled', example: 'failing' },
  secret: {
    description: 'Secret that signs the events; shown once',
    example: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  },
  keepOldForHours: { description: 'Hours for which the old secret signs as well', example: 24 },
  deliveries: { description: 'Deliveries, newest first' },
  deliveryId: {
    description: 'Id of the delivery',
    example: 'b1f0a9d2-7f0e-4c5b-9b0a-3a1e0f6c5d77',
  },
  failures: { description: 'Failed attempts since the last success', example: 3 },
  failingSince: {
    description: 'Time of the first of these failures; null after a success',
    example: '2026-11-22T16:05:01.000Z',
  },
  'FailingDelivery.lastError': {
    description: 'Error of the last connection; null after an answer',
    example: 'TIMEOUT',
  },
  'OwnedWebhookEndpoint.url': {
    description: 'Origin of the URL: its path and query may hold a secret',
    example: 'https://erp.example',
  },
  'FailingDelivery.status': { description: 'State of the delivery' },
  'Delivery.status': { description: 'State of the delivery' },
  'DeliveryWithLog.status': { description: 'State of the delivery' },
  attempts: { description: 'Number of attempts so far', example: 1 },
  lastStatusCode: {
    description: 'HTTP status of the last answer; null if none came',
    example: 503,
  },
  nextAttemptAt: {
    description: 'Time of the next attempt; null if there will be none',
    example: '2026-11-22T16:10:00.000Z',
  },
  log: { description: 'Each attempt' },
  number: { description: 'Number of the attempt, from 1', example: 1 },
  startedAt: {
    description: 'Time at which the attempt began',
    example: '2026-11-22T16:05:01.000Z',
  },
  durationMs: { description: 'Milliseconds until the answer or the error', example: 112 },
  'DeliveryAttempt.statusCode': {
    description: 'HTTP status of the answer; null if none came',
    example: 200,
  },
  'DeliveryAttempt.error': { description: 'Error of the connection', example: 'ECONNREFUSED' },
  responseHead: { description: 'Beginning of the answer', example: 'ok' },
  replayId: { description: 'Id of the replay', example: 'd2b6f2f3-f0c7-4a31-8a1f-01934d3e7cc0' },
  count: { description: 'Number of events that are sent again', example: 12 },
  from: { description: 'First time of the range, ISO 8601', example: '2026-11-22T00:00:00Z' },
  to: { description: 'End of the range, not included, ISO 8601', example: '2026-11-23T00:00:00Z' },
  only: {
    description: 'Which events are sent again: those that failed, those never delivered, or all',
  },
  ownerId: {
    description: 'Id of the wholesaler or the payment provider',
    example: 'c2d1e0a5-26b3-4f4f-8e9a-4d2f1c7b8e3d',
  },
  'SandboxMessage.to': { description: 'Phone number of the SMS', example: '+525500000001' },
  'SandboxMessage.body': { description: 'Text of the SMS', example: 'Fiado: tu codigo es 123456' },
  'SandboxMessage.verificationId': {
    description: 'Id of the verification whose code it carries',
    example: '7c1f2b60-2e64-4f55-8f6c-0b8a4c6a9d22',
  },
  'SandboxMessage.status': { description: 'State of the SMS' },
  'SandboxMessage.reason': {
    description: 'Why the SMS was not sent or did not arrive',
    example: 'phone-cap',
  },
  'SandboxDeposit.amount': { description: 'Amount of the deposit', example: 529 },
  'SandboxDepositBody.amount': { description: 'Amount of the deposit', example: 529 },
  now: {
    description: 'Time as of which orders expire and defaults open; not in the past',
    example: '2026-12-24T12:00:00Z',
  },
  expired: { description: 'Number of orders that expired', example: 2 },
  opened: { description: 'Number of defaults that were opened', example: 1 },
  skipped: { description: 'Corner stores of other wholesalers as well' },
  cancelled: { description: 'Number of orders that were cancelled', example: 2 },
  cleared: { description: 'Number of debts that were cleared', example: 1 },
};

/** What services know of corner stores and debts, for `fiado verify`. */
export const invariantFields: Fields = {
  creditLimitCents: { description: 'Credit limit in cents', example: 500_000 },
  limitCents: { description: 'Credit limit in cents', example: 500_000 },
  usedCents: { description: 'Credit in use, in cents', example: 52_900 },
  heldCents: { description: 'Credit that open orders hold, in cents', example: 52_900 },
  principalCents: { description: 'Price of the delivered goods, in cents', example: 50_000 },
  owedPrincipalCents: { description: 'What of it is not paid, in cents', example: 50_000 },
  interestCents: { description: 'Interest on the order, in cents', example: 2_500 },
  ivaCents: { description: 'IVA on that interest, in cents', example: 400 },
  dueAt: { description: 'Last moment to pay on time', example: '2026-12-07T05:59:59.999Z' },
  paid: { description: 'Whether nothing of it is owed', example: false },
  inDefault: { description: 'Whether it is in default', example: false },
  'AccountsSums.version': { description: 'Version of the corner store', example: 3 },
  'TransactionsSums.version': { description: 'Version of its copy', example: 3 },
  phoneDigest: {
    description: 'Keyed digest of the phone number, to compare services',
    example: 'd41d8cd98f00b204e9800998ecf8427e',
  },
  debtsDigest: {
    description: 'Digest of its delivered orders, to compare services',
    example: 'd41d8cd98f00b204e9800998ecf8427e',
  },
  'TransactionsSums.debts': { description: 'Number of delivered orders', example: 1 },
  'PaymentsSums.debts': { description: 'Number of receivables', example: 1 },
  'InvariantReport.next': {
    description: 'Where the next range begins; null after the last one',
    example: 'orders:0198d2c0-5a0f-7a71-9f0a-3d4f6f7a1c11',
  },
  'InvariantReport.rows': { description: 'Rows that were checked', example: 412 },
  'InvariantReport.done': {
    description: 'How much of the service is checked by now, from 0 to 1',
    example: 0.42,
  },
  overdueCount: { description: 'Number of overdue debts', example: 0 },
  overdueVersion: { description: 'Version of its defaults', example: 2 },
  'Debt.version': { description: 'Version of the receivable', example: 1 },
  overdue: { description: 'Whether a debt is overdue', example: false },
  'AccountsSums.interestRate': { description: 'Interest on an order, as text', example: '0.05' },
  'TransactionsSums.interestRate': {
    description: 'Interest on an order, as text',
    example: '0.05',
  },
  'TransactionsSums.status': { description: 'State of the corner store', example: 'approved' },
  'AccountsSums.status': { description: 'State of the corner store', example: 'approved' },
  customersDigest: {
    description: 'Digest of its customers, to compare services',
    example: '9e107d9d372bb6826bd81d3542a419d6',
  },
  settingsDigest: {
    description: 'Digest of its wholesalers’ settings, to compare services',
    example: 'e4d909c290d0fb1ca068ffaddf22cbd0',
  },
};
