import type { Transaction } from '@fiado/chassis/db/database';
import type { Context } from '../context';
import { payReceivables } from '../debts/pay-receivables';
import { type Match, matchReferences, readingsOf } from '../debts/payment-reference.rules';
import { owedCentsOf } from '../debts/receivable';
import { findReferences } from '../debts/references';
import { publishDefaults } from '../defaults/open-defaults';
import { withdrawDefaults } from '../defaults/withdraw-defaults';
import { countDeposit } from '../metrics';
import { insertNotice } from '../notices/notices.sql';
import { lockCreditBalance, moveCreditBalance } from '../payouts/credit-balance';
import { type Deposit, lockDeposit } from './deposit';
import { findPossibleDuplicate } from './possible-duplicates.sql';
import { isAboveCeiling, type UnmatchedReason } from './deposit.rules';
import { DepositRow } from './deposit.entity';

/** Cleared once a deposit is applied or unmatched. */
const DONE = { lastError: null, requestId: null, traceparent: null };

/**
 * Finds the debt that a stored deposit pays, and applies the deposit to it. A deposit whose
 * references are unknown or ambiguous, that is above the ceiling, or that may report a payment which
 * another one reported, waits for ops as `unmatched`.
 * Its effect happens once, however often it is called: it changes a deposit that is `received`.
 */
export async function applyDeposit(context: Context, depositId: string): Promise<void> {
  const event = await context.db.transaction(async (tx) => {
    const deposit = await lockDeposit(tx, depositId);
    if (deposit?.status !== 'received') return undefined;

    const duplicate = await findPossibleDuplicate(tx, deposit);
    if (duplicate !== undefined) {
      await tx.manager.update(DepositRow, depositId, { possibleDuplicateOf: duplicate.id });
    }
    const found = await matchDeposit(context, tx, deposit);
    const match =
      typeof found !== 'string' && duplicate?.isSameTime === true ? 'possible-duplicate' : found;
    if (typeof match === 'string') {
      const unmatched = { ...DONE, status: 'unmatched', unmatchedReason: match } as const;
      await tx.manager.update(DepositRow, depositId, unmatched);
      context.log.warn({ depositId, reason: match }, 'deposit is unmatched and waits for ops');
      return 'unmatched' as const;
    }
    await distributeDeposit(context, tx, deposit, match);
    return 'applied' as const;
  });
  if (event !== undefined) countDeposit(event);
  context.relay.wake();
}

/** @returns whose debt a locked deposit pays, or why ops must look at it */
async function matchDeposit(
  { config }: Context,
  tx: Transaction,
  deposit: Deposit,
): Promise<Match | UnmatchedReason> {
  const readings = readingsOf(deposit);
  const match = matchReferences(readings, await findReferences(tx, readings));
  if (typeof match === 'string') return match;
  const ceiling = {
    pesos: config.DEPOSIT_CEILING_PESOS,
    timesOwed: config.DEPOSIT_CEILING_TIMES_OWED,
  };
  // Most deposits are below the fixed limit, and then the debt need not be summed.
  if (!isAboveCeiling(deposit.valorCents, 0, ceiling)) return match;
  // The lock keeps the debt of the user as it is until this deposit is applied.
  await lockCreditBalance(tx, match.userId);
  const owedCents = await owedCentsOf(tx, match.userId);
  return isAboveCeiling(deposit.valorCents, owedCents, ceiling) ? 'above-ceiling' : match;
}

/**
 * Distributes a locked deposit: to the receivable that it names, then to the oldest due ones of the
 * user, and the rest to the user's credit balance.
 */
export async function distributeDeposit(
  context: Context,
  tx: Transaction,
  deposit: Deposit,
  { userId, receivableId }: Match,
): Promise<void> {
  const { id: depositId, unassignments, valorCents } = deposit;
  const balance = await lockCreditBalance(tx, userId);
  if (balance === undefined)
    throw new Error('A user with a payment reference has a credit balance');
  const { leftCents, closed } = await payReceivables(tx, {
    userId,
    amountCents: valorCents,
    source: { id: depositId, unassignments },
    receivableId,
  });

  if (leftCents > 0) {
    await moveCreditBalance(tx, userId, { cause: 'surplus', depositId, cents: leftCents });
  }
  await tx.manager.update(DepositRow, depositId, { ...DONE, status: 'applied', userId });
  await insertNotice(tx, {
    kind: 'payment-received',
    subjectId: depositId,
    unassignments,
    cornerStoreId: balance.cornerStoreId,
    notBefore: context.clock.now(),
  });
  await withdrawDefaults(tx, deposit, closed, context.clock.now());
  await publishDefaults(tx, [{ cornerStoreId: balance.cornerStoreId, opened: [], closed }]);
}
