import { IsString } from '@fiado/contracts/class-validator';
import type { Transaction } from '@fiado/chassis/db/database';
import { queryOne } from '@fiado/chassis/db/query';
import { needsSecondPerson } from '@fiado/chassis/four-eyes';
import { endpoint } from '@fiado/chassis/http/endpoint';
import { audit } from '@fiado/chassis/outbox/append';
import type { Caller } from '@fiado/contracts/caller';
import { CHANGE_KINDS, ChangeRequested } from '@fiado/contracts/change-requests';
import { AppError } from '@fiado/contracts/errors';
import type { Context } from '../context';
import { countDeposit } from '../metrics';
import { findIndebtedUser, lockCreditBalance } from '../payouts/credit-balance';
import { distributeDeposit } from './apply-deposit';
import { type Deposit, exampleDeposit, lockDeposit } from './deposit';
import { depositChange, requestDepositChange } from './deposit-changes';
import { DepositDecisionRow } from './deposit-decision.entity';

/** How long an assignment that one person made counts. */
const COUNTED_DAYS = 30;

class AssignDepositBody {
  @IsString()
  cornerStoreId: string;
}

export const assignDepositEndpoint = endpoint({
  ...depositChange,
  id: 'assignDeposit',
  as: 'deposits.assign',
  once: true,
  route: 'POST /v1/admin/deposits/:depositId/assign',
  scope: 'operator',
  summary: 'Assign an unmatched deposit',
  description:
    'A corner store that never had a delivery has no debt to pay: `CORNER_STORE_NOT_FOUND`. ' +
    'When people assign more than 10,000 pesos to one corner store in 30 days, one at a time, a person’s ' +
    'request waits for a second person: 202.',
  body: AssignDepositBody,
  bodyExample: { cornerStoreId: '5d1e0a52-6b3f-4f0e-9a4d-2f1c7b8e3d33' },
  errors: [...depositChange.errors, 'CORNER_STORE_NOT_FOUND', 'DEPOSIT_IS_NOT_UNMATCHED'],
  example: { ...exampleDeposit, status: 'applied', reason: null },
  input: ({ body, id, caller: by }) => ({
    cornerStoreId: body.cornerStoreId,
    depositId: id('depositId', 'DEPOSIT_NOT_FOUND'),
    by,
  }),
  handle: assignDeposit,
});

/**
 * Applies an unmatched deposit to the debt of the corner store that ops found for it. A person's
 * request waits for a second person above a threshold.
 * @throws AppError CORNER_STORE_NOT_FOUND also for one that never had a delivery
 */
export async function assignDeposit(
  context: Context,
  { depositId, cornerStoreId, by }: { depositId: string; cornerStoreId: string; by: Caller },
): Promise<Deposit | ChangeRequested> {
  const assigned = await context.db.transaction(async (tx) => {
    const deposit = await lockDeposit(tx, depositId);
    if (deposit === null) throw new AppError('DEPOSIT_NOT_FOUND');
    const userId = await findIndebtedUser(tx, cornerStoreId);
    if (deposit.status !== 'unmatched') throw new AppError('DEPOSIT_IS_NOT_UNMATCHED');

    const assignment = { cornerStoreId, userId };
    const isAlone = needsSecondPerson(context.config.FOUR_EYES, by);
    if (isAlone && (await isTooMuchAlone(tx, deposit, assignment))) {
      const change = { by, kind: 'deposit.assign', payload: assignment } as const;
      return requestDepositChange(tx, deposit, change);
    }
    const decision = { ...assignment, decidedBy: by.id, isAlone };
    const applied = await assignLockedDeposit(context, tx, deposit, decision);
    const details = { cornerStoreId, amountCents: deposit.valorCents };
    const entry = { action: 'deposit.assigned', objectId: depositId, details } as const;
    await audit(tx, by, entry);
    return applied;
  });
  if (!(assigned instanceof ChangeRequested)) countDeposit('assigned');
  return assigned;
}

/**
 * Whether this deposit and the recent ones that were assigned to the same store without a second person
 * are together above the threshold. Otherwise many small deposits could add up to a large one.
 */
async function isTooMuchAlone(
  tx: Transaction,
  { valorCents }: Deposit,
  { cornerStoreId, userId }: { cornerStoreId: string; userId: string },
): Promise<boolean> {
  // Two assignments to one store, one after the other: the second one counts the first.
  await lockCreditBalance(tx, userId);
  const { cents } = await queryOne<{ cents: number }>(
    tx,
    `SELECT coalesce(sum(alone_cents), 0)::bigint AS cents FROM deposit_decisions
      WHERE corner_store_id = $1 AND alone_cents IS NOT NULL
        AND decided_at > now() - make_interval(days => $2)`,
    [cornerStoreId, COUNTED_DAYS],
  );
  return valorCents + cents > CHANGE_KINDS['deposit.assign'].aboveCents;
}

interface Assignment {
  cornerStoreId: string;
  /** The user of that corner store. */
  userId: string;
  /** Id of the ops credential or the person. */
  decidedBy: string;
  /** One person decides, without a second one. */
  isAlone?: boolean;
}

/** Applies a locked, unmatched deposit to the debt of a corner store. */
export async function assignLockedDeposit(
  context: Context,
  tx: Transaction,
  deposit: Deposit,
  { cornerStoreId, userId, decidedBy, isAlone }: Assignment,
): Promise<Deposit> {
  await tx.manager.insert(DepositDecisionRow, {
    depositId: deposit.id,
    decision: 'assigned',
    unassignments: deposit.unassignments,
    decidedBy,
    cornerStoreId,
    aloneCents: isAlone === true ? deposit.valorCents : null,
  });
  await distributeDeposit(context, tx, deposit, { userId, receivableId: null });
  return { ...deposit, status: 'applied', userId };
}
