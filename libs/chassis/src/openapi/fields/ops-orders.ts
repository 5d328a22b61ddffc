import type { Fields } from './field';

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
