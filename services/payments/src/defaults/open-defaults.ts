import type { Db, Transaction } from '@fiado/chassis/db/database';
import { query } from '@fiado/chassis/db/query';
import { appendToOutbox, outboxRows } from '@fiado/chassis/outbox/append';
import { defaultsChanged } from '@fiado/contracts/jobs/debts';
import { lastMoment } from '../debts/disputes';
import { OUTSTANDING } from '../debts/receivable';

/**
 * Most receivables for which one statement opens a default. It takes some 50 ms: a payment may wait for
 * it.
 */
export const DEFAULTS_BATCH_SIZE = 500;

/** Past due, also with the days of disputes, not fully paid and not in default. */
const DUE = `paid_at IS NULL AND NOT in_default
          AND due_at < COALESCE($1::timestamptz, now())
          AND ${lastMoment('receivables')} < COALESCE($1::timestamptz, now())
          AND ($2::uuid IS NULL OR user_id = $2)
          AND id <> ALL($4::uuid[]) AND ($5::uuid IS NULL OR id = $5)
          AND ($6::uuid[] IS NULL OR transaction_id = ANY($6))`;

export interface DueReceivables {
  /** The moment to decide for; null is the database's now. */
  asOf: Date | null;
  /** Only what this user owes; null is everyone. */
  userId: string | null;
  limit: number;
  /** Receivables to skip. */
  not?: string[];
  /** Only this receivable; waits for its lock. */
  only?: string;
  /** Only the receivables of these orders. */
  transactionIds?: string[] | undefined;
}

/** The values of DUE, and as $3 the limit. */
function valuesOf({ asOf, userId, limit, not, only, transactionIds }: DueReceivables): unknown[] {
  return [asOf, userId, limit, not ?? [], only ?? null, transactionIds ?? null];
}

/** A receivable that just came into default. */
export interface OpenedDefault {
  transactionId: string;
  cornerStoreId: string;
}

/**
 * Opens a default for each receivable that is past due, not fully paid and has none, in one
 * statement, the longest due first. Locked receivables are skipped, unless a single one is named.
 */
export function openDefaults(tx: Transaction, due: DueReceivables): Promise<OpenedDefault[]> {
  return query<OpenedDefault>(
    tx,
    `WITH due AS (
       SELECT id, transaction_id, wholesaler_id, corner_store_id, user_id, external_id,
              ${OUTSTANDING} AS outstanding_cents
         FROM receivables
        WHERE ${DUE}
        ORDER BY due_at LIMIT $3
        -- A payment that holds the row decides first; another look takes other rows.
        FOR NO KEY UPDATE ${due.only === undefined ? 'SKIP LOCKED' : ''}
     ),
     marked AS (
       UPDATE receivables r SET in_default = true FROM due WHERE r.id = due.id
     ),
     opened AS (
       -- Its trigger writes the event default.opened, where the wholesaler wants events.
       INSERT INTO payment_defaults
         (id, receivable_id, wholesaler_id, corner_store_id, user_id, external_id, amount_cents,
          as_of)
       SELECT uuidv7(), id, wholesaler_id, corner_store_id, user_id, external_id,
              outstanding_cents, COALESCE($1::timestamptz, now())
         FROM due
     )
     SELECT transaction_id, corner_store_id FROM due`,
    valuesOf(due),
  );
}

/** Ids of the receivables that openDefaults would take, even if they are locked. */
export async function findDueReceivables(db: Db, due: DueReceivables): Promise<string[]> {
  const rows = await query<{ id: string }>(
    db,
    `SELECT id FROM receivables WHERE ${DUE} ORDER BY due_at LIMIT $3`,
    valuesOf(due),
  );
  return rows.map(({ id }) => id);
}

/** The defaults of a corner store. */
interface Overdue {
  cornerStoreId: string;
  version: number;
  overdueCount: number;
  oldestDueAt: Date | null;
}

/** Transactions of one corner store that came into default, or out of it. */
export interface ChangedDefaults {
  cornerStoreId: string;
  opened: string[];
  closed: string[];
}

/**
 * Publishes the defaults of corner stores (`defaults.changed`), with a new version for each. It
 * takes the last lock of a database transaction, so it is called after all other writes: to avoid
 * deadlocks, no receivables may be locked after it.
 */
export async function publishDefaults(tx: Transaction, changes: ChangedDefaults[]): Promise<void> {
  const changed = changes.filter(({ opened, closed }) => opened.length + closed.length > 0);
  if (changed.length === 0) return;
  const cornerStoreIds = changed.map(({ cornerStoreId }) => cornerStoreId);
  // This locks the publication of the corner stores' defaults until the commit, so that a later
  // version includes all changes of earlier ones.
  await query(
    tx,
    `INSERT INTO overdue_versions (corner_store_id, version)
     -- In the order of the ids: two that raise several must not wait for each other.
     SELECT id, 1 FROM unnest($1::uuid[]) AS store(id) ORDER BY id
     ON CONFLICT (corner_store_id) DO UPDATE SET version = overdue_versions.version + 1`,
    [cornerStoreIds],
  );
  // A separate statement sees the changes that the lock waited for.
  const overdue = await query<Overdue>(
    tx,
    `SELECT v.corner_store_id, v.version, count(r.id) AS "overdueCount",
            min(r.due_at) AS "oldestDueAt"
       FROM overdue_versions v
       LEFT JOIN receivables r ON r.corner_store_id = v.corner_store_id AND r.in_default
      WHERE v.corner_store_id = ANY($1)
      GROUP BY v.corner_store_id`,
    [cornerStoreIds],
  );
  const byStore = new Map(changed.map((change) => [change.cornerStoreId, change]));

  await appendToOutbox(
    tx,
    overdue.flatMap(({ cornerStoreId, version, overdueCount, oldestDueAt }) =>
      outboxRows(
        defaultsChanged,
        { id: cornerStoreId, version },
        {
          cornerStoreId,
          overdueCount,
          oldestDueAt: oldestDueAt?.toISOString() ?? null,
          opened: byStore.get(cornerStoreId)?.opened ?? [],
          closed: byStore.get(cornerStoreId)?.closed ?? [],
        },
      ),
    ),
  );
}
