import { randomUUID } from 'node:crypto';
import { rowsOfAll } from '@fiado/chassis/testing/all-pages';
import { inFlight } from '@fiado/chassis/testing/in-flight';
import { ops } from '@fiado/chassis/testing/callers';
import type { Answer } from '@fiado/chassis/testing/call';
import {
  approve,
  customerBody,
  importCustomers,
  createCustomer,
  createWholesaler,
  type Accounts,
  type Customer,
  startAccountsWithWholesaler,
  publishedSnapshots,
} from './support/accounts';
import { smsAbout } from './support/sms';

describe('corner stores for ops', () => {
  let accounts: Accounts;
  let wholesalerId: string;
  let customer: Customer;

  beforeAll(async () => {
    ({ accounts, wholesalerId } = await startAccountsWithWholesaler());
  });
  beforeEach(async () => {
    customer = await createCustomer(accounts, wholesalerId, { creditLimit: 3000 });
  });
  afterAll(() => accounts.stop());

  function act(action: string, body?: object): Promise<Answer> {
    const path = `/v1/admin/corner-stores/${customer.cornerStoreId}${action}`;
    return accounts.call(ops(), action === '' ? 'PUT' : 'POST', path, { body });
  }

  const events = () => publishedSnapshots(accounts, customer.cornerStoreId);

  it('approval is published, and a repetition has no effect', async () => {
    const answer = await approve(accounts, customer.cornerStoreId);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      cornerStoreId: customer.cornerStoreId,
      userId: customer.userId,
      status: 'approved',
      creditLimit: 3000,
      interestRate: 0.05,
      rejectionReason: null,
      approvalReason: null,
      paused: null,
      pendingChange: null,
      timeZone: null,
      firstName: customer.firstName,
      lastNames: customer.lastNames,
      phoneNumber: customer.phoneNumber,
      cornerStoreName: null,
      information: null,
      completedSteps: [],
      missingSteps: expect.arrayContaining(['SELFIE_IMAGE', 'COMPLETED']),
      customers: [{ wholesalerId, externalId: customer.externalId, phoneHeldUntil: null }],
      createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
      blockedAt: null,
      erasedAt: null,
    });
    expect((await approve(accounts, customer.cornerStoreId)).body).toEqual(answer.body);
    expect((await events()).map((event) => event.status)).toEqual(['pre-approved', 'approved']);
    expect(await smsAbout(accounts, customer.userId)).toEqual([
      expect.objectContaining({
        template: 'store-approved',
        phone: customer.phoneNumber,
        values: { creditLimitCents: 300_000 },
      }),
    ]);
  });

  it('rejection stores its reason and sets the limit to 0; a later approval removes the reason', async () => {
    await accounts.rows(`UPDATE corner_stores SET status = 'in-manual-validation' WHERE id = $1`, [
      customer.cornerStoreId,
    ]);
    const { status, body } = await act('/reject', { reason: 'The photos show another shop' });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      status: 'pre-approved',
      creditLimit: 0,
      rejectionReason: 'The photos show another shop',
    });
    expect((await events()).at(-1)).toMatchObject({ status: 'pre-approved', creditLimitCents: 0 });
    expect((await act('/reject', {})).status).toBe(400);
    expect((await approve(accounts, customer.cornerStoreId)).body).toMatchObject({
      status: 'approved',
      rejectionReason: null,
    });
  });

  it('only the named ones of limit and rate change', async () => {
    expect((await act('', { creditLimit: 99.99 })).body).toMatchObject({
      creditLimit: 99.99,
      interestRate: 0.05,
    });
    expect((await act('', { interestRate: 0.000001 })).body).toMatchObject({
      creditLimit: 99.99,
      interestRate: 0.000001,
    });
    expect((await events()).at(-1)).toMatchObject({
      creditLimitCents: 9999,
      interestRate: '0.000001',
    });
    const before = (await events()).length;
    expect((await act('', {})).status).toBe(200);
    for (const body of [
      { creditLimit: -1 },
      { creditLimit: '5' },
      { interestRate: 1e-7 },
      { interestRate: 5 },
      { status: 'approved' },
    ]) {
      expect((await act('', body)).status).toBe(400);
    }
    expect(await events()).toHaveLength(before);
  });

  it('parallel changes are published under different versions, the last with the final state', async () => {
    const answers = await inFlight(
      Array.from({ length: 20 }, (_, i) => () => act('', { creditLimit: i + 1 })),
    );
    // On a busy machine, some wait for the row of the store longer than a statement may.
    const made = answers.filter(({ status }) => status === 200).length;
    expect(made).toBeGreaterThan(1);
    const told = await events();
    expect(told).toHaveLength(1 + made);
    const [row] = await accounts.rows(
      'SELECT version, credit_limit_cents FROM corner_stores WHERE id = $1',
      [customer.cornerStoreId],
    );
    expect(row?.version).toBe(1 + made);
    expect(told.at(-1)?.creditLimitCents).toBe(row?.credit_limit_cents);
  });

  it('of twenty parallel approvals, one is published', async () => {
    const answers = await inFlight(
      Array.from({ length: 20 }, () => () => approve(accounts, customer.cornerStoreId)),
    );
    expect(answers.every((answer) => answer.status === 200)).toBe(true);
    expect((await events()).map((event) => event.status)).toEqual(['pre-approved', 'approved']);
  });

  it('an unknown store is not found', async () => {
    for (const id of [randomUUID(), 'x']) {
      const path = `/v1/admin/corner-stores/${id}`;
      for (const answer of [
        await accounts.call(ops(), 'PUT', path, { body: { creditLimit: 1 } }),
        await accounts.call(ops(), 'POST', `${path}/approve`),
        await accounts.call(ops(), 'POST', `${path}/reject`, { body: { reason: 'r' } }),
      ]) {
        expect([answer.status, answer.body.errorCode]).toEqual([404, 'CORNER_STORE_NOT_FOUND']);
      }
    }
  });

  describe('list', () => {
    function list(query: Record<string, string>): Promise<Answer> {
      return accounts.call(
        ops(),
        'GET',
        `/v1/admin/corner-stores?${new URLSearchParams(query).toString()}`,
      );
    }

    it('pages through every store of a wholesaler once', async () => {
      const own = (await createWholesaler(accounts)).wholesalerId;
      const rows = Array.from({ length: 230 }, () => customerBody());
      await importCustomers(accounts, own, rows);
      let pages = 0;
      const seen = await rowsOfAll('cornerStores', (cursor) => {
        pages += 1;
        return accounts.call(ops(), 'GET', `/v1/admin/corner-stores?wholesalerId=${own}${cursor}`);
      });
      expect(pages).toBe(3);
      expect(new Set(seen.map(({ cornerStoreId }) => cornerStoreId)).size).toBe(230);
    });

    it('filters by the status that is shown, newest first', async () => {
      const own = (await createWholesaler(accounts)).wholesalerId;
      const stores = [
        await createCustomer(accounts, own),
        await createCustomer(accounts, own),
        await createCustomer(accounts, own),
      ];
      const [a, b, c] = stores.map((one) => one.cornerStoreId) as [string, string, string];
      await approve(accounts, a);
      await approve(accounts, b);
      await accounts.rows('UPDATE corner_stores SET overdue = true WHERE id = $1', [b]);
      const ids = async (query: Record<string, string>): Promise<string[]> =>
        (await list({ wholesalerId: own, ...query })).body.cornerStores.map(
          (one: { cornerStoreId: string }) => one.cornerStoreId,
        );

      expect(await ids({})).toEqual([c, b, a]);
      expect(await ids({ status: 'approved' })).toEqual([a]);
      expect(await ids({ status: 'in-payment-default' })).toEqual([b]);
      expect(await ids({ status: 'pre-approved' })).toEqual([c]);
    });

    it.each([{ status: 'happy' }, { wholesalerId: '1' }, { cursor: 'x' }, { cursor: '' }])(
      'refuses %j',
      async (query) => {
        expect((await list(query as unknown as Record<string, string>)).status).toBe(400);
      },
    );
  });
});
