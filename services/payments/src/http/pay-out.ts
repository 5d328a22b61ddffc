import { Matches } from 'class-validator';
import { endpoint } from '@fiado/chassis/http/endpoint';
import { IsNonEmptyText, IsPositiveAmount } from '@fiado/contracts/decorators';
import { centsOf } from '@fiado/contracts/money';
import { payOut } from '../use-cases/pay-out';
import { examplePayout, payoutAnswer, presentPayout } from './payout-answer';
import { ReasonBody } from './reason-body';

/** Longest reference in characters: a CEP's tracking key has 30. */
const MAX_REFERENCE_LENGTH = 64;

class PayOutBody extends ReasonBody {
  /** Pesos. */
  @IsPositiveAmount()
  amount: number;

  /** Of the transfer. */
  @IsNonEmptyText(MAX_REFERENCE_LENGTH)
  // A letter of another alphabet would look the same and be another reference.
  @Matches(/^[ -~]*[0-9A-Za-z][ -~]*$/)
  bankReference: string;
}

export const payOutEndpoint = endpoint({
  id: 'payOut',
  tag: 'Ops: payments',
  route: 'POST /v1/admin/corner-stores/:cornerStoreId/payouts',
  scope: 'approver',
  summary: 'Pay out credit balance of a corner store',
  description:
    'The amount leaves the balance at once, so that no debt uses it. A person’s request waits for a ' +
    'second person: 202, whose `changeRequestId` is the `payoutId`. Rejected or expired, the amount ' +
    'is back in the balance. `bankReference` names one payout, however it is spaced and in either ' +
    'case. A store that never had a delivery is not found.',
  body: PayOutBody,
  bodyExample: { amount: 42, bankReference: 'SPEI-20261002-77', reason: examplePayout.reason },
  mayWait: true,
  errors: ['CORNER_STORE_NOT_FOUND', 'PAYOUT_AMOUNT_NOT_ALLOWED', 'BANK_REFERENCE_ALREADY_USED'],
  status: 201,
  answer: payoutAnswer,
  example: examplePayout,
  input: ({ body, id, caller: by }) => ({
    amountCents: centsOf(body.amount),
    bankReference: body.bankReference,
    reason: body.reason,
    cornerStoreId: id('cornerStoreId', 'CORNER_STORE_NOT_FOUND'),
    by,
  }),
  handle: payOut,
  present: presentPayout,
});
