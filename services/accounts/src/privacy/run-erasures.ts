import { createHash } from 'node:crypto';
import type { Transaction } from '@fiado/chassis/db/database';
import { countKept, erasePerson, type KeptRows } from '@fiado/chassis/db/erase-person';
import type { Person } from '@fiado/chassis/db/personal-data';
import { query, queryRow } from '@fiado/chassis/db/query';
import { guardRow } from '@fiado/chassis/loop';
import { appendToOutbox } from '@fiado/chassis/outbox/append';
import { enterInbox } from '@fiado/chassis/outbox/inbox';
import { AppError } from '@fiado/contracts/errors';
import type { ErasurePhase, PersonErased } from '@fiado/contracts/jobs/privacy';
import { newId } from '@fiado/contracts/new-id';
import { SERVICES } from '@fiado/contracts/process-names';
import { BY_ACCOUNTS, recordAudit } from '../audit/audit-log';
import type { Context } from '../context';
import { PERSONAL_DATA } from '../db/personal-data';
import { dropImages, requireNothingOpen } from './block-person';
import { erasedPersonOf } from './erased-persons';
import { ErasureRow } from './erasure.entity';
import {
  eraseMessagesJobs,
  type ErasurePart,
  keepOwnPart,
  keepPart,
  lockErasure,
  partsOf,
  personOf,
  startErasure,
} from './erasures.sql';
import { hasOpenRequest, lockPerson, lockPrivacyRequest } from './privacy-requests.sql';
import { endRequestsOfErased, finishPrivacyRequest } from './settle-request';

const LOOP = 'erasures';
/** Steps that are read at once. */
const BATCH_SIZE = 20;

/**
 * One round: starts the suppressions whose day has come, and ends steps whose files are still there. Each
 * of them is tried once: one that fails keeps no other waiting.
 */
export async function runErasures(context: Context, stopping?: AbortSignal): Promise<void> {
  const { db, log } = context;
  let last: string | null = null;
  for (;;) {
    const due: ErasureRow[] = await query<ErasureRow>(
      db,
      `WITH due AS MATERIALIZED (
         SELECT * FROM erasures e
          WHERE state = 'waiting' AND due_at <= now()
             OR state = 'running'
                AND (SELECT count(*) FROM erasure_parts p WHERE p.erasure_id = e.id) = $2)
       SELECT * FROM due WHERE $3::uuid IS NULL OR id > $3 ORDER BY id LIMIT $1`,
      [BATCH_SIZE, SERVICES.length, last],
    );
    for (const erasure of due) {
      await guardRow(LOOP, { log, erasureId: erasure.id }, () =>
        erasure.state === 'waiting'
          ? suppress(context, erasure)
          : finishErasure(context, erasure.id),
      );
    }
    last = due.at(-1)?.id ?? null;
    if (due.length < BATCH_SIZE || stopping?.aborted === true) return;
  }
}

/** Starts a suppression, or postpones it when its day came too early. */
async function suppress(context: Context, due: ErasureRow): Promise<void> {
  if (await postponeIfEarly(context, due)) return;
  await context.db.transaction(async (tx) => {
    const erasure = await lockErasure(tx, due.id);
    if (erasure?.state !== 'waiting') return;
    await appendToOutbox(tx, await startErasure(tx, erasure));
  });
}

/**
 * Postpones a suppression whose day came too early. A person who owes or is owed money, or has another request open,
 * waits for another day: an access must be answered with the data. The retention is that of the setting today, and
 * begins when money last moved, which may be after the block.
 * @returns whether it was postponed
 */
async function postponeIfEarly(
  context: Context,
  { id, requestId, userId, cornerStoreId }: ErasureRow,
): Promise<boolean> {
  const { db, config } = context;
  const lastMoneyAt = await lastMoneyUnlessOpen(context, cornerStoreId);
  const isHeld = lastMoneyAt === undefined || (await hasOpenRequest(db, { userId, requestId }));
  const moved = await query(
    db,
    `UPDATE erasures e SET due_at = later.at
       FROM (SELECT CASE WHEN $2 THEN now() + interval '1 day'
                         ELSE $3::timestamptz + make_interval(years => $4) END AS at) later
      WHERE e.id = $1 AND e.state = 'waiting' AND later.at > now()
        -- After a restore the data are gone already, and the step writes its report.
        AND NOT EXISTS (SELECT FROM corner_stores s
                         WHERE s.id = e.corner_store_id AND s.erased_at IS NOT NULL)
      RETURNING e.id`,
    [id, isHeld, lastMoneyAt, config.RETENTION_YEARS],
  );
  return moved.length > 0;
}

