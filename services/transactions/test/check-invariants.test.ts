import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import type { InvariantCheck } from '@fiado/shared/contracts/invariants';
import { paymentApplied } from '@fiado/shared/contracts/jobs/payment-applied';
import { ops } from '@fiado/shared/testing/callers';
import {
  startTransactions,
  type TransactionsService,
  type CornerStore,
} from './support/transactions';

const PATH = '/v1/admin/invariants/transactions';

let transactions: TransactionsService;
let owner: Client;
beforeAll(async () => {
  transactions = await startTransactions();
  owner = new Client({ connectionString: transactions.ownerUrl });
  await owner.connect();
  await owner.query('SET search_path = transactions');
});
afterAll(async () => {
  await owner.end();
  await transactions.stop();
});

/** Writes what the service itself never would: past checks and append-only triggers. */
async function plant(fault: string): Promise<void> {
  await owner.query(`BEGIN; SET LOCAL session_replication_role = replica; ${fault}; COMMIT`);
}

async function brokenChecks(): Promise<string[]> {
  const { status, body } = await transactions.call(ops(), 'GET', PATH);
  expect(status).toBe(200);
  return (body.checks as InvariantCheck[]).filter(({ holds }) => !holds).map(({ name }) => name);
}

describe('the invariants of transactions', () => {
  let store: CornerStore;
  let onHold: string;
  let delivered: string;
  let paid: string;

  beforeAll(async () => {
    store = await transactions.createCornerStore({ settings: { confirmationRequired: false } });
    [onHold = '', delivered = '', paid = ''] = await Promise.all(
      [1, 2, 3].map(async () => (await transactions.order(store)).body.transactionId as string),
    );
    for (const id of [delivered, paid]) {
      const answer = await transactions.call(store.caller, 'PUT', `/v1/transaction/${id}`, {
        body: { status: 'delivery', transactionAmount: 900 },
      });
      expect(answer.status).toBe(200);
    }
    await transactions.deliver(
      paymentApplied,
      { id: randomUUID(), version: 2 },
      {
        paymentId: randomUUID(),
        transactionId: paid,
        cornerStoreId: store.cornerStoreId,
        principalCents: 90_000,
        outstandingCents: 0,
        outstandingPrincipalCents: 0,
        appliedAt: new Date().toISOString(),
      },
    );
  });

  beforeAll(async () => {
    await owner.query('CREATE TEMP TABLE sound AS SELECT * FROM transactions');
    await owner.query('CREATE TEMP TABLE sound_commissions AS SELECT * FROM commissions');
  });
  afterEach(() =>
    plant(`
      UPDATE transactions t
         SET (interest_cents, iva_cents, owed_cents, paid, status, expires_at)
           = (s.interest_cents, s.iva_cents, s.owed_cents, s.paid, s.status, s.expires_at)
        FROM sound s WHERE s.id = t.id;
      UPDATE commissions c SET (amount_cents, rate) = (s.amount_cents, s.rate)
        FROM sound_commissions s WHERE s.id = c.id`),
  );

  it('all hold after orders were held, delivered and paid', async () => {
    expect(await brokenChecks()).toEqual([]);
  });

  it.each([
    ['an interest', 'interest_cents = interest_cents + 1', /interest and IVA/],
    ['an IVA', 'iva_cents = iva_cents - 1', /interest and IVA/],
    ['a debt that is not in the ledger', 'owed_cents = owed_cents + 1', /owes the sum/],
    ['a paid order that owes', `paid = true, status = 'paid'`, /fully paid/],
    ['an order that is shown as paid and is not', `status = 'paid'`, /fully paid/],
  ])('%s is found', async (_fault, change, name) => {
    await plant(`UPDATE transactions SET ${change} WHERE id = '${delivered}'`);
    expect(await brokenChecks()).toEqual([expect.stringMatching(name)]);
  });

  it('an order that is paid and not shown as paid is found', async () => {
    await plant(`UPDATE transactions SET status = 'delivery' WHERE id = '${paid}'`);
    expect(await brokenChecks()).toEqual([expect.stringMatching(/fully paid/)]);
  });

  it.each(['amount_cents = amount_cents + 1', 'rate = rate + 0.01'])(
    'a commission with %s is found',
    async (change) => {
      await plant(`UPDATE commissions SET ${change} WHERE transaction_id = '${onHold}'`);
      expect(await brokenChecks()).toEqual([expect.stringMatching(/commission/)]);
    },
  );

  it('a hold that stays open past its end is found', async () => {
    await plant(`UPDATE transactions SET expires_at = now() - interval '11 minutes'
                  WHERE id = '${onHold}'`);
    expect(await brokenChecks()).toEqual([expect.stringMatching(/after its expiry/)]);
  });
});
