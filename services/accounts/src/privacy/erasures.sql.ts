import { randomBytes } from 'node:crypto';
import type { Db, Transaction } from '@fiado/chassis/db/database';
import { isRandomized } from '@fiado/chassis/db/erase-person';
import type { Person } from '@fiado/chassis/db/personal-data';
import { query, queryOne } from '@fiado/chassis/db/query';
import { type OutboxRow, outboxRows } from '@fiado/chassis/outbox/append';
import { type ErasedColumnCount, personErase } from '@fiado/contracts/jobs/privacy';
import type { Service } from '@fiado/contracts/process-names';
import { ErasureRow } from './erasure.entity';

/** Bytes of the key of renamed values. */
export const NAME_KEY_BYTES = 32;

/** The part of one service in an erasure. */
export interface ErasurePart {
  service: Service;
  rows: ErasedColumnCount[];
  objectIds: string[];
  /** Rows of the person that stay in it; those of accounts are counted when the report is written. */
  keptRows: number;
  lastMoneyAt: Date | null;
}

export function lockErasure(tx: Transaction, id: string): Promise<ErasureRow | null> {
  return tx.manager.findOne(ErasureRow, { where: { id }, lock: { mode: 'for_no_key_update' } });
}

export function partsOf(db: Db, erasureId: string): Promise<ErasurePart[]> {
  return query(
    db,
    `SELECT service, rows, object_ids, kept_rows, last_money_at FROM erasure_parts
      WHERE erasure_id = $1 ORDER BY service`,
    [erasureId],
  );
}

/** Keeps what accounts itself erased of a person. */
export function keepOwnPart(
  tx: Transaction,
  erasureId: string,
  rows: ErasedColumnCount[],
): Promise<void> {
  const own = { objectIds: [], keptRows: 0, lastMoneyAt: null };
  return keepPart(tx, erasureId, { service: 'accounts', rows, ...own });
}

/** Keeps what a service did, once. */
export async function keepPart(
  tx: Transaction,
  erasureId: string,
  { service, rows, objectIds, keptRows, lastMoneyAt }: ErasurePart,
): Promise<void> {
  await query(
    tx,
    `INSERT INTO erasure_parts (erasure_id, service, rows, object_ids, kept_rows, last_money_at)
     VALUES ($1, $2, $3::jsonb, $4, $5, $6) ON CONFLICT DO NOTHING`,
    [erasureId, service, JSON.stringify(rows), objectIds, keptRows, lastMoneyAt],
  );
}

/** Starts a step: the services that know the person's objects first. */
export async function startErasure(tx: Transaction, erasure: ErasureRow): Promise<OutboxRow[]> {
  const nameKey = randomBytes(NAME_KEY_BYTES);
  await tx.manager.update(ErasureRow, erasure.id, { state: 'running', nameKey });
  const { id, phase, userId, cornerStoreId } = erasure;
  const rows = await eraseJobs(tx, { id, phase, userId, cornerStoreId, nameKey }, []);
  return rows.filter(({ queue }) => queue !== 'notifier');
}

/** The job for the notifier, which finds the person by the ids that the other services reported. */
export async function eraseMessagesJobs(
  tx: Transaction,
  erasure: ErasureRow,
  objectIds: string[],
): Promise<OutboxRow[]> {
  const rows = await eraseJobs(tx, erasure, objectIds);
  return rows.filter(({ queue }) => queue === 'notifier');
}

type StartedErasure = Pick<ErasureRow, 'id' | 'phase' | 'userId' | 'cornerStoreId' | 'nameKey'>;

async function eraseJobs(
  tx: Transaction,
  { id: erasureId, phase, userId, cornerStoreId, nameKey }: StartedErasure,
  objectIds: string[],
): Promise<OutboxRow[]> {
  const { phoneIndexes } = await personOf(tx, { userId, cornerStoreId });
  return outboxRows(
    personErase,
    { id: erasureId, version: 1 },
    {
      erasureId,
      phase,
      userId,
      cornerStoreId,
      objectIds,
      phoneIndexes: phoneIndexes.map((index) => index.toString('base64')),
      nameKey: (nameKey ?? Buffer.alloc(0)).toString('base64'),
    },
  );
}

/**
 * SQL: whether no other user has a phone.
 * @param phoneIndex a column with its table, because users has columns of the same names
 * @param userId an expression
 */
export function isNobodyElses(phoneIndex: string, userId: string): string {
  return `NOT EXISTS (SELECT FROM users other
                       WHERE other.phone_index = ${phoneIndex} AND other.id <> ${userId})`;
}

/**
 * A person with the indexes of the phones that are or were proved to be theirs, and the ids of their
 * verifications. A number whose code was never confirmed, or that somebody else has by now, is left out:
 * what is found by it is not of this person. An erased person has no phone.
 */
export async function personOf(
  db: Db,
  { userId, cornerStoreId }: { userId: string; cornerStoreId: string },
): Promise<Person> {
  const known = await queryOne<{ phoneIndexes: Buffer[]; objectIds: string[] }>(
    db,
    `SELECT ARRAY(SELECT phone_index FROM users
                   WHERE id = $1 AND NOT ${isRandomized('phone_index')}
                  UNION
                  SELECT phone_index FROM verifications
                   WHERE user_id = $1 AND status = 'approved'
                     AND NOT ${isRandomized('phone_index')}
                     AND ${isNobodyElses('verifications.phone_index', '$1')}) AS phone_indexes,
            ARRAY(SELECT id FROM verifications WHERE user_id = $1) AS object_ids`,
    [userId],
  );
  return { userId, cornerStoreId, ...known };
}
