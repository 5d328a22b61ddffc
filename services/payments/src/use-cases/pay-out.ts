import type { Transaction } from '@fiado/chassis/db/database';
import { needsSecondPerson } from '@fiado/chassis/four-eyes';
import { appendToOutbox, outboxRows } from '@fiado/chassis/outbox/append';
import type { Caller } from '@fiado/contracts/caller';
import { ChangeRequested } from '@fiado/contracts/change-requests';
import { AppError } from '@fiado/contracts/errors';
import { payoutChangeRequested } from '@fiado/contracts/jobs/payout-change-requested';
import { newId } from '@fiado/contracts/new-id';
import type { Context } from '../context';
import { lockCreditBalance, moveCreditBalance } from '../db/credit-balances.repository';
import { findPayoutByReference, insertPayout, type Payout } from '../db/payouts.repository';
import { bankReferenceKey } from '../domain/bank-reference';
import { findIndebtedUser } from '../steps/find-indebted-user';

export interface PayOut {
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
 * @throws AppError BANK_REFERENCE_ALREADY_USED, PAYOUT_AMOUNT_NOT_ALLOWED
 */
export async function payOut(context: Context, command: PayOut): Promise<Payout | ChangeRequested> {
  const result = await context.db.transaction(async (tx) => {
    const userId = await findIndebtedUser(tx, command.cornerStoreId);
    const balance = await lockCreditBalance(tx, userId);
    const known = await findPayoutByReference(tx, bankReferenceKey(command.bankReference));
    if (known !== undefined) return sameRequest(known, command);
    if (command.amountCents > (balance?.balanceCents ?? 0)) {
      throw new AppError('PAYOUT_AMOUNT_NOT_ALLOWED');
    }
    const waits = needsSecondPerson(context.config.FOUR_EYES, command.by);
    const payout = await reserve(tx, userId, command, waits ? null : context.clock.now());
    if (!waits) return payout;
    await askSecondPerson(tx, payout);
    return new ChangeRequested(payout.id);
  });
  context.relay.wake();
  return result;
}

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

/** @param paidAt null: a second person decides first */
async function reserve(
  tx: Transaction,
  userId: string,
  { cornerStoreId, amountCents, bankReference, reason, by }: PayOut,
  paidAt: Date | null,
): Promise<Payout> {
  const payout = await insertPayout(tx, {
    id: newId(),
    userId,
    cornerStoreId,
    amountCents,
    bankReference,
    bankReferenceKey: bankReferenceKey(bankReference),
    reason,
    status: paidAt === null ? 'requested' : 'paid',
    requestedBy: by.id,
    paidAt,
  });
  // Another store's payout, at the same time.
  if (payout === undefined) throw new AppError('BANK_REFERENCE_ALREADY_USED');
  const movement = { cause: 'payout', payoutId: payout.id, cents: -amountCents } as const;
  await moveCreditBalance(tx, userId, movement);
  return payout;
}

async function askSecondPerson(tx: Transaction, payout: Payout): Promise<void> {
  const { id, cornerStoreId, amountCents, bankReference, reason, requestedBy } = payout;
  const request = {
    changeRequestId: id,
    kind: 'payout.pay' as const,
    payoutId: id,
    payload: { cornerStoreId, amountCents, bankReference },
    before: {},
    reason,
    requestedBy,
  };
  await appendToOutbox(tx, outboxRows(payoutChangeRequested, { id, version: 1 }, request));
}
