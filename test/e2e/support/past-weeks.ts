import { randomUUID } from 'node:crypto';
import { asOwner } from '@fiado/chassis/testing/as-owner';
import type { Client } from 'pg';
import { waitFor } from './api';
import { deliverFor, deposit, eventually, orderAtOnce, paymentOf, statusOf } from './month';
import {
  createProvider,
  createStore,
  createWholesaler,
  type Provider,
  type Wholesaler,
} from './story';
import type { System } from './system';

/** Of the lender, as a system has it by default. */
const TIME_ZONE = 'America/Mexico_City';
const DAY_MS = 24 * 3_600_000;

/** A delivered order of some days ago. Pesos. */
export interface PastOrder {
  transactionId: string;
  /** Of its creation and its delivery, such as 2026-11-17. */
  day: string;
  delivered: number;
  credited: number;
}

/** What a wholesaler delivered in the last weeks, in a system that started just now. */
export interface PastWeeks {
  wholesaler: Wholesaler & { name: string };
  orders: PastOrder[];
}

/** Days from this week's Monday, and pesos: an order for each, of a store of its own. */
const PLAN = [
  { at: -20, delivered: 4_250.5, paid: true },
  { at: -18, delivered: 9_800, paid: false },
  { at: -12, delivered: 8_999.99, paid: false },
  { at: -7, delivered: 1_234.5, paid: true },
  { at: -4, delivered: 7_350.25, paid: false },
  { at: -1, delivered: 860.75, paid: false, credited: 60.75 },
  { at: 0, delivered: 500, paid: false },
];

/**
 * Delivers, pays and credits orders of some wholesalers, moves them into the last three weeks, and
 * closes their statements. The system must be the test's own: its books begin anew.
 */
export async function seedPastWeeks(
  system: System & { databaseUrl: string },
  wholesalers: number,
): Promise<[PastWeeks, ...PastWeeks[]]> {
  const provider = await createProvider(system);
  const monday = mondayOf(new Date());
  const seed = async (number: number): Promise<PastWeeks> => {
    const name = `Abarrotera ${number}`;
    const settings = { name, confirmationRequired: false, settlementEvery: 'on-demand' };
    const wholesaler = { ...(await createWholesaler(system, settings)), name };
    const orders: PastOrder[] = [];
    for (const plan of PLAN) {
      const transactionId = await orderOf(system, { wholesaler, provider }, plan);
      const { at, delivered, credited = 0 } = plan;
      orders.push({ transactionId, day: dayFrom(monday, at), delivered, credited });
    }
    return { wholesaler, orders };
  };
  const all = await Promise.all(Array.from({ length: wholesalers }, (_, at) => seed(at + 1)));
  await asOwner(system.databaseUrl, (owner) =>
    moveToTheirDays(
      owner,
      all.flatMap(({ orders }) => orders),
    ),
  );
  const mondays = [-14, -7, 0].map((days) => dayFrom(monday, days));
  await Promise.all(all.map(({ wholesaler }) => closeWeeks(system, wholesaler, mondays)));
  return all as [PastWeeks, ...PastWeeks[]];
}

async function orderOf(
  system: System,
  { wholesaler, provider }: { wholesaler: Wholesaler; provider: Provider },
  { delivered, paid, credited }: (typeof PLAN)[number],
): Promise<string> {
  const store = await createStore(system, wholesaler);
  const transactionId = await orderAtOnce(system, wholesaler, store, delivered);
  expect(await deliverFor(system, wholesaler, transactionId, delivered)).toBe('200');
  const { idFactura, amountDue } = await paymentOf(system, wholesaler, transactionId);
  if (paid) {
    expect(await deposit(system, provider, { idFactura, valor: amountDue })).toMatch(/^20/);
    await eventually(() => statusOf(system, wholesaler, transactionId), 'paid');
  }
  if (credited !== undefined) {
    const body = { amount: credited, reason: 'return' };
    const path = `/transaction/${transactionId}/credit-notes`;
    expect((await system.call(wholesaler.key, 'POST', path, { body })).status).toBe(201);
    // Its entry in the ledger is there, and moves with the others.
    await waitFor(async () => {
      const payment = await paymentOf(system, wholesaler, transactionId);
      return payment.amountDue < amountDue || undefined;
    });
  }
  return transactionId;
}

