import type { Fields } from './field';

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
