import { timeZoneChanged } from '@fiado/shared/contracts/jobs/time-zone-changed';
import { detectDefaults } from '../src/use-cases/detect-defaults';
import { sendNotices } from '../src/use-cases/send-notices';
import { payFor, reverse } from './support/defaults';
import { deliverTransaction, delivery, receivableOf } from './support/receivable';
import { startPayments, type PaymentsService } from './support/service';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** The zones of Mexico differ by three hours; Tijuana alone changes its clocks. */
const ZONES = ['America/Mexico_City', 'America/Tijuana', 'America/Hermosillo', 'America/Cancun'];
/** Holidays and Sundays of the simulated weeks, from a calendar of 2026. */
const CLOSED = '11-15 11-16 11-22 11-29 12-06 12-13 12-20 12-25 12-27'.split(' ');

let now = new Date('2026-11-24T18:00:00Z');
let payments: PaymentsService;
beforeAll(async () => {
  payments = await startPayments({
    clock: { now: () => now },
    config: { ELECTION_DAYS: '2026-12-08' },
  });
});
afterAll(() => payments.stop());

interface Sent {
  kind: string;
  subjectId: string;
  cornerStoreId: string;
  wholesalerId?: string;
  values: Record<string, unknown>;
  expiresAt: string;
}
const sent = async (): Promise<Sent[]> => {
  const rows = await payments.outbox('notify-corner-store');
  return rows.map(({ data }) => data as unknown as Sent);
};
const sentTo = async ({ cornerStoreId }: { cornerStoreId: string }) =>
  (await sent()).filter((one) => one.cornerStoreId === cornerStoreId);
const kindsTo = async (order: { cornerStoreId: string }) =>
  (await sentTo(order)).map(({ kind }) => kind);
async function roundAt(moment: string | Date): Promise<void> {
  now = new Date(moment);
  while (await sendNotices(payments.context));
}
const deliverAt = async (moment: string, changes: Parameters<typeof delivery>[0] = {}) => {
  now = new Date(moment);
  const order = delivery({ dueAt: '2026-12-10T05:59:59.999Z', ...changes });
  await deliverTransaction(payments, order);
  return order;
};

describe('a notice', () => {
  it('of a delivery tells total, day and reference once, also after many rounds at the same time', async () => {
    const order = await deliverAt('2026-11-24T18:00:00Z');
    await Promise.all(Array.from({ length: 5 }, () => sendNotices(payments.context)));
    await roundAt('2026-11-24T18:01:00Z');

    const { numero_referencia: reference } = await receivableOf(payments, order);
    expect(await sentTo(order)).toEqual([
      {
        kind: 'delivered',
        subjectId: order.transactionId,
        cornerStoreId: order.cornerStoreId,
        wholesalerId: order.wholesalerId,
        values: { totalCents: 105_800, dueOn: '2026-12-09', reference },
        expiresAt: '2026-11-25T02:00:00.000Z',
      },
    ]);
  });

  it('of a delivery at night waits for 9 o’clock of the store’s zone, and is not sent when it was paid', async () => {
    const night = '2026-11-25T04:00:00Z';
    const [order, paid] = [await deliverAt(night), await deliverAt(night)];
    await payFor(payments, paid, 1058);
    await roundAt('2026-11-25T14:59:00Z');
    expect(await kindsTo(order)).toEqual([]);
    await roundAt('2026-11-25T15:00:00Z');
    expect(await kindsTo(order)).toEqual(['delivered']);
    expect(await kindsTo(paid)).toEqual(['payment-received']);
  });

  it('of a payment tells what is left, and nothing once it is reversed', async () => {
    const [order, wrong] = [
      await deliverAt('2026-11-24T18:00:00Z'),
      await deliverAt('2026-11-24T18:00:00Z'),
    ];
    await payFor(payments, order, 500);
    await reverse(payments, await payFor(payments, wrong, 500));
    await roundAt('2026-11-24T18:01:00Z');
    expect((await sentTo(order)).find(({ kind }) => kind === 'payment-received')?.values).toEqual({
      amountCents: 50_000,
      leftCents: 55_800,
    });
    expect(await kindsTo(wrong)).toEqual(['delivered']);
  });

  it('is one of four at most that a store gets in a day', async () => {
    const { cornerStoreId, userId } = await deliverAt('2026-11-24T18:00:00Z');
    for (let i = 0; i < 4; i += 1) {
      await deliverAt('2026-11-24T18:00:00Z', { cornerStoreId, userId });
    }
    await roundAt('2026-11-24T18:01:00Z');
    expect(await kindsTo({ cornerStoreId })).toHaveLength(4);
    await roundAt('2026-11-25T14:59:00Z');
    expect(await kindsTo({ cornerStoreId })).toHaveLength(4);
    await roundAt('2026-11-25T18:02:00Z');
    expect(await kindsTo({ cornerStoreId })).toHaveLength(5);
  });
});

