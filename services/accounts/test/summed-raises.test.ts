import type { Caller } from '@fiado/contracts/caller';
import { ops } from '@fiado/chassis/testing/callers';
import type { Answer } from '@fiado/chassis/testing/call';
import { forAllTests } from '../../../test/support/for-all-tests';
import { createCustomer, createWholesaler, startAccounts } from './support/accounts';
import {
  approveChange,
  changeEnded,
  person,
  shownChange,
  updateStore,
} from './support/change-requests';

const accounts = forAllTests(startAccounts);
let wholesalerId: string;
beforeAll(async () => {
  ({ wholesalerId } = await createWholesaler(accounts));
});

const ana = person();

/** A store with an imported limit of 10,000 pesos. */
const newStore = async (): Promise<string> =>
  (await createCustomer(accounts, wholesalerId, { creditLimit: 10_000 })).cornerStoreId;

const set = (cornerStoreId: string, creditLimit: number, by: Caller = ana): Promise<Answer> =>
  updateStore(accounts, by, cornerStoreId, { creditLimit, confirmed: true });

async function statusesOf(cornerStoreId: string, limits: number[], by?: Caller): Promise<number[]> {
  const statuses: number[] = [];
  for (const limit of limits) statuses.push((await set(cornerStoreId, limit, by)).status);
  return statuses;
}

/** Approves the change that waits and makes it. */
async function approved(answer: Answer): Promise<void> {
  expect(answer.status).toBe(202);
  const { changeRequestId: id } = answer.body;
  expect((await approveChange(accounts, id)).status).toBe(200);
  await changeEnded(accounts, id);
  expect(await shownChange(accounts, id)).toMatchObject({ status: 'executed' });
}

async function limitOf(cornerStoreId: string): Promise<number> {
  const path = `/v1/admin/corner-stores/${cornerStoreId}`;
  return (await accounts.call(ana, 'PUT', path, { body: {} })).body.creditLimit;
}

describe('raises by one person', () => {
  it('are summed over all people since the import: 25 % in all, then a second person', async () => {
    const store = await newStore();
    expect(await statusesOf(store, [11_000])).toEqual([200]);
    expect(await statusesOf(store, [12_000, 12_500], person())).toEqual([200, 200]);
    const answer = await set(store, 12_500.01, person());
    expect(answer.status).toBe(202);
    expect(await shownChange(accounts, answer.body.changeRequestId)).toMatchObject({
      before: {
        creditLimitCents: 1_250_000,
        approvedLimitCents: 1_000_000,
        raisedAloneCents: 250_000,
      },
      after: { creditLimitCents: 1_250_001 },
      explanation: expect.stringContaining('in sum since two of them last approved it'),
    });
    expect(await limitOf(store)).toBe(12_500);
  });

  it('are summed beyond 10,000 pesos of a large limit too', async () => {
    const { cornerStoreId } = await createCustomer(accounts, wholesalerId, {
      creditLimit: 1_000_000,
    });
    expect(await statusesOf(cornerStoreId, [1_006_000, 1_010_000, 1_010_001])).toEqual([
      200, 200, 202,
    ]);
  });

  it('are not forgotten by lowering the limit in between', async () => {
    const store = await newStore();
    const limits = [12_000, 11_000, 11_500, 11_000, 11_000.01];
    expect(await statusesOf(store, limits)).toEqual([200, 200, 200, 200, 202]);
  });

  it('begin anew when two people approve a limit, and not when they approve a rate', async () => {
    const store = await newStore();
    expect(await statusesOf(store, [12_500])).toEqual([200]);
    await approved(await updateStore(accounts, ana, store, { interestRate: 0.04 }));
    await approved(await set(store, 20_000));
    expect(await statusesOf(store, [25_000, 25_001])).toEqual([200, 202]);
  });

  it('stay summed when a key raises the limit, whose raise is added to what was approved', async () => {
    const store = await newStore();
    expect(await statusesOf(store, [12_500])).toEqual([200]);
    expect(await statusesOf(store, [14_500], ops())).toEqual([200]);
    expect(await statusesOf(store, [15_000, 15_000.01])).toEqual([200, 202]);
  });

  it('that run in parallel with lower limits pass 25 % in sum, and no more', async () => {
    const store = await newStore();
    const people = Array.from({ length: 12 }, () => person());
    await Promise.all(people.map((by, at) => set(store, at % 2 === 0 ? 11_000 : 10_000, by)));
    const raises = await accounts.rows<{ cents: number }>(
      `SELECT (details->'after'->>'creditLimitCents')::bigint
              - (details->'before'->>'creditLimitCents')::bigint AS cents
         FROM audit_log WHERE object_id = $1 AND action = 'corner-store.changed'`,
      [store],
    );
    const raisedCents = raises.reduce((sum, { cents }) => sum + Math.max(0, cents), 0);
    expect(raisedCents).toBeLessThanOrEqual(250_000);
    const [kept] = await accounts.rows<{ raised_alone_cents: number }>(
      'SELECT raised_alone_cents FROM corner_stores WHERE id = $1',
      [store],
    );
    expect(kept?.raised_alone_cents).toBe(raisedCents);
  });

  it('count for keys too with FOUR_EYES=all', async () => {
    const { config } = accounts.context;
    const store = await newStore();
    Object.assign(config, { FOUR_EYES: 'all' });
    try {
      expect(await statusesOf(store, [12_500, 12_500.01], ops())).toEqual([200, 202]);
    } finally {
      Object.assign(config, { FOUR_EYES: 'staff' });
    }
  });
});
