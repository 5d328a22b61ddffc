import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { ops } from '@fiado/chassis/testing/callers';
import type { Answer } from '@fiado/chassis/testing/call';
import { fillPortfolio } from '../src/portfolio/fill-portfolio';
import { brokenInvariants, payFor, reverse } from './support/defaults';
import { deliverTransaction, delivery, receivableOf } from './support/receivable';
import { startPayments, type PaymentsService } from './support/service';

const ZONE = 'America/Tijuana';
/** A Monday, two days before the clocks of Tijuana go back: 2 November 2025 has 25 hours. */
const FIRST = '2025-10-27';

let payments: PaymentsService;
let owner: Client;
beforeAll(async () => {
  payments = await startPayments({ config: { TIME_ZONE: ZONE } });
  // Past the triggers of the ledgers.
  owner = new Client({
    connectionString: payments.ownerUrl,
    options: '-c search_path=payments -c session_replication_role=replica',
  });
  await owner.connect();
});
afterAll(async () => {
  await owner.end();
  await payments.stop();
});

/** Begins the books anew with a day, as if all before it were filled. */
async function beginWith(day: string): Promise<void> {
  await owner.query(
    `DELETE FROM portfolio_cohorts; DELETE FROM portfolio_flows; DELETE FROM portfolio_days;
     DELETE FROM portfolio_calendar; DELETE FROM portfolio_totals; DELETE FROM portfolio_position;
     DELETE FROM write_offs; DELETE FROM receivable_entries; DELETE FROM receivables`,
  );
  await owner.query(
    `INSERT INTO portfolio_calendar (day, starts_at, ends_at)
     VALUES ($1::date - 1, ($1::date - 1)::timestamp AT TIME ZONE $2, $1::date::timestamp AT TIME ZONE $2)`,
    [day, ZONE],
  );
}

interface Debt {
  wholesalerId: string;
  principalCents: number;
  /** On the wall clock of the lender. */
  deliveredAt: string;
  dueOn: string;
}

/** A debt with a tenth of interest and no IVA. */
async function debt({ wholesalerId, principalCents, deliveredAt, dueOn }: Debt) {
  const order = delivery({
    wholesalerId,
    principalCents,
    interestCents: principalCents / 10,
    ivaCents: 0,
    dueOn,
    timeZone: ZONE,
    dueAt: new Date(Date.parse(`${dueOn}T00:00:00Z`) + 31.9 * 3_600_000).toISOString(),
  });
  await deliverTransaction(payments, order);
  const { id } = await receivableOf(payments, order);
  await bookedAt(id, 1, deliveredAt);
  await owner.query(
    `UPDATE receivables SET opened_at = $2::timestamp AT TIME ZONE $3 WHERE id = $1`,
    [id, deliveredAt, ZONE],
  );
  return { id, transactionId: order.transactionId };
}

/** Moves an entry to a moment of the lender's wall clock. */
async function bookedAt(receivableId: string, version: number, moment: string): Promise<void> {
  await owner.query(
    `UPDATE receivable_entries SET created_at = $3::timestamp AT TIME ZONE $4
      WHERE receivable_id = $1 AND version = $2`,
    [receivableId, version, moment, ZONE],
  );
}

/** Pays a debt at a moment, in pesos. @returns the deposit */
async function paidAt(of: { id: string; transactionId: string }, pesos: number, moment: string) {
  const depositId = await payFor(payments, of, pesos);
  await bookedAt(of.id, (await receivableOf(payments, of)).version, moment);
  return depositId;
}

async function fill(days: number): Promise<void> {
  for (let day = 0; day < days; day++) expect(await fillPortfolio(payments.context)).toBe(true);
}

/** Of the books; the deletions above break others. */
async function brokenBooks(): Promise<unknown[]> {
  const broken = (await brokenInvariants(payments)) as Array<{ name: string }>;
  return broken.filter(({ name }) => /portfolio|week of delivery|write-off/.test(name));
}

const report = (path: string): Promise<Answer> =>
  payments.call(ops(), 'GET', `/v1/admin/reports/${path}`);

