import type { Transaction } from '@fiado/chassis/db/database';
import { query } from '@fiado/chassis/db/query';
import { needsSecondPerson } from '@fiado/chassis/four-eyes';
import { endpoint } from '@fiado/chassis/http/endpoint';
import { audit } from '@fiado/chassis/outbox/append';
import { ReasonBody } from '@fiado/contracts/reason-body';
import type { Caller } from '@fiado/contracts/caller';
import type { ChangeRequested } from '@fiado/contracts/change-requests';
import { AppError } from '@fiado/contracts/errors';
import type { Context } from '../context';
import { countDeposit } from '../metrics';
import { lockCreditBalance } from '../payouts/credit-balance';
import { type Deposit, exampleDeposit, lockDeposit } from './deposit';
import { depositChange, requestDepositChange } from './deposit-changes';
import { undoDeposit } from './undo-deposit';
import { DepositDecisionRow } from './deposit-decision.entity';
import { DepositRow } from './deposit.entity';

export const unassignDepositEndpoint = endpoint({
  ...depositChange,
  id: 'unassignDeposit',
  as: 'deposits.unassign',
  once: true,
  route: 'POST /v1/admin/deposits/:depositId/unassign',
  scope: 'operator',
  summary: 'Take a deposit away from the wrong corner store',
  description:
    'The debts that it paid are open again, its surplus leaves the credit balance, and the deposit ' +
    'is unmatched again. Then assign it to the right store. What the store already spent or was ' +
    'paid out, it owes. A person’s request waits for a second person: 202. Who assigned it alone takes it back ' +
    'alone within ten minutes, while no other money of the store has moved. A key, and a person where no second one is ' +
    'needed, must have the scope approver.',
  body: ReasonBody,
  bodyExample: { reason: 'The payer is another store of that name' },
  errors: [...depositChange.errors, 'DEPOSIT_IS_NOT_ASSIGNED'],
  example: { ...exampleDeposit, reason: 'unassigned' },
  input: ({ body, id, caller: by }) => ({
    reason: body.reason,
    depositId: id('depositId', 'DEPOSIT_NOT_FOUND'),
    by,
  }),
  handle: unassignDeposit,
});

/** How long who assigned a deposit alone may take it back alone. */
const UNDO_MINUTES = 10;

/**
 * Takes an applied deposit away from the wrong store by new rows; it is unmatched again, to be
 * assigned to the right one. A person's request waits for a second person, whatever the amount, unless it
 * undoes an assignment that the same person has just made alone.
 * @throws AppError DEPOSIT_NOT_FOUND, DEPOSIT_IS_NOT_ASSIGNED, FORBIDDEN
 */
export async function unassignDeposit(
  context: Context,
  { depositId, reason, by }: { depositId: string; reason: string; by: Caller },
): Promise<Deposit | ChangeRequested> {
  const result = await context.db.transaction(async (tx) => {
    const deposit = await lockDeposit(tx, depositId);
    if (deposit === null) throw new AppError('DEPOSIT_NOT_FOUND');
    if (!isAssigned(deposit)) throw new AppError('DEPOSIT_IS_NOT_ASSIGNED');
    const undoes = await undoesOwn(tx, deposit, by);
    if (!undoes && needsSecondPerson(context.config.FOUR_EYES, by)) {
      const change = { by, kind: 'deposit.unassign', payload: { reason }, reason } as const;
      return requestDepositChange(tx, deposit, change);
    }
    if (!undoes && !by.scopes.includes('approver')) throw new AppError('FORBIDDEN');
    const decision = { reason, decidedBy: by.id };
    const unassigned = await unassignLockedDeposit(context, tx, deposit, decision);
    const details = { amountCents: deposit.valorCents };
    const entry = { action: 'deposit.unassigned', objectId: depositId, details } as const;
    await audit(tx, by, entry);
    return unassigned;
  });
  if ('status' in result) countDeposit('unassigned');
  return result;
}

/**
 * Whether the caller assigned a deposit alone minutes ago, and nothing followed: no other deposit of its user, no new
 * debt, no use of the credit balance, no payout.
 */
async function undoesOwn(
  tx: Transaction,
  { id, userId, unassignments }: Deposit & { userId: string },
  by: Caller,
): Promise<boolean> {
  // Payouts and the credit balance change under its lock.
  await lockCreditBalance(tx, userId);
  const own = await query(
    tx,
    `SELECT FROM deposit_decisions d
      WHERE deposit_id = $1 AND decision = 'assigned' AND unassignments = $2 AND decided_by = $3
        AND alone_cents IS NOT NULL AND decided_at > now() - make_interval(mins => $5)
        AND NOT EXISTS (SELECT FROM deposits later
                         WHERE later.user_id = $4 AND later.received_at > d.decided_at)
        AND NOT EXISTS (SELECT FROM receivables r WHERE r.user_id = $4 AND r.opened_at > d.decided_at)
        AND NOT EXISTS (SELECT FROM credit_balance_entries e
                         WHERE e.user_id = $4 AND e.created_at > d.decided_at
                           AND e.deposit_id IS DISTINCT FROM $1)
        AND NOT EXISTS (SELECT FROM payouts p
                         WHERE p.corner_store_id = d.corner_store_id AND p.requested_at > d.decided_at)`,
    [id, unassignments, by.id, userId, UNDO_MINUTES],
  );
  return own.length > 0;
}

/**
 * Takes a locked, applied deposit away from the store whose debt it paid: it is unmatched again, and
 * can be assigned to another.
 * @param decision with the id of the ops credential or the person
 */
export async function unassignLockedDeposit(
  context: Context,
  tx: Transaction,
  deposit: Deposit & { userId: string },
  { reason, decidedBy }: { reason: string; decidedBy: string },
): Promise<Deposit> {
  const { id: depositId, unassignments } = deposit;
  const { cornerStoreId } = await undoDeposit(context, tx, deposit, 'unassigned');
  await tx.manager.insert(DepositDecisionRow, {
    depositId,
    decision: 'unassigned',
    unassignments,
    decidedBy,
    cornerStoreId,
    reason,
  });
  const unmatched = {
    status: 'unmatched',
    unmatchedReason: 'unassigned',
    userId: null,
    unassignments: unassignments + 1,
  } as const;
  await tx.manager.update(DepositRow, depositId, unmatched);
  return { ...deposit, ...unmatched };
}

/** Whether a deposit pays a store's debt, so that it can be taken away from it. */
export function isAssigned(deposit: Deposit): deposit is Deposit & { userId: string } {
  return deposit.status === 'applied' && deposit.userId !== null;
}
