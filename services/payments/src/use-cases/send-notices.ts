import { DateTime } from 'luxon';
import { updateRow } from '@fiado/shared/chassis/db/rows';
import { nextContactTime } from '@fiado/shared/contact-hours';
import { appendToOutbox, outboxRows, type OutboxRow } from '@fiado/shared/chassis/outbox/append';
import {
  notifyCornerStore,
  type NoticeValues,
} from '@fiado/shared/contracts/jobs/notify-corner-store';
import type { Context } from '../context';
import {
  insertReminders,
  lockDueNotices,
  NOTICES_BATCH,
  type WaitingNotice,
} from '../db/notices.repository';
import { dueDayOf } from '../domain/due-day';

/** Notices to one store in 24 hours: a deposit and deliveries of a busy day, and no more. */
const MAX_NOTICES_PER_DAY = 4;

/**
 * One round: sends the notices that are due. At night, on Sundays and on holidays of the store they
 * wait; one whose debt was paid meanwhile is dropped. Notice and job are one database transaction,
 * so that each is sent once.
 * @returns whether there may be more
 */
export async function sendNotices(context: Context): Promise<boolean> {
  const { db, clock, relay } = context;
  const now = clock.now();
  const reminders = await insertReminders(db, now);
  const decided = await db.transaction(async (tx) => {
    const notices = await lockDueNotices(tx, now);
    const sentNow = new Map<string, number>();
    const jobs: OutboxRow[] = [];
    for (const notice of notices) {
      const { id, cornerStoreId } = notice;
      if (!isWanted(notice)) {
        await updateRow(tx, 'notices', id, { state: 'dropped', decidedAt: now });
        continue;
      }
      const sent = sentNow.get(cornerStoreId) ?? 0;
      const next = nextTimeFor(context, notice, sent, now);
      if (next.at > now) {
        await updateRow(tx, 'notices', id, { notBefore: next.at });
        continue;
      }
      jobs.push(...jobOf(context, notice, next.until));
      await updateRow(tx, 'notices', id, { state: 'sent', decidedAt: now });
      sentNow.set(cornerStoreId, sent + 1);
    }
    await appendToOutbox(tx, jobs);
    return notices.length;
  });
  relay.wake();
  return decided === NOTICES_BATCH || reminders >= NOTICES_BATCH;
}

/** Whether there is still something to tell. */
function isWanted({
  subjectId,
  amountCents,
  kind,
  inDefault,
  isToldAnyway,
}: WaitingNotice): boolean {
  if (subjectId === null || amountCents <= 0 || isToldAnyway) return false;
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
  if (kind === 'payment-received') return { amountCents, leftCents };
  if (kind === 'payment-reversed') {
    return { amountCents, leftCents, reference: numeroReferencia ?? '' };
  }
  const debt = {
    dueOn: dueDayOf(
      { dueAt: notice.dueAt ?? new Date(0), dueOn, timeZone: dueTimeZone },
      config.TIME_ZONE,
    ).dueOn,
    reference: numeroReferencia ?? '',
  };
  return kind === 'delivered' ? { ...debt, totalCents: amountCents } : { ...debt, amountCents };
}
