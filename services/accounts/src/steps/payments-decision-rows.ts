import { outboxRows, type OutboxRow } from '@fiado/chassis/outbox/append';
import { PAYOUT_CHANGES } from '@fiado/contracts/change-requests';
import { depositChangeDecided } from '@fiado/contracts/jobs/deposit-change-decided';
import { payoutChangeDecided } from '@fiado/contracts/jobs/payout-change-decided';
import type { ChangeRequest } from '../db/change-requests.repository';

const OF_PAYOUTS: readonly string[] = PAYOUT_CHANGES;

/** The job that makes a change in payments, which owns its target, or forgets it. */
export function paymentsDecisionRows(
  { id, kind, targetId }: Pick<ChangeRequest, 'id' | 'kind' | 'targetId'>,
  isApproved: boolean,
): OutboxRow[] {
  const aggregate = { id, version: 1 };
  const decision = { changeRequestId: id, isApproved };
  const target = targetId ?? '';
  return OF_PAYOUTS.includes(kind)
    ? outboxRows(payoutChangeDecided, aggregate, { ...decision, payoutId: target })
    : outboxRows(depositChangeDecided, aggregate, { ...decision, depositId: target });
}
