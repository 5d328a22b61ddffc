import { AppError } from '@fiado/contracts/errors';
import type { Context } from '../context';
import {
  findDecisions,
  findDepositDetail,
  type DepositDecision,
  type DepositDetail,
} from '../db/deposit-details.repository';
import { findAllocations, type ReceivableAllocation } from '../db/ops-receivables.repository';
import { findDepositCandidates, type DepositCandidate } from '../steps/find-deposit-candidates';

export interface ShownDeposit {
  deposit: DepositDetail;
  allocations: ReceivableAllocation[];
  decisions: DepositDecision[];
  /** Of an unmatched deposit: the debts that it may be meant for, the likeliest first. */
  candidates: DepositCandidate[];
  now: Date;
}

/**
 * A deposit with what it paid, and for an unmatched one with what it may be meant for.
 * @throws AppError DEPOSIT_NOT_FOUND
 */
export async function showDeposit(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { depositId }: { depositId: string },
): Promise<ShownDeposit> {
  const deposit = await findDepositDetail(db, depositId);
  if (deposit === undefined) throw new AppError('DEPOSIT_NOT_FOUND');
  const [allocations, decisions, candidates] = await Promise.all([
    findAllocations(db, { depositId }),
    findDecisions(db, depositId),
    deposit.status === 'unmatched' ? findDepositCandidates(db, deposit) : [],
  ]);
  return { deposit, allocations, decisions, candidates, now: clock.now() };
}
