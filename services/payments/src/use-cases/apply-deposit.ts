import { enterInbox } from '@fiado/shared/chassis/outbox/inbox';
import type { Context } from '../context';
import { DepositEntity } from '../db/deposit.entity';
import { lockDeposit } from '../db/deposits.repository';
import { findReferences } from '../db/receivables.repository';
import { matchReferences } from '../domain/match-references';
import { readingsOf } from '../domain/payment-reference';
import { countDeposit } from '../metrics';
import { distributeDeposit } from './distribute-deposit';

export interface ApplyDepositCommand {
  messageId: string;
  depositId: string;
}

/**
 * Finds whose debt a stored deposit pays and pays it. A deposit whose references are unknown or
 * ambiguous waits for ops as `unmatched`. It happens once, however often the job comes: a
 * repeated message stops at the inbox, and a second message about the deposit at its status.
 */
export async function applyDeposit(
  context: Context,
  { messageId, depositId }: ApplyDepositCommand,
): Promise<void> {
  const event = await context.db.transaction(async (tx) => {
    if (!(await enterInbox(tx, messageId))) return undefined;
    const deposit = await lockDeposit(tx, depositId);
    if (deposit?.status !== 'received') return undefined;

    const readings = readingsOf(deposit);
    const match = matchReferences(readings, await findReferences(tx, readings));
    if (typeof match === 'string') {
      const unmatched = { status: 'unmatched', unmatchedReason: match } as const;
      await tx.update(DepositEntity, { id: depositId }, unmatched);
      context.log.warn({ depositId, reason: match }, 'a deposit is unmatched and waits for ops');
      return 'unmatched' as const;
    }
    await distributeDeposit(context, tx, deposit, match);
    return 'applied' as const;
  });
  if (event !== undefined) countDeposit(event);
  context.relay.wake();
}
