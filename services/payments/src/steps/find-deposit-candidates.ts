import type { Db } from '@fiado/chassis/db/database';
import type { DepositDetail } from '../db/deposit-details.repository';
import { findCandidatesOfAmount, findNamedCandidates } from '../db/deposit-details.repository';
import type { OpsReceivable } from '../db/ops-receivables.repository';
import { findReferences } from '../db/receivables.repository';
import { rankCandidates, type CandidateReason } from '../domain/rank-candidates';
import type { KnownReference } from '../domain/match-references';
import { readingsOf } from '../domain/payment-reference';
import { similarReferences } from '../domain/similar-references';

/** A debt that an unmatched deposit may be meant for. */
export interface DepositCandidate extends OpsReceivable {
  reasons: CandidateReason[];
}

/**
 * The debts that a deposit may be meant for, the likeliest first: those of the users that its
 * references lead to or resemble, and those of its amount that are due near its payment.
 */
export async function findDepositCandidates(
  db: Db,
  deposit: DepositDetail,
): Promise<DepositCandidate[]> {
  const [known, resembled, ofAmount] = await Promise.all([
    findReferences(db, readingsOf(deposit)),
    findReferences(db, similarReferences(deposit)),
    findCandidatesOfAmount(db, { cents: deposit.valorCents, paidAt: deposit.paidAt }),
  ]);
  const [named, alike] = await Promise.all([ownedBy(db, known), ownedBy(db, resembled)]);
  return rankCandidates(
    [
      ['reference', named],
      ['similar-reference', alike],
      ['amount', ofAmount],
    ],
    deposit,
  );
}

async function ownedBy(db: Db, references: KnownReference[]): Promise<OpsReceivable[]> {
  if (references.length === 0) return [];
  return findNamedCandidates(db, {
    userIds: references.map(({ userId }) => userId),
    receivableIds: references.flatMap(({ receivableId }) => receivableId ?? []),
  });
}
