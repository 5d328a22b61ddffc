import { DateTime } from 'luxon';
import { queryOne } from '@fiado/chassis/db/query';
import { guardRow, type Loop, loopOf } from '@fiado/chassis/loop';
import type { Reading } from '@fiado/chassis/metrics';
import { appendToOutbox, type OutboxRow, outboxRows } from '@fiado/chassis/outbox/append';
import { findLiveMessagesEndpoint } from '@fiado/chassis/outbox/sms-rows';
import { nextContactTime } from '@fiado/contracts/contact-hours';
import { type NoticeValues, notifyCornerStore } from '@fiado/contracts/jobs/notify-corner-store';
import type { Context } from '../context';
import { dueDayOf } from '../debts/due.rules';
import { dueNotices, oldestDueNotice } from '../metrics';
import { insertReminders, lockDueNotices, NOTICES_BATCH, type WaitingNotice } from './notices.sql';
import { NoticeRow } from './notice.entity';

/** Most notices to one store in 24 hours: enough for a deposit and the deliveries of a busy day. */
const MAX_NOTICES_PER_DAY = 4;

const NOTICES_LOOP = 'notices';
/** How often notices are looked for: a store may hear of a delivery a minute later. */
const NOTIFY_EVERY_MS = 60_000;
/** Pause before a notice about a disputed debt is looked at again. */
const WAIT_FOR_DECISION_MS = 24 * 3_600_000;
/** Pause before a notice that failed is tried again: a person must correct the cause. */
const RETRY_MS = 3_600_000;

/** Sends the notices that are due. */
export const noticesLoop = (context: Context): Loop =>
  loopOf(context, { name: NOTICES_LOOP, everyMs: NOTIFY_EVERY_MS, round: sendNotices });

/**
 * One round: sends the notices that are due, which are the SMS about debts. At night, on Sundays and
 * on holidays of the store they wait. A notice is dropped when its debt was paid before. Notice and job
 * are one database transaction, so that each is sent once. A notice that fails waits, and does not stop
 * the others.
 * @returns whether there may be more
 */
export async function sendNotices(context: Context): Promise<boolean> {
  const { db, clock, log } = context;
  const now = clock.now();
  const reminders = await insertReminders(db, now);
  const decided = await db.transaction(async (tx) => {
    const notices = await lockDueNotices(tx, now);
    const sentNow = new Map<string, number>();
    const jobs: OutboxRow[] = [];
    for (const notice of notices) {
      const { id, cornerStoreId } = notice;
      const sent = sentNow.get(cornerStoreId) ?? 0;
      let decision: Decision = { changes: { notBefore: new Date(now.getTime() + RETRY_MS) } };
      // Only what computes: a statement that fails would end the database transaction.
      await guardRow(NOTICES_LOOP, { log, noticeId: id, cornerStoreId }, () => {
        decision = decide(context, notice, sent, now);
        return Promise.resolve();
      });
      await tx.manager.update(NoticeRow, id, decision.changes);
      if (decision.jobs === undefined) continue;
      jobs.push(...decision.jobs);
      sentNow.set(cornerStoreId, sent + 1);
    }
    await appendToOutbox(tx, jobs);
    return notices.length;
  });
  return decided === NOTICES_BATCH || reminders >= NOTICES_BATCH;
}

interface Decision {
  /** Of the notice's row. */
  changes: { state?: 'sent' | 'dropped'; decidedAt?: Date; notBefore?: Date };
  /** Of a notice that is sent. */
  jobs?: OutboxRow[];
}

/** Whether the SMS about a debt is sent now, later, or not at all. */
function decide(context: Context, notice: WaitingNotice, sentNow: number, now: Date): Decision {
  if (!isWanted(notice)) return { changes: { state: 'dropped', decidedAt: now } };
  if (notice.isDisputed && notice.kind === 'payment-overdue') {
    return { changes: { notBefore: new Date(now.getTime() + WAIT_FOR_DECISION_MS) } };
  }
  const next = nextTimeFor(context, notice, sentNow, now);
  if (next.at > now) return { changes: { notBefore: next.at } };
  const jobs = jobOf(context, notice, next.until);
  return { changes: { state: 'sent', decidedAt: now }, jobs };
}

