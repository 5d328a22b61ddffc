import type { Transaction } from '@fiado/chassis/db/database';
import { needsSecondPerson } from '@fiado/chassis/four-eyes';
import { endpoint } from '@fiado/chassis/http/endpoint';
import { audit } from '@fiado/chassis/outbox/append';
import { ReasonBody } from '@fiado/contracts/reason-body';
import type { Caller } from '@fiado/contracts/caller';
import { ChangeRequested } from '@fiado/contracts/change-requests';
import { AppError } from '@fiado/contracts/errors';
import type { Context } from '../context';
import { countDeposit } from '../metrics';
import { type Deposit, exampleDeposit, lockDeposit } from './deposit';
import { depositChange, requestDepositChange } from './deposit-changes';
import { undoDeposit } from './undo-deposit';
import { DepositDecisionRow } from './deposit-decision.entity';
import { DepositRow } from './deposit.entity';

export const reverseDepositEndpoint = endpoint({
  ...depositChange,
  id: 'reverseDeposit',
  as: 'deposits.reverse',
  once: true,
  route: 'POST /v1/admin/deposits/:depositId/reverse',
  scope: 'approver',
  summary: 'Reverse a deposit',
  description:
    'The debts that it paid are open again. A person’s request waits for a second person: 202.',
  body: ReasonBody,
  bodyExample: { reason: 'The provider sent it twice' },
  example: { ...exampleDeposit, status: 'reversed', reason: null },
  input: ({ body, id, caller: by }) => ({
    reason: body.reason,
    depositId: id('depositId', 'DEPOSIT_NOT_FOUND'),
    by,
  }),
  handle: reverseDeposit,
});

/**
 * Undoes a deposit by new rows: what it paid is owed again, and its surplus leaves the credit
 * balance. Reversing it again changes nothing. A person's request waits for a second person.
 */
export async function reverseDeposit(
  context: Context,
  { depositId, reason, by }: { depositId: string; reason: string; by: Caller },
): Promise<Deposit | ChangeRequested> {
  const { result, isNew } = await context.db.transaction(async (tx) => {
    const deposit = await lockDeposit(tx, depositId);
    if (deposit === null) throw new AppError('DEPOSIT_NOT_FOUND');
    if (deposit.status === 'reversed') return { result: deposit, isNew: false };
    if (needsSecondPerson(context.config.FOUR_EYES, by)) {
      const change = { by, kind: 'deposit.reverse', payload: { reason }, reason } as const;
      return { result: await requestDepositChange(tx, deposit, change), isNew: false };
    }
    const decision = { reason, decidedBy: by.id };
    const result = await reverseLockedDeposit(context, tx, deposit, decision);
    const details = { amountCents: deposit.valorCents };
    const entry = { action: 'deposit.reversed', objectId: depositId, details } as const;
    await audit(tx, by, entry);
    return { result, isNew: true };
  });
  if (isNew) countDeposit('reversed');
  return result;
}

/**
 * Undoes a locked deposit that is not reversed: the money is gone.
 * @param decision with the id of the ops credential or the person
 */
export async function reverseLockedDeposit(
  context: Context,
  tx: Transaction,
  deposit: Deposit,
  { reason, decidedBy }: { reason: string; decidedBy: string },
): Promise<Deposit> {
  const { id: depositId, userId, unassignments } = deposit;
  const decision = { depositId, decision: 'reversed', unassignments, decidedBy, reason } as const;
  await tx.manager.insert(DepositDecisionRow, decision);
  await tx.manager.update(DepositRow, depositId, { status: 'reversed' });
  if (userId !== null) await undoDeposit(context, tx, { ...deposit, userId }, 'reversal');
  return { ...deposit, status: 'reversed' };
}
