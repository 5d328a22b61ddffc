import { ops } from '@fiado/chassis/testing/callers';
import type { Answer } from '@fiado/chassis/testing/call';
import { until } from '@fiado/chassis/testing/until';
import { forAllTests } from '../../../test/support/for-all-tests';
import { createCustomer, createWholesaler, startAccounts } from './support/accounts';
import { approveChange, person, shownChange, updateStore } from './support/change-requests';

const accounts = forAllTests(startAccounts);
let wholesalerId: string;
beforeAll(async () => {
  ({ wholesalerId } = await createWholesaler(accounts));
});

const ana = person();

/** A store with an imported limit of 10,000 pesos. */
const newStore = async (): Promise<string> =>
  (await createCustomer(accounts, wholesalerId, { creditLimit: 10_000 })).cornerStoreId;

const set = (cornerStoreId: string, creditLimit: number, by = ana): Promise<Answer> =>
  updateStore(accounts, by, cornerStoreId, { creditLimit, confirmed: true });

/** The limit, read by a change that names nothing. */
const limitOf = async (store: string): Promise<number> =>
  (await updateStore(accounts, ops(), store, {})).body.creditLimit;

const finished = (id: string): Promise<void> =>
  until('it is over', async () => {
    const { status } = await shownChange(accounts, id);
    return status === 'failed' || status === 'executed';
  });

describe('while a raise waits', () => {
  const waiting = async (): Promise<{ store: string; id: string }> => {
    const store = await newStore();
    const answer = await set(store, 20_000);
    expect(answer.status).toBe(202);
    return { store, id: answer.body.changeRequestId };
  };

  it('no other raise by a person passes, however small', async () => {
    const { store, id } = await waiting();
    for (const by of [ana, person()]) {
      expect(await set(store, 10_100, by)).toMatchObject({
        status: 409,
        body: { errorCode: 'CHANGE_ALREADY_REQUESTED', changeRequestId: id },
      });
    }
    expect(await limitOf(store)).toBe(10_000);
  });

  it.each([
    ['a lower limit', (store: string) => set(store, 9000)],
    [
      'a rejection',
      (store: string) =>
        accounts.call(person(), 'POST', `/v1/admin/corner-stores/${store}/reject`, {
          body: { reason: 'Closed' },
        }),
    ],
  ])('%s counts at once and ends it: nobody can approve it', async (_what, lower) => {
    const { store, id } = await waiting();
    expect((await lower(store)).status).toBe(200);
    expect(await shownChange(accounts, id)).toMatchObject({
      status: 'failed',
      failure: 'CHANGE_TARGET_CHANGED',
      decidedBy: null,
    });
    expect(await approveChange(accounts, id)).toMatchObject({
      status: 409,
      body: { errorCode: 'CHANGE_TARGET_CHANGED' },
    });
    expect(await limitOf(store)).toBeLessThan(10_000);
    const again = await set(store, 20_000);
    expect([again.status, again.body.changeRequestId === id]).toEqual([202, false]);
  });

  it('the same terms again change nothing, and it goes on waiting', async () => {
    const { store, id } = await waiting();
    expect((await set(store, 10_000)).status).toBe(200);
    expect((await approveChange(accounts, id)).status).toBe(200);
    await finished(id);
    expect(await limitOf(store)).toBe(20_000);
  });

  it('a decision and a lower limit at once: never both count', async () => {
    const { store, id } = await waiting();
    await Promise.all([approveChange(accounts, id), set(store, 5000)]);
    await finished(id);
    expect(await limitOf(store)).toBe(5000);
  });

  it('one of an earlier version of the store does not stand in the way of the next', async () => {
    const { store, id } = await waiting();
    await accounts.rows('UPDATE corner_stores SET version = version + 1 WHERE id = $1', [store]);
    const next = await set(store, 20_000);
    expect([next.status, next.body.changeRequestId === id]).toEqual([202, false]);
    expect(await shownChange(accounts, id)).toMatchObject({ failure: 'CHANGE_TARGET_CHANGED' });
  });
});

it('a rejected store does not get its limit back from one person', async () => {
  const store = await newStore();
  const path = `/v1/admin/corner-stores/${store}/reject`;
  await accounts.call(ana, 'POST', path, { body: { reason: 'Closed' } });
  expect((await set(store, 100)).status).toBe(202);
});