/** @returns when money last moved, null where it never did, and undefined while something is open */
async function lastMoneyUnlessOpen(
  context: Context,
  cornerStoreId: string,
): Promise<string | null | undefined> {
  try {
    return (await requireNothingOpen(context, cornerStoreId)).lastMoneyAt;
  } catch (error) {
    if (error instanceof AppError && error.code === 'PERSON_HAS_OPEN_BALANCE') return undefined;
    throw error;
  }
}

/**
 * Records the part of one service in an erasure, once. When transactions and payments have reported, the notifier is
 * asked; then accounts erases its own rows, because it has the indexes of the phones.
 */
export async function recordErasedPart(
  context: Context,
  messageId: string,
  { erasureId, service, rows, objectIds, keptRows = 0, lastMoneyAt }: PersonErased,
): Promise<void> {
  const isLast = await context.db.transaction(async (tx) => {
    if (!(await enterInbox(tx, messageId))) return false;
    const erasure = await lockErasure(tx, erasureId);
    if (erasure?.state !== 'running') return false;
    const at = lastMoneyAt === undefined ? null : new Date(lastMoneyAt);
    await keepPart(tx, erasureId, { service, rows, objectIds, keptRows, lastMoneyAt: at });
    const parts = await partsOf(tx, erasureId);
    const answered = new Set(parts.map((part) => part.service));
    if (!answered.has('transactions') || !answered.has('payments')) return false;
    if (service !== 'notifier') {
      const { objectIds: ids } = await personWithObjects(tx, erasure, parts);
      await appendToOutbox(tx, await eraseMessagesJobs(tx, erasure, ids));
      return false;
    }
    if (erasure.phase === 'suppress') await eraseOwn(tx, erasure, parts);
    return true;
  });
  context.relay.wake();
  if (isLast) await finishErasure(context, erasureId);
}

async function personWithObjects(
  tx: Transaction,
  erasure: ErasureRow,
  parts: ErasurePart[],
): Promise<Person> {
  const own = await personOf(tx, erasure);
  const elsewhere = new Set(parts.flatMap(({ objectIds }) => objectIds));
  return { ...own, objectIds: [...own.objectIds, ...elsewhere] };
}

/** Erases the rows of accounts, and remembers the indexes of the phones. */
async function eraseOwn(tx: Transaction, erasure: ErasureRow, parts: ErasurePart[]): Promise<void> {
  const { id, requestId, userId, cornerStoreId, nameKey } = erasure;
  await lockPerson(tx, userId);
  const person = await personWithObjects(tx, erasure, parts);
  await query(
    tx,
    `INSERT INTO erased_phones (keyed_hash, erasure_id) SELECT unnest($1::bytea[]), $2
     ON CONFLICT (keyed_hash) DO UPDATE SET erasure_id = excluded.erasure_id, at = now()`,
    [person.phoneIndexes, id],
  );
  await dropImages(tx, erasure);
  const rows = await erasePerson(
    tx,
    PERSONAL_DATA,
    { ...person, ...(nameKey && { nameKey }) },
    'suppress',
  );
  await query(
    tx,
    `UPDATE corner_stores SET erased_at = now(), onboarding_steps = '{}' WHERE id = $1 AND user_id = $2`,
    [cornerStoreId, userId],
  );
  await endRequestsOfErased(tx, { by: BY_ACCOUNTS, userId, requestId });
  await keepOwnPart(tx, id, rows);
}

/**
 * Ends a step that every service has answered: deletes the files, writes the report and its hash to the
 * audit log. After a block, the suppression gets its day and the request is done. Repeated after a crash,
 * it goes on where it stopped.
 */
export async function finishErasure(context: Context, erasureId: string): Promise<void> {
  const { db, documents, erasedPersons } = context;
  const erasure = await db.manager.findOneBy(ErasureRow, { id: erasureId, state: 'running' });
  if (erasure === null) return;
  for (const key of erasure.files) await documents.remove(key);
  await erasedPersons.add(await erasedPersonOf(db, erasure));
  await db.transaction(async (tx) => {
    const locked = await lockErasure(tx, erasureId);
    if (locked?.state !== 'running') return;
    const parts = await partsOf(tx, erasureId);
    const until =
      locked.phase === 'block' ? await planSuppression(context, tx, locked, parts) : null;
    const kept = await countKept(tx, PERSONAL_DATA, await personWithObjects(tx, locked, parts));
    const report = writeReport(locked, parts, { now: context.clock.now(), until, kept });
    const sha256 = createHash('sha256').update(report).digest();
    await tx.manager.update(ErasureRow, erasureId, {
      state: 'done',
      report,
      reportSha256: sha256,
      nameKey: null,
      files: [],
    });
    const values = parts.flatMap(({ rows }) => rows).reduce((sum, { rows }) => sum + rows, 0);
    await recordAudit(tx, {
      by: BY_ACCOUNTS,
      action: locked.phase === 'block' ? 'person.blocked' : 'person.erased',
      objectId: locked.userId,
      details: { erasureId, values, files: locked.files.length, sha256: sha256.toString('hex') },
    });
    const request = await lockPrivacyRequest(tx, locked.requestId);
    if (request?.status === 'executing' && locked.phase === 'block') {
      await finishPrivacyRequest(tx, { by: BY_ACCOUNTS, request });
    }
  });
  if (erasure.phase === 'block') await suppressAtOnce(context, erasure);
}

