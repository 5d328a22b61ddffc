import { enterInbox } from '@fiado/shared/chassis/outbox/inbox';
import type { Context } from '../context';
import { DepositEntity } from '../db/deposit.entity';
import { lockDeposit } from '../db/deposits.repository';
import { matchReferences } from '../db/receivables.repository';
import { countDeposit } from '../metrics';
import { plainReference } from '../domain/payment-reference';
import { distributeDeposit } from './distribute-deposit';

export interface ApplyDepositCommand {
  messageId: string;
  depositId: string;
}

/**
 * Finds whose debt a stored deposit pays and pays it; a deposit with two unknown references waits
 * for ops as `unmatched` (design 2, Payments). It happens once, however often the job comes: a
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

    const match = await matchReferences(
      tx,
      plainReference(deposit.idFactura),
      plainReference(deposit.numeroReferencia),
    );
    if (match === undefined) {
      await tx.update(DepositEntity, { id: depositId }, { status: 'unmatched' });
      context.log.warn({ depositId }, 'a deposit matches no reference and waits for ops');
      return 'unmatched' as const;
    }
    await distributeDeposit(context, tx, deposit, match);
    return 'applied' as const;
  });
  if (event !== undefined) countDeposit(event);
  context.relay.wake();
}