describe('books that were kept by hand', () => {
  const north = randomUUID();
  const south = randomUUID();

  it('give the portfolio at risk, the flows and the vintages', async () => {
    await beginWith(FIRST);
    const common = { wholesalerId: north, deliveredAt: '2025-10-27T10:00:00' };
    // 1,000 is not due on 9 November, 400 is 1 day late, 300 is 8 days late, 200 is paid.
    await debt({ ...common, principalCents: 100_000, dueOn: '2025-11-09' });
    const partly = await debt({ ...common, principalCents: 50_000, dueOn: '2025-11-08' });
    await debt({ ...common, wholesalerId: south, principalCents: 30_000, dueOn: '2025-11-01' });
    const paid = await debt({ ...common, principalCents: 20_000, dueOn: '2025-11-03' });
    // Interest first: 50 of 150 is interest.
    await paidAt(partly, 150, '2025-11-05T09:00:00');
    await paidAt(paid, 220, '2025-11-03T23:59:59');
    await fill(14);

    const { status, body } = await report('portfolio?asOf=2025-11-09');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      asOf: '2025-11-09',
      outstanding: 1700,
      buckets: [
        { bucket: '0', debts: 1, principal: 1000, interests: 100 },
        { bucket: '1-7', debts: 1, principal: 400, interests: 0 },
        { bucket: '8-30', debts: 1, principal: 300, interests: 30 },
        { bucket: '31-60', debts: 0, principal: 0 },
        { bucket: '61-90', debts: 0 },
        { bucket: '91+', debts: 0 },
      ],
      par: {
        par1: { amount: 700, ratio: 0.4118 },
        par7: { amount: 300, ratio: 0.1765 },
        par30: { amount: 0, ratio: 0 },
      },
      writtenOff: 0,
      wholesalers: [
        { wholesalerId: north, debts: 2, outstanding: 1400, par: { par1: { ratio: 0.2857 } } },
        { wholesalerId: south, debts: 1, outstanding: 300, par: { par7: { ratio: 1 } } },
      ],
    });
    expect((await report(`portfolio?asOf=2025-11-09&wholesalerId=${south}`)).body).toMatchObject({
      outstanding: 300,
      wholesalers: [{ wholesalerId: south }],
    });

    const flows = (await report('flows?from=2025-10-27&to=2025-11-30')).body.flows;
    expect(flows).toHaveLength(14);
    expect(flows[0]).toMatchObject({
      day: '2025-10-27',
      wholesalerId: null,
      delivered: { principal: 2000, interests: 200, IVAAmount: 0 },
      collected: { principal: 0 },
    });
    expect(flows[7]).toMatchObject({ day: '2025-11-03', collected: { principal: 200 }, cash: 220 });
    expect(flows[9]).toMatchObject({ collected: { principal: 100, interests: 50 }, recovered: 0 });

    const { vintages } = (await report(`vintages?from=2025-10-27&to=2025-11-30`)).body;
    expect(vintages.slice(0, 2)).toMatchObject([
      { week: FIRST, daysAfterDue: 0, delivered: 2000, reached: 2000, unpaid: 1700, final: true },
      { week: FIRST, daysAfterDue: 7, delivered: 2000, reached: 300, unpaid: 300, final: false },
    ]);
    expect(vintages[0].ratio).toBe(0.85);
    expect(await brokenBooks()).toEqual([]);
  });

  it('refuse days that are not there, and no days', async () => {
    for (const path of [
      'portfolio?asOf=2025-11-10',
      'flows?from=2020-01-01&to=2020-01-31',
      'vintages?from=2020-01-01&to=2020-01-31',
    ]) {
      const { status, body } = await report(path);
      expect([status, body.errorCode]).toEqual([404, 'REPORT_NOT_FOUND']);
    }
    for (const path of [
      'portfolio?asOf=2025-02-30',
      'portfolio?asOf=2025-11-09T00:00:00Z',
      'portfolio?wholesalerId=x',
      'flows?from=2025-11-09',
      'flows?from=2025-11-09&to=2025-11-08',
      'flows?from=2024-01-01&to=2025-01-01',
      'vintages?from=0000-01-01&to=0000-01-02',
    ]) {
      expect([path, (await report(path)).status]).toEqual([path, 400]);
    }
  });
});

it('a day stays as it is when a payment of it is reversed later; the reversal counts in its own day', async () => {
  await beginWith(FIRST);
  const order = await debt({
    wholesalerId: randomUUID(),
    principalCents: 100_000,
    deliveredAt: '2025-10-27T10:00:00',
    dueOn: '2025-11-09',
  });
  const depositId = await paidAt(order, 1100, '2025-10-28T12:00:00');
  await fill(2);
  const before = (await report('portfolio?asOf=2025-10-28')).body;
  expect(before.outstanding).toBe(0);

  await reverse(payments, depositId);
  await bookedAt(order.id, 3, '2025-10-29T12:00:00');
  await fill(1);

  expect((await report('portfolio?asOf=2025-10-28')).body).toEqual(before);
  expect((await report('portfolio')).body).toMatchObject({ asOf: '2025-10-29', outstanding: 1000 });
  const { flows } = (await report('flows?from=2025-10-28&to=2025-10-29')).body;
  expect(flows.map((day: { collected: { principal: number } }) => day.collected.principal)).toEqual(
    [1000, -1000],
  );
  // Filled again from the rows, each day is what it was.
  expect(await brokenBooks()).toEqual([]);
});

it('a payment that was booked a moment before its debt, on the day before, counts on the day of the debt', async () => {
  await beginWith(FIRST);
  const order = await debt({
    wholesalerId: randomUUID(),
    principalCents: 10_000,
    deliveredAt: '2025-10-28T00:00:00.001',
    dueOn: '2025-11-09',
  });
  await paidAt(order, 60, '2025-10-27T23:59:59.999');
  await fill(2);

  const { flows } = (await report('flows?from=2025-10-27&to=2025-10-28')).body;
  expect(flows).toMatchObject([
    { delivered: { principal: 0 }, collected: { principal: 0 }, cash: 0 },
    { delivered: { principal: 100 }, collected: { principal: 50, interests: 10 }, cash: 60 },
  ]);
  expect((await report('portfolio')).body.outstanding).toBe(50);
  expect(await brokenBooks()).toEqual([]);
});