/** As if each order had been made, delivered, paid and credited on its day. The portfolio begins anew. */
export async function moveToTheirDays(
  owner: Client,
  orders: Pick<PastOrder, 'transactionId' | 'day'>[],
): Promise<void> {
  // The rows of ledgers and statements are kept by triggers.
  await owner.query('BEGIN; SET LOCAL session_replication_role = replica');
  await owner.query(`UPDATE transactions.settlement_start SET at = at - interval '30 days'`);
  for (const table of ['cohorts', 'flows', 'days', 'calendar', 'totals', 'position']) {
    await owner.query(`DELETE FROM payments.portfolio_${table}`);
  }
  for (const { transactionId, day } of orders) {
    const { rows } = await owner.query<{ days: number }>(
      `SELECT (created_at AT TIME ZONE $2)::date - $3::date AS days
       FROM transactions.transactions WHERE id = $1`,
      [transactionId, TIME_ZONE, day],
    );
    const values = [transactionId, rows[0]?.days];
    for (const statement of MOVES) await owner.query(statement, values);
  }
  await owner.query('COMMIT');
}

const BEFORE = `- make_interval(days => $2)`;
const MOVES = [
  `UPDATE transactions.transactions
      SET created_at = created_at ${BEFORE}, movement_date = movement_date ${BEFORE},
          delivery_date = delivery_date ${BEFORE}, delivered_at = delivered_at ${BEFORE},
          payment_due_at = payment_due_at ${BEFORE}, payment_due_on = payment_due_on - $2
    WHERE id = $1`,
  `UPDATE transactions.credit_notes SET created_at = created_at ${BEFORE}
    WHERE transaction_id = $1`,
  `UPDATE transactions.settlement_lines SET recorded_at = recorded_at ${BEFORE}
    WHERE transaction_id = $1`,
  `UPDATE payments.deposits SET received_at = received_at ${BEFORE}
    WHERE user_id = (SELECT user_id FROM payments.receivables WHERE transaction_id = $1)`,
  `UPDATE payments.receivable_entries SET created_at = created_at ${BEFORE}
    WHERE receivable_id = (SELECT id FROM payments.receivables WHERE transaction_id = $1)`,
  `UPDATE payments.receivables
      SET opened_at = opened_at ${BEFORE}, due_at = due_at ${BEFORE}, due_on = due_on - $2,
          paid_at = paid_at ${BEFORE}
    WHERE transaction_id = $1`,
];

/** Closes the weeks that end on those days, and pays all but the last. */
async function closeWeeks(
  system: System,
  { wholesalerId }: Wholesaler,
  mondays: string[],
): Promise<void> {
  for (const until of mondays) {
    const body = { wholesalerId, until };
    const closed = await system.call(system.opsKey, 'POST', '/admin/statements/close', { body });
    const [statement] = closed.body.statements;
    expect([closed.status, statement?.periodTo === undefined]).toEqual([200, false]);
    if (until === mondays.at(-1)) return;
    const path = `/admin/statements/${statement.statementId}/mark-paid`;
    const payment = { bankReference: `SPEI-${randomUUID()}`.slice(0, 30), paidOn: until };
    const paid = await system.call(system.opsKey, 'POST', path, { body: payment });
    expect(paid.status).toBe(200);
  }
}

function mondayOf(now: Date): string {
  const today = new Intl.DateTimeFormat('en-CA', { timeZone: TIME_ZONE }).format(now);
  return dayFrom(today, -((new Date(today).getUTCDay() + 6) % 7));
}

function dayFrom(day: string, days: number): string {
  return new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);
}