describe('six weeks in four time zones', () => {
  it('send each message once, in the store’s hours of a working day, and none of a debt that is paid', async () => {
    const start = new Date('2026-11-13T16:00:00Z');
    const orders: Array<{ zone: string; order: ReturnType<typeof delivery>; paidAt?: Date }> = [];
    const paysAfterDays = [1, 13, 20, undefined];
    await roundAt(start);
    const before = (await sent()).length;
    for (let at = start.getTime(); at < start.getTime() + 42 * DAY_MS; at += HOUR_MS) {
      const hours = (at - start.getTime()) / HOUR_MS;
      now = new Date(at);
      // An order in each zone on each of ten days, at another hour of the day.
      if (hours % 25 === 0 && hours < 250) {
        for (const zone of ZONES) {
          const order = delivery({ dueAt: new Date(endOfDay(at, 14)).toISOString() });
          const store = { id: order.cornerStoreId, version: 2 };
          const { cornerStoreId } = order;
          await payments.deliver(timeZoneChanged, store, { cornerStoreId, timeZone: zone });
          await deliverTransaction(payments, order);
          orders.push({ zone, order });
        }
      }
      for (const [index, one] of orders.entries()) {
        const days =
          paysAfterDays[(index + Math.floor(index / ZONES.length)) % paysAfterDays.length];
        if (one.paidAt !== undefined || days === undefined) continue;
        if (at < Date.parse(one.order.dueAt) - (14 - days) * DAY_MS) continue;
        one.paidAt = now;
        await payFor(payments, one.order, 1058);
      }
      if (hours % 6 === 0) await detectDefaults(payments.context, { asOf: now });
      await roundAt(now);
    }

    const rows = await payments.rows<{ kind: string; store: string; at: Date }>(
      `SELECT kind, corner_store_id AS store, decided_at AS at FROM notices WHERE state = 'sent'`,
    );
    const jobs = await sent();
    expect(jobs.length - before).toBeGreaterThan(100);
    for (const { zone, order, paidAt } of orders) {
      const own = rows.filter(({ store }) => store === order.cornerStoreId);
      const kinds = own.map(({ kind }) => kind);
      expect(kinds).toHaveLength(new Set(kinds).size);
      expect(jobs.filter((job) => job.cornerStoreId === order.cornerStoreId)).toHaveLength(
        kinds.length,
      );
      for (const { kind, at } of own) {
        const local = localOf(at, zone);
        const hour = Number(local.slice(6, 8));
        expect([zone, local, hour >= 9 && hour < 20]).toEqual([zone, local, true]);
        expect(CLOSED).not.toContain(local.slice(0, 5));
        expect('12-08').not.toBe(local.slice(0, 5));
        if (kind !== 'payment-received' && paidAt !== undefined) {
          expect([kind, at < paidAt]).toEqual([kind, true]);
        }
      }
      if (paidAt === undefined) {
        expect(kinds.toSorted()).toEqual(['delivered', 'payment-due', 'payment-overdue']);
      }
    }
  }, 240_000);
});

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
