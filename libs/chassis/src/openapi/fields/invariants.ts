import type { Fields } from './field';

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
