import type { Fields } from '../json-schema';

/** Debts, payment references, deposits and defaults. */
export const paymentFields: Fields = {
  idFactura: {
    description: 'Reference of one debt: 13 digits, the last a check digit (Luhn)',
    example: '0000000000018',
  },
  numeroReferencia: {
    description: 'Reference of the user, for all debts: 12 digits, the last a check digit (Luhn)',
    example: '000000000018',
  },
  reference: {
    description: 'An `idFactura` or a `numeroReferencia`; leading zeros may be left out',
    example: '4829105736423',
  },
  'LookedUpReference.reference': {
    description: 'The reference that was found, with all of its digits',
    example: '4829105736423',
  },
  'LookedUpReference.amountDue': {
    description:
      'What is still owed: of an `idFactura` for its debt, of a `numeroReferencia` for all debts',
    example: 529,
  },
  firstNameInitial: {
    description: 'First letter of the first name of the user who owes it',
    example: 'L',
  },
  valor: { description: 'Amount of the deposit', example: 529 },
  fechaPago: {
    description: 'Time of the payment, without a time zone',
    example: '2026-12-01 10:15:00.000',
  },
  claveDePago: {
    description: 'The provider’s own id of the deposit, unique among its deposits',
    example: 'PAGO-90001',
  },
  amountDue: { description: 'What is still owed, with interest and IVA', example: 529 },
  amountPaid: { description: 'What was paid so far', example: 0 },
  'Payment.status': {
    description: 'Whether the debt is paid, and if not, whether its date has passed',
  },
  'PaymentEvent.status': {
    description: 'Whether the debt is paid, and if not, whether its date has passed',
  },
  depositId: {
    description: 'Fiado’s id of the deposit',
    example: '1c7a1b9e-0c55-4a8e-8f10-6f2f3f0c7a31',
  },
  deposits: { description: 'Deposits' },
  'Deposit.status': { description: 'State of the deposit' },
  'ListedDeposit.status': { description: 'State of the deposit' },
  'DepositEvent.status': { description: 'State of the deposit' },
  reason: { description: 'Why', example: 'Comprobante ilegible' },
  'Deposit.reason': { description: 'Why an unmatched deposit has no debt; null for any other' },
  'ListedDeposit.reason': {
    description: 'Why an unmatched deposit has no debt; null for any other',
  },
  'DepositEvent.reason': {
    description: 'Why an unmatched deposit has no debt; null for any other',
  },
  conflicts: {
    description: 'Later deposits of the same `claveDePago` with another body; they were refused',
  },
  payouts: { description: 'Payouts of a credit balance' },
  payoutId: {
    description: 'Fiado’s id of the payout',
    example: '0199e2c4-9d4e-7f50-8b62-738495061728',
  },
  'PayOutBody.amount': { description: 'What is paid out', example: 42 },
  'Payout.amount': { description: 'What is paid out', example: 42 },
  bankReference: {
    description: 'Reference of the bank transfer; unique, however it is spaced and in either case',
    example: 'SPEI-20261002-77',
  },
  'Payout.status': {
    description:
      '`requested`: the amount is reserved, and a second person decides. `cancelled`: rejected, or ' +
      'the money of the balance was taken back before the decision',
  },
  'Payout.paidAt': {
    description: 'When it was paid; null before',
    example: '2026-12-02T16:30:02.345Z',
  },
  returnedAt: {
    description: 'When it was booked back; null before',
    example: '2026-12-05T16:00:00.000Z',
  },
  returnRequestId: {
    description: 'The request to book it back that waits for a second person; else null',
    example: '0199e2c4-ae5f-7061-9c73-849506172839',
  },
  payoutsReserved: { description: 'Of payouts that wait for a second person', example: 0 },
  recoveryDue: {
    description: 'What it owes of money that was taken back after a payout',
    example: 0,
  },
  receivedAt: {
    description: 'Time at which Fiado stored the deposit',
    example: '2026-12-01T16:15:02.000Z',
  },
  paymentProvider: { description: 'Name of the payment provider', example: 'Acme' },
  paymentDefaults: { description: 'Defaults, newest first, 20 on a page' },
  paymentDefaultAmount: { description: 'What was owed when the default was opened', example: 529 },
  paymentDefaultCreatedDate: {
    description: 'Time at which the default was opened',
    example: '2026-12-08T06:05:00.000Z',
  },
  paymentDefaultPaidDate: {
    description: 'Time at which it was paid; null while it is open',
    example: '2026-12-10T17:00:00.000Z',
  },
  totalPages: { description: 'Number of pages; 0 if there is none', example: 3 },
  totalElements: { description: 'Number of items on all pages', example: 45 },
  first: { description: 'Whether this is the first page' },
  last: { description: 'Whether this is the last page' },
};

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
