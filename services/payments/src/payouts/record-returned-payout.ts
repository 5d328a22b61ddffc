import { needsSecondPerson } from '@fiado/chassis/four-eyes';
import { endpoint } from '@fiado/chassis/http/endpoint';
import { requestChange } from '@fiado/chassis/outbox/waiting-changes';
import { AppError } from '@fiado/contracts/errors';
import type { Context } from '../context';
import {
  auditPayout,
  examplePayout,
  lockPayout,
  payoutAnswer,
  presentPayout,
  returnPayout,
} from './payout';

export const recordReturnedPayoutEndpoint = endpoint({
  id: 'recordReturnedPayout',
  as: 'cornerStores.recordReturnedPayout',
  once: true,
  tag: 'Ops: payments',
  route: 'POST /v1/admin/corner-stores/:cornerStoreId/payouts/:payoutId/returned',
  scope: 'approver',
  summary: 'Book a payout back that the bank returned',
  description:
    'Once; again it changes nothing. The money pays what the store owes by now, the rest is in its ' +
    'credit balance. A person’s request waits for a second person: 202.',
  mayWait: true,
  errors: ['CHANGE_ALREADY_REQUESTED', 'PAYOUT_NOT_FOUND', 'PAYOUT_IS_NOT_PAID'],
  answer: payoutAnswer,
  example: { ...examplePayout, status: 'returned', returnedAt: '2026-10-05T16:00:00.000Z' },
  input: ({ id, caller: by }) => ({
    cornerStoreId: id('cornerStoreId', 'PAYOUT_NOT_FOUND'),
    payoutId: id('payoutId', 'PAYOUT_NOT_FOUND'),
    by,
  }),
  handle: ({ db, config }: Context, { cornerStoreId, payoutId, by }) =>
    db.transaction(async (tx) => {
      const payout = await lockPayout(tx, payoutId);
      if (payout?.cornerStoreId !== cornerStoreId) throw new AppError('PAYOUT_NOT_FOUND');
      if (payout.status === 'returned') return payout;
      if (payout.status !== 'paid') throw new AppError('PAYOUT_IS_NOT_PAID');
      // It gives the store money.
      if (needsSecondPerson(config.FOUR_EYES, by)) {
        const { status, amountCents, bankReference, reason } = payout;
        const payload = { cornerStoreId, amountCents, bankReference };
        const change = { kind: 'payout.return', payload, before: { status }, reason } as const;
        return requestChange(tx, { ...change, by, targetId: payoutId });
      }
      const returned = await returnPayout(tx, payout);
      await auditPayout(tx, by, 'payout.returned', returned);
      return returned;
    }),
  present: presentPayout,
});
