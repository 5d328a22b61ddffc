import type { Transaction } from '@fiado/chassis/db/database';
import { queryRow } from '@fiado/chassis/db/query';
import { needsSecondPerson } from '@fiado/chassis/four-eyes';
import { endpoint } from '@fiado/chassis/http/endpoint';
import { requestChange } from '@fiado/chassis/outbox/waiting-changes';
import { ReasonBody } from '@fiado/contracts/reason-body';
import { DescribedAs } from '@fiado/contracts/about';
import type { Caller } from '@fiado/contracts/caller';
import { ChangeRequested } from '@fiado/contracts/change-requests';
import { IsBankReference, IsPositiveAmount } from '@fiado/contracts/decorators';
import { AppError } from '@fiado/contracts/errors';
import { centsOf } from '@fiado/contracts/money';
import { newId } from '@fiado/contracts/new-id';
import type { Context } from '../context';
import { findIndebtedUser, lockCreditBalance, moveCreditBalance } from './credit-balance';
import { heldCentsIn } from './held-credits';
import { auditPayout, examplePayout, type Payout, payoutAnswer, presentPayout } from './payout';

@DescribedAs(payoutAnswer.properties)
class PayOutBody extends ReasonBody {
  /** Pesos. */
  @IsPositiveAmount()
  amount: number;

  /** Of the transfer. */
  @IsBankReference()
  bankReference: string;
}

export const payOutEndpoint = endpoint({
  id: 'payOut',
  as: 'cornerStores.payOut',
  once: true,
  tag: 'Ops: payments',
  route: 'POST /v1/admin/corner-stores/:cornerStoreId/payouts',
  scope: 'approver',
  summary: 'Pay out credit balance of a corner store',
  description:
    'The amount leaves the balance at once, so that no debt uses it. A person’s request waits for a ' +
    'second person: 202, whose `changeRequestId` is the `payoutId`. Rejected or expired, the amount ' +
    'is back in the balance. `bankReference` names one payout, however it is spaced and in either ' +
    'case. What a credit note gave to a paid order is not paid out before the statement of the note ' +
    'is closed at 0 or more. A store that never had a delivery is not found.',
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

interface PayOut {
  cornerStoreId: string;
  amountCents: number;
  bankReference: string;
  reason: string;
  by: Caller;
}

/**
 * Pays credit balance out to the store's bank account. The amount leaves the balance at once, so
 * that nothing else spends it. A person's request waits for a second person; asked again by the same
 * person it is the same request.
 * @throws AppError CORNER_STORE_NOT_FOUND also for one that never had a delivery
 */
async function payOut(context: Context, command: PayOut): Promise<Payout | ChangeRequested> {
  return context.db.transaction(async (tx) => {
    const userId = await findIndebtedUser(tx, command.cornerStoreId);
    const balance = await lockCreditBalance(tx, userId);
    const known = await queryRow<Payout>(
      tx,
      `SELECT * FROM payouts WHERE bank_reference_key = $1 AND status <> 'cancelled'`,
      [bankReferenceKey(command.bankReference)],
    );
    if (known !== undefined) return sameRequest(known, command);
    const heldCents = await heldCentsIn(tx, userId);
    if (command.amountCents > (balance?.balanceCents ?? 0) - heldCents) {
      throw new AppError('PAYOUT_AMOUNT_NOT_ALLOWED');
    }
    if (needsSecondPerson(context.config.FOUR_EYES, command.by)) {
      const { by, reason, ...payload } = command;
      const change = { by, kind: 'payout.pay', payload, before: {}, reason } as const;
      const request = await requestChange(tx, change);
      await reserve(tx, userId, command, { id: request.changeRequestId, status: 'requested' });
      return request;
    }
    const payout = await reserve(tx, userId, command, { id: newId(), status: 'paid' });
    await auditPayout(tx, command.by, 'payout.paid', payout);
    return payout;
  });
}

/** The same request again; another one may not use its bank reference. */
function sameRequest(known: Payout, { by, ...wanted }: PayOut): ChangeRequested {
  const isSame =
    known.status === 'requested' &&
    known.requestedBy === by.id &&
    known.cornerStoreId === wanted.cornerStoreId &&
    known.amountCents === wanted.amountCents &&
    known.reason === wanted.reason;
  if (!isSame) throw new AppError('BANK_REFERENCE_ALREADY_USED');
  return new ChangeRequested(known.id);
}

/** Books the payout, and takes its money from the locked balance. */
async function reserve(
  tx: Transaction,
  userId: string,
  { cornerStoreId, amountCents, bankReference, reason, by }: PayOut,
  { id, status }: Pick<Payout, 'id' | 'status'>,
): Promise<Payout> {
  const payout = await queryRow<Payout>(
    tx,
    `INSERT INTO payouts (id, user_id, corner_store_id, amount_cents, bank_reference,
       bank_reference_key, reason, status, requested_by, paid_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, CASE $8 WHEN 'paid' THEN now() END)
     ON CONFLICT (bank_reference_key) WHERE status <> 'cancelled' DO NOTHING
     RETURNING *`,
    [
      id,
      userId,
      cornerStoreId,
      amountCents,
      bankReference,
      bankReferenceKey(bankReference),
      reason,
      status,
      by.id,
    ],
  );
  // Another store's payout, at the same time.
  if (payout === undefined) throw new AppError('BANK_REFERENCE_ALREADY_USED');
  const movement = { cause: 'payout', payoutId: payout.id, cents: -amountCents } as const;
  await moveCreditBalance(tx, userId, movement);
  return payout;
}

/** The form in which two bank references are compared: people write spaces, hyphens and case differently. */
function bankReferenceKey(text: string): string {
  return text.toUpperCase().replaceAll(/[^0-9A-Z]/g, '');
}
