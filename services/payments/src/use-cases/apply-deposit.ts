import type { Transaction } from '@fiado/chassis/db/database';
import { updateRow } from '@fiado/chassis/db/rows';
import { enterInbox } from '@fiado/chassis/outbox/inbox';
import type { Context } from '../context';
import { lockCreditBalance } from '../db/credit-balances.repository';
import type { Deposit } from '../db/deposit';
import { lockDeposit } from '../db/deposits.repository';
import { findReferences, owedCentsOf } from '../db/receivables.repository';
import { isAboveCeiling } from '../domain/deposit-ceiling';
import { matchReferences, type Match, type UnmatchedReason } from '../domain/match-references';
import { readingsOf } from '../domain/payment-reference';
import { countDeposit } from '../metrics';
import { distributeDeposit } from '../steps/distribute-deposit';

/**
 * Finds the debt that a stored deposit pays, and applies the deposit to it. A deposit whose
 * references are unknown or ambiguous, or that is above the ceiling, waits for ops as `unmatched`.
 * Its effect happens once: a repeated message stops at the inbox, and a second message about the
 * deposit at its status.
 */
export async function applyDeposit(
  context: Context,
  { messageId, depositId }: { messageId: string; depositId: string },
): Promise<void> {
  const event = await context.db.transaction(async (tx) => {
    if (!(await enterInbox(tx, messageId))) return undefined;
    const deposit = await lockDeposit(tx, depositId);
    if (deposit?.status !== 'received') return undefined;

    const match = await matchDeposit(context, tx, deposit);
    if (typeof match === 'string') {
      const unmatched = { status: 'unmatched', unmatchedReason: match };
      await updateRow(tx, 'deposits', depositId, unmatched);
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
  // What the user owes stays so until this deposit is applied.
  await lockCreditBalance(tx, match.userId);
  const owedCents = await owedCentsOf(tx, match.userId);
  return isAboveCeiling(deposit.valorCents, owedCents, ceiling) ? 'above-ceiling' : match;
}
