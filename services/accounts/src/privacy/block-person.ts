import type { Transaction } from '@fiado/chassis/db/database';
import { erasePerson } from '@fiado/chassis/db/erase-person';
import { query, queryOne } from '@fiado/chassis/db/query';
import { appendToOutbox } from '@fiado/chassis/outbox/append';
import { newCodeSalt } from '@fiado/chassis/verification/code';
import { AppError } from '@fiado/contracts/errors';
import { newId } from '@fiado/contracts/new-id';
import { cornerStoreDebtsCall, creditUseCall } from '@fiado/contracts/debts';
import type { ErasedColumnCount } from '@fiado/contracts/jobs/privacy';
import type { AuditedBy } from '../audit/audit-log';
import type { Context } from '../context';
import { changeLockedStore } from '../corner-stores/change-corner-store';
import { PERSONAL_DATA } from '../db/personal-data';
import { keepOwnPart, lockErasure, personOf, startErasure } from './erasures.sql';
import { ErasureRow } from './erasure.entity';

/**
 * Asks whether a person owes, is owed or disputes anything. A service that cannot be asked makes the answer unknown.
 * @returns when money last moved, ISO 8601; null where it never did
 * @throws AppError PERSON_HAS_OPEN_BALANCE, SERVICE_UNAVAILABLE
 */
export async function requireNothingOpen(
  { transactions, payments }: Pick<Context, 'transactions' | 'payments'>,
  cornerStoreId: string,
): Promise<{ lastMoneyAt: string | null }> {
  const [{ lines }, debts] = await Promise.all([
    transactions.ask(creditUseCall, { cornerStoreIds: [cornerStoreId] }),
    payments.ask(cornerStoreDebtsCall, { cornerStoreId }),
  ]);
  const used = lines.reduce((sum, { usedCents }) => sum + usedCents, 0);
  const { openDebts, creditBalanceCents, reservedCents, recoveryCents, unmatchedCents } = debts;
  const { openDisputes = 0 } = debts;
  const held = [recoveryCents, creditBalanceCents, reservedCents, unmatchedCents];
  if ([used, openDebts, openDisputes, ...held].some((amount) => amount > 0)) {
    throw new AppError('PERSON_HAS_OPEN_BALANCE');
  }
  return { lastMoneyAt: debts.lastMoneyAt ?? null };
}

/**
 * Blocks a person in the caller's database transaction: their store has no credit and no open code or
 * link, and what no law asks to keep is erased. Jobs block them in the other services; the request is done
 * when all have answered.
 * @returns what accounts erased
 * @throws AppError CORNER_STORE_NOT_FOUND, CORNER_STORE_IS_BLOCKED
 */
export async function blockPerson(
  tx: Transaction,
  {
    by,
    requestId,
    userId,
    cornerStoreId,
    auditDetails = {},
  }: AuditedBy & { requestId: string; userId: string; cornerStoreId: string },
): Promise<ErasedColumnCount[]> {
  const { wasApproved, now } = await queryOne<{ wasApproved: boolean; now: Date }>(
    tx,
    `SELECT now(), status = 'approved' OR EXISTS (
              SELECT FROM audit_log WHERE object_id = $1 AND action = 'corner-store.approved')
            AS "wasApproved"
       FROM corner_stores WHERE id = $1`,
    [cornerStoreId],
  );
  await changeLockedStore(tx, {
    by,
    cornerStoreId,
    action: 'corner-store.blocked',
    auditDetails: { privacyRequestId: requestId, ...auditDetails },
    decide: ({ onboardingSteps }) => ({
      status: 'pre-approved',
      creditLimitCents: 0,
      blockedAt: now,
      pause: null,
      onboardingSteps: onboardingSteps.filter(
        (step) => step !== 'COMPLETED' && (wasApproved || !step.includes('_IMAGE')),
      ),
    }),
  });
  await endCodesAndLinks(tx, userId);

  const erasureId = newId();
  const steps = { requestId, userId, cornerStoreId };
  await tx.manager.insert(ErasureRow, { id: erasureId, ...steps, phase: 'block', dueAt: now });
  const erasure = await lockErasure(tx, erasureId);
  if (erasure === null) throw new Error('An erasure that was just inserted is gone');
  if (!wasApproved) await dropImages(tx, erasure);
  const person = await personOf(tx, { userId, cornerStoreId });
  const rows = await erasePerson(tx, PERSONAL_DATA, person, 'block');
  await keepOwnPart(tx, erasureId, rows);
  await appendToOutbox(tx, await startErasure(tx, erasure));
  return rows;
}

/** Ends the codes and links of a person that are open. */
export async function endCodesAndLinks(tx: Transaction, userId: string): Promise<void> {
  await query(
    tx,
    `WITH ended AS (
       UPDATE verifications SET status = 'cancelled', code_salt = $2, expires_at = now()
        WHERE user_id = $1 AND status = 'pending'
     ), kyc AS (
       UPDATE kyc_links SET expires_at = least(expires_at, now())
        WHERE verification_id IN (SELECT id FROM verifications WHERE user_id = $1)
     )
     UPDATE account_links SET expires_at = least(expires_at, now()) WHERE user_id = $1`,
    [userId, newCodeSalt()],
  );
}

/** Forgets the images of a store and the copies for its owner. Their files are deleted when the step ends. */
export async function dropImages(
  tx: Transaction,
  { id, cornerStoreId, userId }: Pick<ErasureRow, 'id' | 'cornerStoreId' | 'userId'>,
): Promise<void> {
  await query(
    tx,
    `WITH gone AS (
       DELETE FROM onboarding_documents WHERE corner_store_id = $2 RETURNING storage_key
     ), copied AS (
       SELECT request_id, storage_key FROM privacy_packages
        WHERE user_id = $3 AND storage_key IS NOT NULL
     ), ended AS (
       UPDATE privacy_packages SET storage_key = NULL
        WHERE request_id IN (SELECT request_id FROM copied)
     )
     UPDATE erasures
        SET files = files || ARRAY(SELECT storage_key FROM gone UNION SELECT storage_key FROM copied)
      WHERE id = $1`,
    [id, cornerStoreId, userId],
  );
}