/** Whether there is still a message to send. */
function isWanted({
  subjectId,
  amountCents,
  kind,
  inDefault,
  isToldAnyway,
  opposes,
  isDisputed,
}: WaitingNotice): boolean {
  if (subjectId === null || isToldAnyway) return false;
  // Not if the payment was taken back since.
  if (kind === 'default-withdrawn') return amountCents === 0;
  if (amountCents <= 0) return false;
  // The SMS about the decision of the dispute names the last day.
  if (kind === 'payment-due' && (opposes || isDisputed)) return false;
  return kind !== 'payment-overdue' || inDefault;
}

function nextTimeFor(
  { config }: Context,
  { timeZone, sentToday }: WaitingNotice,
  sentNow: number,
  now: Date,
) {
  const zone = timeZone ?? config.TIME_ZONE;
  const electionDays = config.ELECTION_DAYS?.split(',') ?? [];
  const isFull = sentToday + sentNow >= MAX_NOTICES_PER_DAY;
  const from = isFull
    ? DateTime.fromJSDate(now, { zone }).plus({ days: 1 }).startOf('day').toJSDate()
    : now;
  return nextContactTime(from, zone, electionDays);
}

function jobOf(context: Context, notice: WaitingNotice, expiresAt: Date): OutboxRow[] {
  const { kind, cornerStoreId, wholesalerId, subjectId } = notice;
  return outboxRows(
    notifyCornerStore,
    { id: cornerStoreId, version: 1 },
    {
      kind,
      cornerStoreId,
      ...(wholesalerId === null ? {} : { wholesalerId }),
      subjectId: subjectId ?? cornerStoreId,
      values: valuesOf(context, notice),
      expiresAt: expiresAt.toISOString(),
    },
  );
}

function valuesOf({ config }: Context, notice: WaitingNotice): NoticeValues {
  const { kind, amountCents, leftCents, numeroReferencia, dueOn, dueTimeZone } = notice;
  if (kind === 'payment-received' || kind === 'order-credited') return { amountCents, leftCents };
  if (kind === 'payment-reversed') {
    return { amountCents, leftCents, reference: numeroReferencia ?? '' };
  }
  const { dueOn: agreed } = dueDayOf(
    { dueAt: notice.dueAt ?? new Date(0), dueOn, timeZone: dueTimeZone },
    config.TIME_ZONE,
  );
  const lastDay = DateTime.fromISO(agreed).plus({ days: notice.laterDays }).toISODate() ?? agreed;
  if (kind === 'default-withdrawn') return { dueOn: lastDay };
  const debt = { dueOn: lastDay, reference: numeroReferencia ?? '' };
  return kind === 'delivered' ? { ...debt, totalCents: amountCents } : { ...debt, amountCents };
}

/** Reads how many notices are due, and for how long. Those that wait for the day are not due. */
export async function sampleNotices({ db }: Pick<Context, 'db'>): Promise<Reading[]> {
  const { count, oldestSeconds } = await queryOne<{ count: number; oldestSeconds: number }>(
    db,
    `SELECT count(*) AS count,
            coalesce(EXTRACT(EPOCH FROM now() - min(not_before)), 0)::float8 AS "oldestSeconds"
       FROM notices WHERE state = 'waiting' AND not_before <= now()`,
  );
  return [dueNotices({}, count), oldestDueNotice({}, oldestSeconds)];
}

/** A reminder, while its debt is not paid and the owner of the store wants reminders. */
export const liveMessagesEndpoint = findLiveMessagesEndpoint(
  `EXISTS (SELECT FROM receivables
            WHERE transaction_id = "subjectId" AND paid_at IS NULL
              AND NOT (template = 'payment-due' AND EXISTS (
                SELECT FROM opposing_stores opposing
                 WHERE opposing.corner_store_id = receivables.corner_store_id AND opposes)))`,
);
