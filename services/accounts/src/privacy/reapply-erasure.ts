import { randomBytes } from 'node:crypto';
import type { Transaction } from '@fiado/chassis/db/database';
import { erasePerson } from '@fiado/chassis/db/erase-person';
import type { Person } from '@fiado/chassis/db/personal-data';
import { query, queryOne } from '@fiado/chassis/db/query';
import { appendToOutbox } from '@fiado/chassis/outbox/append';
import type { ErasedColumnCount } from '@fiado/contracts/jobs/privacy';
import { BY_ACCOUNTS } from '../audit/audit-log';
import { changeLockedStore } from '../corner-stores/change-corner-store';
import { PERSONAL_DATA } from '../db/personal-data';
import { blockPerson, dropImages, endCodesAndLinks } from './block-person';
import { cornerStoreEvents } from '../snapshots/snapshots.sql';
import type { ErasedPerson } from './erased-persons';
import { isNobodyElses, NAME_KEY_BYTES, personOf } from './erasures.sql';
import { endRequestsOfErased } from './settle-request';
import { CornerStoreRow } from '../corner-stores/corner-store.entity';
import type { PrivacyRequestRow } from './privacy-request.entity';

/** A person of a restored database who was blocked or erased after its backup. */
interface RestoredPerson {
  person: Person;
  /** Version of the corner store, once it is blocked. */
  version: number;
}

/**
 * Begins to block or erase a person of a restored database again, before the services start. The phones of
 * an erased one are remembered in any case, so that no import brings the person back. Their request is
 * done, and its suppression is due at once: the loop of accounts repeats it and writes its report.
 * @returns `done` when accounts, which is last, has done its part; `unknown` when it never had the person
 */
export async function beginReapply(
  tx: Transaction,
  erased: ErasedPerson,
): Promise<RestoredPerson | 'done' | 'unknown'> {
  const { erasureId, phase, userId, cornerStoreId } = erased;
  const phones = erased.phoneIndexes.map((index) => Buffer.from(index, 'base64'));
  await rememberPhones(tx, phones, erasureId);
  const store = await tx.manager.findOne(CornerStoreRow, {
    where: { id: cornerStoreId, userId },
    lock: { mode: 'for_no_key_update' },
  });
  if (store === null) return 'unknown';
  const isBlocked = store.blockedAt !== null;
  if (phase === 'block' ? isBlocked : store.erasedAt !== null) return 'done';

  const nameKey = phase === 'block' ? undefined : await keepErasure(tx, erased);
  const known = await personOf(tx, { userId, cornerStoreId });
  // A number that another user has by then no longer belongs to this person.
  const own = await query<{ phone: Buffer }>(
    tx,
    `SELECT phone FROM unnest($1::bytea[]) AS known (phone)
      WHERE ${isNobodyElses('known.phone', '$2')}`,
    [[...known.phoneIndexes, ...phones], userId],
  );
  return {
    person: {
      ...known,
      phoneIndexes: own.map(({ phone }) => phone),
      ...(nameKey && { nameKey }),
    },
    version: isBlocked ? store.version : store.version + 1,
  };
}

/** Keeps an import from bringing a person back by these phones. */
async function rememberPhones(
  tx: Transaction,
  phoneIndexes: Buffer[],
  erasureId: string,
): Promise<void> {
  await query(
    tx,
    `INSERT INTO erased_phones (keyed_hash, erasure_id) SELECT unnest($1::bytea[]), $2
     ON CONFLICT DO NOTHING`,
    [phoneIndexes, erasureId],
  );
}

/**
 * Keeps a request as it was, at the end of the step of the list. An older one of the same kind that the
 * backup has open was answered after it: a person has one open request of each kind.
 * @returns its id
 */
