import type { Transaction } from '@fiado/chassis/db/database';
import { requestChange } from '@fiado/chassis/outbox/waiting-changes';
import type { Caller } from '@fiado/contracts/caller';
import type { ChangeKindName, ChangeRequested } from '@fiado/contracts/change-requests';
import { type Deposit, depositAnswer, presentDeposit } from './deposit';
import { depositVersion } from './deposit.rules';

/** What the endpoints that change a deposit have in common. */
export const depositChange = {
  tag: 'Ops: payments',
  mayWait: true,
  errors: ['CHANGE_ALREADY_REQUESTED', 'DEPOSIT_NOT_FOUND'],
  answer: depositAnswer,
  present: presentDeposit,
} as const;

export type DepositChange = Extract<ChangeKindName, `deposit.${string}`>;

/**
 * Stores a change of a locked deposit that waits for a second person.
 * @throws AppError as requestChange
 */
export function requestDepositChange(
  tx: Transaction,
  deposit: Deposit,
  change: { by: Caller; kind: DepositChange; payload: object; reason?: string },
): Promise<ChangeRequested> {
  const { id: targetId, status, valorCents } = deposit;
  const version = { depositVersion: depositVersion(deposit) };
  const before = { status, valorCents };
  return requestChange(tx, { ...change, ...version, targetId, before, kept: version });
}
