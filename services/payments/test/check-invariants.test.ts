import { Client } from 'pg';
import { ops, wholesaler } from '@fiado/shared/testing/callers';
import type { Answer } from '@fiado/shared/testing/service';
import { brokenInvariants, deliverOverdue, detect, payFor, reverse } from './support/defaults';
import { deposit } from './support/deposit';
import { deliverTransaction, delivery } from './support/receivable';
import { startPayments, type PaymentsService } from './support/service';

let payments: PaymentsService;
let owner: Client;

beforeAll(async () => {
  payments = await startPayments();
  owner = new Client({ connectionString: payments.ownerUrl });
  await owner.connect();
  await owner.query('SET search_path = payments');
});
afterAll(async () => {
  await owner.end();
  await payments.stop();
});

function sums(search = ''): Promise<Answer> {
  return payments.call(ops(), 'GET', `/v1/admin/invariants/payments/corner-stores${search}`);
}

/** Changes what nothing of ours could: past the triggers that keep the ledgers. */
async function tamper(statement: string): Promise<void> {
  await owner.query(`BEGIN; SET LOCAL session_replication_role = replica; ${statement}; COMMIT`);
}

describe('GET /admin/invariants/payments', () => {
  beforeAll(async () => {
    const order = delivery();
    await deliverTransaction(payments, order);
    await payFor(payments, order, 1200);
    const next = delivery({ userId: order.userId, cornerStoreId: order.cornerStoreId });
    await deliverTransaction(payments, next);
    await reverse(payments, await payFor(payments, next, 2000));
    await deposit(payments, {});
    await deliverOverdue(payments);
    await detect(payments);
  });

  it('all hold after deposits, a surplus, a reversal and a default', async () => {
    const { status, body } = await payments.call(ops(), 'GET', '/v1/admin/invariants/payments');
    expect(status).toBe(200);
    expect(body.service).toBe('payments');
    expect(body.checks).toHaveLength(9);
    for (const check of body.checks) {
      expect(check).toEqual({ name: expect.any(String), holds: true, violations: [] });
    }
  });

  it.each([
    [
      /entries add up/,
      `UPDATE receivable_entries SET principal_cents = principal_cents + 1 WHERE cause = 'opened'`,
      `UPDATE receivable_entries SET principal_cents = principal_cents - 1 WHERE cause = 'opened'`,
    ],
    [
      /allocated in full/,
      `UPDATE deposits SET valor_cents = valor_cents + 1 WHERE status = 'applied'`,
      `UPDATE deposits SET valor_cents = valor_cents - 1 WHERE status = 'applied'`,
    ],
    [
      /sum of their entries/,
      'UPDATE credit_balances SET balance_cents = balance_cents + 1',
      'UPDATE credit_balances SET balance_cents = balance_cents - 1',
    ],
    [
      /is applied, unmatched/,
      `UPDATE deposits SET status = 'received', received_at = received_at - interval '61 s'
        WHERE status = 'unmatched'`,
      `UPDATE deposits SET status = 'unmatched' WHERE status = 'received'`,
    ],
    [
      /outbox row/,
      `INSERT INTO outbox (id, queue, type, version, aggregate_id, aggregate_version, created_at,
                           leased_until)
       VALUES ('00000000-0000-4000-8000-000000000001', 'accounts', 'x', 1, gen_random_uuid(), 1,
               now() - interval '61 s', now() + interval '1 h')`,
      `DELETE FROM outbox WHERE type = 'x'`,
    ],
    [
      /open default/,
      'UPDATE payment_defaults SET paid_at = now()',
      'UPDATE payment_defaults SET paid_at = NULL',
    ],
    [
      /is in default$/,
      `UPDATE receivables SET in_default = false, opened_at = opened_at - interval '3 h'
        WHERE due_at < now()`,
      'UPDATE receivables SET in_default = true WHERE due_at < now()',
    ],
  ])('%s: reports the rows at fault', async (name, breaks, mends) => {
    await tamper(breaks);
    expect(await brokenInvariants(payments)).toContainEqual({
      name: expect.stringMatching(name),
      holds: false,
      violations: expect.arrayContaining([expect.any(Object)]),
    });
    await tamper(mends);
    expect(await brokenInvariants(payments)).toEqual([]);
  });

  it('the sums of each corner store, paged in the order of the ids', async () => {
    const stores = [delivery(), delivery(), delivery()];
    for (const order of stores) await deliverTransaction(payments, order);
    const [first] = stores;
    if (first === undefined) throw new Error('There are three');
    await payFor(payments, first, 100);

    const all = (await sums()).body.cornerStores;
    expect(all).toContainEqual({
      cornerStoreId: first.cornerStoreId,
      principalCents: 100_000,
      principalPaidCents: 10_000 - 5_800,
      interestCents: 5_000,
      ivaCents: 800,
      paidCount: 0,
      overdueCount: 0,
    });
    expect(all.map(({ overdueCount }: { overdueCount: number }) => overdueCount)).toContain(1);

    const paged: unknown[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const { body }: Answer = await sums(`?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`);
      paged.push(...body.cornerStores);
      cursor = body.nextCursor;
    }
    expect(paged).toEqual(all);
  });

  it('refuses a bad page and everyone but ops', async () => {
    for (const search of ['?limit=0', '?limit=1001', '?limit=x', '?cursor=1']) {
      expect((await sums(search)).status).toBe(400);
    }
    for (const path of ['', '/corner-stores']) {
      const answer = await payments.call(
        wholesaler(),
        'GET',
        `/v1/admin/invariants/payments${path}`,
      );
      expect(answer.status).toBe(403);
    }
  });
});