async function keepRequest(
  tx: Transaction,
  { userId, request }: Pick<ErasedPerson, 'userId' | 'request'>,
): Promise<string> {
  await query(
    tx,
    `UPDATE privacy_requests
        SET status = 'refused', outcome = 'refused', reason_code = 'already-done',
            answered_by = 'accounts', answered_at = now()
      WHERE user_id = $1 AND kind = 'cancellation' AND id <> $2 AND status IN ('open', 'executing')`,
    [userId, request.id],
  );
  const { id } = await queryOne<Pick<PrivacyRequestRow, 'id'>>(
    tx,
    `INSERT INTO privacy_requests SELECT * FROM jsonb_populate_record(NULL::privacy_requests, $1)
     ON CONFLICT (id) DO UPDATE
       SET status = excluded.status, outcome = excluded.outcome, reason_code = excluded.reason_code,
           answered_by = excluded.answered_by, answered_at = excluded.answered_at,
           execution_due_at = excluded.execution_due_at, done_at = excluded.done_at
     RETURNING id`,
    [JSON.stringify(request)],
  );
  return id;
}

/** Notes that the request is done, and that its suppression is due. @returns the key of renamed values */
async function keepErasure(
  tx: Transaction,
  { erasureId, userId, cornerStoreId, request }: ErasedPerson,
): Promise<Buffer> {
  const requestId = await keepRequest(tx, { userId, request });
  // A repeated reapply uses the key of the first: the copies of a name in several services agree.
  const { nameKey } = await queryOne<{ nameKey: Buffer }>(
    tx,
    `INSERT INTO erasures (id, request_id, user_id, corner_store_id, phase, due_at, name_key)
     VALUES ($1, $2, $3, $4, 'suppress', now(), $5)
     ON CONFLICT (id) DO UPDATE
       SET due_at = least(erasures.due_at, now()),
           name_key = coalesce(erasures.name_key, excluded.name_key)
     RETURNING name_key`,
    [erasureId, requestId, userId, cornerStoreId, randomBytes(NAME_KEY_BYTES)],
  );
  return nameKey;
}

/**
 * Blocks or erases what accounts keeps of the person, after the other services: it has the indexes of the
 * phones. A block begins anew, so that the services report what they have done.
 */
export async function endReapply(
  tx: Transaction,
  erased: ErasedPerson,
  person: Person,
): Promise<ErasedColumnCount[]> {
  if (erased.phase === 'suppress') return eraseAgain(tx, erased, person);
  const { userId, cornerStoreId } = erased;
  const requestId = await keepRequest(tx, erased);
  const auditDetails = { restored: true };
  return blockPerson(tx, { by: BY_ACCOUNTS, requestId, userId, cornerStoreId, auditDetails });
}

/** The store is blocked last, so that no snapshot of it has a value of the person. */
async function eraseAgain(
  tx: Transaction,
  { erasureId, userId, cornerStoreId, request }: ErasedPerson,
  person: Person,
): Promise<ErasedColumnCount[]> {
  await rememberPhones(tx, person.phoneIndexes, erasureId);
  await endCodesAndLinks(tx, userId);
  // Their files are deleted when the repeated erasure ends.
  await dropImages(tx, { id: erasureId, cornerStoreId, userId });
  const rows = await erasePerson(tx, PERSONAL_DATA, person, 'suppress');
  const { isBlocked, now } = await queryOne<{ isBlocked: boolean; now: Date }>(
    tx,
    'SELECT blocked_at IS NOT NULL AS "isBlocked", now() FROM corner_stores WHERE id = $1',
    [cornerStoreId],
  );
  if (!isBlocked) {
    await changeLockedStore(tx, {
      by: BY_ACCOUNTS,
      cornerStoreId,
      action: 'corner-store.blocked',
      auditDetails: { privacyRequestId: request.id, restored: true },
      decide: () => ({
        status: 'pre-approved',
        creditLimitCents: 0,
        blockedAt: now,
        onboardingSteps: [],
      }),
    });
  }
  await query(
    tx,
    `UPDATE corner_stores SET erased_at = coalesce(erased_at, now()), onboarding_steps = '{}'
      WHERE id = $1`,
    [cornerStoreId],
  );
  await endRequestsOfErased(tx, { by: BY_ACCOUNTS, userId, requestId: request.id });
  // In the place of those that were dropped.
  await appendToOutbox(tx, await cornerStoreEvents(tx, [cornerStoreId]));
  return rows;
}