it('the hours of a day add up to the day, also where times and versions of a debt differ in order', async () => {
  await beginWith(FIRST);
  // So late that they are old at once.
  const common = { wholesalerId: randomUUID(), principalCents: 10_000, dueOn: '2025-10-20' };
  const at = (time: string) => `${FIRST}T${time}`;
  const paid = await debt({ ...common, deliveredAt: at('09:59:59.999') });
  await paidAt(paid, 110, at('10:00:00'));
  const partly = await debt({ ...common, deliveredAt: at('11:30:00') });
  await paidAt(partly, 60, at('15:00:00'));
  const writtenOff = await debt({ ...common, deliveredAt: at('11:40:00') });
  // Its transaction began in the hour before, and waited for the write-off.
  await paidAt(writtenOff, 30, at('14:59:59.999'));
  await owner.query(
    `INSERT INTO write_offs (receivable_id, principal_cents, interest_cents, iva_cents, receivable_version,
                             reason, requested_by, created_at)
     VALUES ($1, 10000, 1000, 0, 1, '', 'test', $2::timestamp AT TIME ZONE $3)`,
    [writtenOff.id, at('15:00:00.001'), ZONE],
  );
  await fill(1);

  const { flows } = (await report(`flows?from=${FIRST}&to=${FIRST}`)).body;
  expect(flows).toMatchObject([
    {
      delivered: { principal: 300, interests: 30 },
      collected: { principal: 150, interests: 20 },
      writtenOff: { principal: 100, interests: 10 },
      recovered: 30,
      cash: 200,
    },
  ]);
  // Of the second debt 50, and of what is written off 80.
  const { vintages } = (await report(`vintages?from=${FIRST}&to=${FIRST}`)).body;
  expect(vintages[0]).toMatchObject({ delivered: 300, reached: 300, unpaid: 130 });
  expect((await report('portfolio')).body).toMatchObject({ outstanding: 50, writtenOff: 100 });
  expect(await brokenBooks()).toEqual([]);
});

it('an hour of a day that cannot be read is read again alone', async () => {
  await beginWith(FIRST);
  const wholesalerId = randomUUID();
  const deliveredAt = '2025-10-27T10:00:00';
  await debt({ wholesalerId, principalCents: 10_000, deliveredAt, dueOn: '2025-11-09' });
  const snapshots = jest.spyOn(payments.context.db, 'snapshot');
  snapshots.mockRejectedValueOnce(new Error('canceling statement due to statement timeout'));
  await fill(1);
  const read = snapshots.mock.calls.length;
  snapshots.mockRestore();

  expect(read).toBe(1 + 24);
  expect((await report('portfolio')).body).toMatchObject({ asOf: FIRST, outstanding: 100 });
  expect(await brokenBooks()).toEqual([]);
});

it.each([
  ['25 hours', '2025-11-02', 25],
  ['23 hours', '2026-03-08', 23],
])('a day of %s in Tijuana has all entries between its midnights', async (_, day, hours) => {
  await beginWith(day);
  const common = { wholesalerId: randomUUID(), principalCents: 10_000, dueOn: '2026-06-30' };
  const next = new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10);
  await debt({ ...common, deliveredAt: `${day}T00:00:00` });
  await debt({ ...common, deliveredAt: `${day}T23:59:59.999` });
  await debt({ ...common, deliveredAt: `${next}T00:00:00` });
  await fill(2);

  const { flows } = (await report(`flows?from=${day}&to=${next}`)).body;
  expect(flows.map((one: { delivered: { principal: number } }) => one.delivered.principal)).toEqual(
    [200, 100],
  );
  const [{ length }] = (await payments.rows<{ length: number }>(
    `SELECT (EXTRACT(EPOCH FROM ends_at - starts_at) / 3600)::int AS length
       FROM portfolio_calendar WHERE day = $1`,
    [day],
  )) as [{ length: number }];
  expect(length).toBe(hours);
});

it('of two processes that fill a day at once one writes it', async () => {
  await beginWith(FIRST);
  const wholesalerId = randomUUID();
  await debt({
    wholesalerId,
    principalCents: 10_000,
    deliveredAt: '2025-10-27T10:00:00',
    dueOn: '2025-10-27',
  });
  await Promise.all(Array.from({ length: 4 }, () => fillPortfolio(payments.context)));

  const { flows } = (await report(`flows?from=${FIRST}&to=${FIRST}`)).body;
  expect(flows).toMatchObject([{ delivered: { principal: 100 } }]);
  const { vintages } = (await report(`vintages?from=${FIRST}&to=${FIRST}`)).body;
  expect(vintages[0]).toMatchObject({ delivered: 100, reached: 100, unpaid: 100 });
});
