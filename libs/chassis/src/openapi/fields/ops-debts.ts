import type { Fields } from './field';

/** Debts, defaults and deposits as ops reads them. */
export const opsDebtFields: Fields = {
  receivables: { description: 'Debts' },
  receivableId: {
    description: 'Id of the debt',
    example: '0199e2c4-7b2c-7d3e-9f40-516273849506',
  },
  daysOverdue: {
    description: 'Days since the last day to pay: 1 on the day after it; 0 before it and once paid',
    example: 3,
  },
  paidAt: {
    description: 'Time of the payment: of a debt, that of its last cent',
    example: '2026-12-02T16:30:02.345Z',
  },
  'ReceivableDetail.entries': { description: 'Ledger of the debt, oldest first' },
  'ReceivableEntry.version': { description: 'Number of the change', example: 1 },
  cause: { description: '`opened`: the delivery. `payment` and `reversal`: money' },
  allocations: { description: 'Money that was used for debts, oldest first' },
  allocationId: {
    description: 'Id of the use of money for a debt; null if the entry is not about money',
    example: '0199e2c4-8c3d-7e4f-8a51-627384950617',
  },
  'Allocation.depositId': {
    description: 'The deposit that it comes from; null for money of a credit balance',
    example: '1c7a1b9e-0c55-4a8e-8f10-6f2f3f0c7a31',
  },
  'Allocation.amount': { description: 'Amount that was used for the debt', example: 529 },
  'Allocation.totalAmount': { description: 'Part of it for the price of the goods', example: 500 },
  'Allocation.interests': { description: 'Part of it for interest', example: 25 },
  'Allocation.IVAAmount': { description: 'Part of it for IVA', example: 4 },
  amountReversed: { description: 'How much of it was taken back', example: 0 },
  'ReceivableEntry.amount': {
    description: 'By how much the debt grew; negative for a payment',
    example: 529,
  },
  'ReceivableEntry.totalAmount': {
    description: 'Part of it for the price of the goods',
    example: 500,
  },
  'ReceivableEntry.interests': { description: 'Part of it for interest', example: 25 },
  'ReceivableEntry.IVAAmount': { description: 'Part of it for IVA', example: 4 },
  'Receivable.status': {
    description: 'Whether the debt is paid, and if not, whether its date has passed',
  },
  'ReceivableDetail.status': {
    description: 'Whether the debt is paid, and if not, whether its date has passed',
  },
  'DepositCandidate.status': {
    description: 'Whether the debt is paid, and if not, whether its date has passed',
  },
  'Receivable.createdAt': {
    description: 'Time at which the delivery was booked',
    example: '2026-11-22T16:05:00.000Z',
  },
  defaultId: {
    description: 'Id of the default',
    example: '0199e2c4-9d4e-7f50-8b62-738495061728',
  },
  'OpsDefault.status': { description: '`open` until the debt is paid in full, then `closed`' },
  'OpsDefaultPage.paymentDefaults': { description: 'Defaults, newest first' },
  'DepositDetail.status': { description: 'State of the deposit' },
  'DepositDetail.reason': {
    description: 'Why an unmatched deposit has no debt; null for any other',
  },
  surplus: {
    description: 'How much of the deposit went to the credit balance of the user',
    example: 0,
  },
  decisions: { description: 'What ops decided on the deposit' },
  decision: { description: 'What was decided' },
  decidedBy: {
    description: 'Id of the ops key; `ops` is `OPS_API_KEY`',
    example: '0a526b3f-4f0e-4a4d-8f1c-7b8e3d335d1e',
  },
  decidedAt: { description: 'Time of the decision', example: '2026-12-02T17:00:00.000Z' },
  candidates: { description: 'Debts that the deposit may be meant for, the likeliest first' },
  reasons: { description: 'Why the debt is a candidate' },
};
