import { BUNDLE, unverifiedRows } from '@fiado/chassis/jobs/bundle';
import { until } from '@fiado/chassis/testing/until';
import type { NotifyCornerStore } from '@fiado/contracts/jobs/notify-corner-store';
import { timeZoneChanged } from '@fiado/contracts/jobs/corner-stores';
import { forAllTests } from '../../../test/support/for-all-tests';
import { detectDefaults } from '../src/defaults/detect-defaults';
import { sendNotices } from '../src/notices/send-notices';
import { payFor } from './support/defaults';
import { killWhileItSends, type KillMoment } from './support/kill-payments';
import { deliverTransaction, delivery } from './support/receivable';
import { startPayments } from './support/service';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** The zones of Mexico differ by three hours; Tijuana alone changes its clocks. */
const ZONES = ['America/Mexico_City', 'America/Tijuana', 'America/Hermosillo', 'America/Cancun'];
/** Noon in Mexico City, when a process of payments is killed on some days. */
const KILL_HOUR_UTC = 18;
/** One at each moment. */
const KILLS = 2;
/** The last notice of an order of the fifth day is due on the 23rd. */
const DAYS = 27;
/** Holidays and Sundays of the simulated weeks, from a calendar of 2026. */
const CLOSED = '11-15 11-16 11-22 11-29 12-06 12-13'.split(' ');
/** A day on which reminders would be sent. */
const ELECTION_DAY = '12-01';

const START = new Date('2026-11-13T16:00:00Z');

let now = START;
const payments = forAllTests(() =>
  startPayments({
    clock: { now: () => now },
    config: { ELECTION_DAYS: `2026-${ELECTION_DAY}` },
  }),
);

/** The store of each job that was written for accounts. */
const storesTold = async () =>
  (await payments.outbox('notify-corner-store')).map(
    ({ data }) => (data as NotifyCornerStore).cornerStoreId,
  );

it('a month in four time zones send each message once under kill -9, in the store’s hours of a working day, and none of a debt that is paid', async () => {
  const orders: Array<{ zone: string; order: ReturnType<typeof delivery>; paidAt?: Date }> = [];
  const orderIn = async (zone: string): Promise<void> => {
    const order = delivery({ dueAt: new Date(endOfDay(now.getTime(), 14)).toISOString() });
    const store = { id: order.cornerStoreId, version: 2 };
    const { cornerStoreId } = order;
    await payments.handle(timeZoneChanged, store, { cornerStoreId, timeZone: zone });
    await deliverTransaction(payments, order);
    orders.push({ zone, order });
  };
  const kills: KillMoment[] = [];
  const paysAfterDays = [1, 13, 20, undefined];
  for (let at = START.getTime(); at < START.getTime() + DAYS * DAY_MS; at += HOUR_MS) {
    const hours = (at - START.getTime()) / HOUR_MS;
    now = new Date(at);
    // An order in each zone on each of five days, at another hour of the day or night.
    if (hours % 27 === 0 && hours < 135) {
      for (const zone of ZONES) await orderIn(zone);
    }
    for (const [index, one] of orders.entries()) {
      const days = paysAfterDays[(index + Math.floor(index / ZONES.length)) % paysAfterDays.length];
      if (one.paidAt !== undefined || days === undefined) continue;
      if (at < Date.parse(one.order.dueAt) - (14 - days) * DAY_MS) continue;
      one.paidAt = now;
      await payFor(payments, one.order, 1058);
    }
    if (hours % 6 === 0) await detectDefaults(payments.context, { asOf: now });
    if (kills.length < KILLS && new Date(at).getUTCHours() === KILL_HOUR_UTC && isKillDay(at)) {
      await orderIn('America/Mexico_City');
      const moment = kills.length === 0 ? 'before the commit' : 'after the commit';
      await killWhileItSends(payments, { now, moment });
      kills.push(moment);
    }
    while (await sendNotices(payments.context));
  }

  const rows = await payments.rows<{ kind: string; store: string; at: Date }>(
    `SELECT kind, corner_store_id AS store, decided_at AS at FROM notices WHERE state = 'sent'`,
  );
  const told = await storesTold();
  expect(told.length).toBeGreaterThan(50);
  expect(kills).toHaveLength(KILLS);
  await expectEachJobInTheQueue();
  for (const { zone, order, paidAt } of orders) {
    const own = rows.filter(({ store }) => store === order.cornerStoreId);
    const kinds = own.map(({ kind }) => kind);
    expect(kinds).toHaveLength(new Set(kinds).size);
    expect(told.filter((store) => store === order.cornerStoreId)).toHaveLength(kinds.length);
    for (const { kind, at } of own) {
      const local = localOf(at, zone);
      const hour = Number(local.slice(6, 8));
      expect([zone, local, hour >= 9 && hour < 20]).toEqual([zone, local, true]);
      expect(CLOSED).not.toContain(local.slice(0, 5));
      expect(ELECTION_DAY).not.toBe(local.slice(0, 5));
      if (kind !== 'payment-received' && paidAt !== undefined) {
        expect([kind, at < paidAt]).toEqual([kind, true]);
      }
    }
    // The last orders are not due before the end.
    if (paidAt === undefined && Date.parse(order.dueAt) < now.getTime() - 4 * DAY_MS) {
      expect(kinds.toSorted()).toEqual(['delivered', 'payment-due', 'payment-overdue']);
    }
  }
}, 600_000);

/** Every fourth day that is open in Mexico City. */
function isKillDay(at: number): boolean {
  const day = Math.floor((at - START.getTime()) / DAY_MS);
  return (
    day % 4 === 0 && ![...CLOSED, ELECTION_DAY].includes(new Date(at).toISOString().slice(5, 10))
  );
}

/**
 * A row is in the queue a second time, in another bundle, when its relay was killed before it marked the row.
 * accounts takes it once: its id enters the inbox there.
 */
async function expectEachJobInTheQueue(): Promise<void> {
  const moved = async () =>
    payments.rows<{ id: string }>(
      `SELECT id FROM outbox WHERE type = 'notify-corner-store' AND enqueued_at IS NOT NULL`,
    );
  const all = (await storesTold()).length;
  await until('all are in the queue', async () => (await moved()).length === all);
  const queue = payments.context.queues.queue('accounts');
  const ids = new Set((await moved()).map(({ id }) => id));
  const jobs = await queue.getJobs();
  const queued = jobs
    .flatMap(({ id, name, data }) => (name === BUNDLE ? unverifiedRows(data) : [{ id }]))
    .map(({ id }) => id);
  expect(queued).toEqual(expect.arrayContaining([...ids]));
}

/** `11-24 18:00` on the clocks of a zone. */
function localOf(moment: Date, timeZone: string): string {
  return moment
    .toLocaleString('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' })
    .slice(5);
}

/** End of the day in Mexico City, which is six hours behind UTC all year. */
function endOfDay(at: number, days: number): number {
  return Math.floor((at - 6 * HOUR_MS) / DAY_MS) * DAY_MS + (days + 1) * DAY_MS + 6 * HOUR_MS - 1;
}
