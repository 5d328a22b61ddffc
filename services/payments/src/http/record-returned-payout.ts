import { endpoint } from '@fiado/chassis/http/endpoint';
import { openChange } from '@fiado/chassis/openapi/change-requested';
import { recordReturnedPayout } from '../use-cases/record-returned-payout';
import { examplePayout, payoutAnswer, presentPayout } from './payout-answer';

export const recordReturnedPayoutEndpoint = endpoint({
  id: 'recordReturnedPayout',
  tag: 'Ops: payments',
  route: 'POST /v1/admin/corner-stores/:cornerStoreId/payouts/:payoutId/returned',
  scope: 'approver',
  summary: 'Book a payout back that the bank returned',
  description:
    'Once; again it changes nothing. The money pays what the store owes by now, the rest is in its ' +
    'credit balance. A person’s request waits for a second person: 202.',
  mayWait: true,
  errorFields: { CHANGE_ALREADY_REQUESTED: openChange },
  errors: ['CHANGE_ALREADY_REQUESTED', 'PAYOUT_NOT_FOUND', 'PAYOUT_IS_NOT_PAID'],
  answer: payoutAnswer,
  example: { ...examplePayout, status: 'returned', returnedAt: '2026-10-05T16:00:00.000Z' },
  input: ({ id, caller: by }) => ({
    cornerStoreId: id('cornerStoreId', 'PAYOUT_NOT_FOUND'),
    payoutId: id('payoutId', 'PAYOUT_NOT_FOUND'),
    by,
  }),
  handle: recordReturnedPayout,
  present: presentPayout,
});