/** A person who never had a debt is suppressed right after the block. */
async function suppressAtOnce(context: Context, { requestId }: ErasureRow): Promise<void> {
  const due = await queryRow<ErasureRow>(
    context.db,
    `SELECT * FROM erasures
      WHERE request_id = $1 AND phase = 'suppress' AND state = 'waiting' AND due_at <= now()`,
    [requestId],
  );
  if (due !== undefined) await suppress(context, due);
}

/** Plans the suppression: the retention begins when money last moved. Without any movement it is due at once. */
async function planSuppression(
  { config }: Context,
  tx: Transaction,
  { requestId, userId, cornerStoreId }: ErasureRow,
  parts: ErasurePart[],
): Promise<Date> {
  const moved = parts.flatMap(({ lastMoneyAt }) => lastMoneyAt?.getTime() ?? []);
  const last = moved.length === 0 ? null : new Date(Math.max(...moved));
  const [planned] = await query<Pick<ErasureRow, 'dueAt'>>(
    tx,
    `INSERT INTO erasures (id, request_id, user_id, corner_store_id, phase, due_at)
     VALUES ($1, $2, $3, $4, 'suppress',
             greatest(now(), $5::timestamptz + make_interval(years => $6)))
     ON CONFLICT (request_id, phase) DO UPDATE SET due_at = excluded.due_at
     RETURNING due_at`,
    [newId(), requestId, userId, cornerStoreId, last, config.RETENTION_YEARS],
  );
  if (planned === undefined) throw new Error('The suppression of a block has no row');
  return planned.dueAt;
}

/** The data of a person that are kept after a step, and the law that requires it. */
const KEPT: Record<ErasurePhase, { what: string; basis: string }> = {
  block: {
    what: 'identity, images of approved stores, orders, debts, payments and their texts',
    basis: 'LFPIORPI, art. 18; Código Fiscal de la Federación, art. 30',
  },
  suppress: {
    what: 'orders, debts, payments, references and invoices: ids and amounts that name nobody',
    basis: 'Código Fiscal de la Federación, art. 30',
  },
};
const KEPT_PROOF = {
  what: 'consents and the audit log: ids',
  basis: 'LFPDPPP: proof of what was done',
  until: null,
};

/** Copies that expire, and the days until then. */
const ENDING = [
  { what: 'copies of SMS at the SMS provider, which is asked until it has deleted them', days: 1 },
  { what: 'exports, with ids of wholesalers or names of stores, and copies for persons', days: 3 },
  { what: 'jobs in queues and in the outbox, but those that fail until they are done', days: 7 },
  { what: 'encrypted answers to repeated requests', days: 1 },
  { what: 'events about the erasure itself', days: 30 },
  { what: 'backups and archived WAL, if the lender keeps them 35 days', days: 35 },
];

const DAY_MS = 24 * 60 * 60 * 1000;

interface WhatIsKept {
  now: Date;
  /** When the data of a block are erased. */
  until: Date | null;
  /** Rows in accounts. */
  kept: KeptRows;
}

/**
 * The report of a step as JSON, with counts and no value of the person. The same parts at the same time give
 * the same text.
 */
function writeReport(
  { id, phase, userId, cornerStoreId }: ErasureRow,
  parts: ErasurePart[],
  { now, until, kept }: WhatIsKept,
): string {
  const rows = parts.reduce((sum, { keptRows }) => sum + keptRows, kept.data);
  return JSON.stringify({
    erasureId: id,
    phase,
    userId,
    cornerStoreId,
    doneAt: now.toISOString(),
    erased: parts.flatMap(({ service, rows: columns }) =>
      columns.map(({ table, column, rows }) => ({ service, table, column, rows })),
    ),
    kept: [
      { ...KEPT[phase], rows, until: until?.toISOString() ?? null },
      { ...KEPT_PROOF, rows: kept.audit },
    ],
    ending: ENDING.map(({ what, days }) => ({
      what,
      endsAt: new Date(now.getTime() + days * DAY_MS).toISOString(),
    })),
  });
}
