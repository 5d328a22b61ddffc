import type { Fields } from './field';

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
