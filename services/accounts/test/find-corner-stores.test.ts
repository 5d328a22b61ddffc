import { wholesaler } from '@fiado/chassis/testing/callers';
import type { CreditUseQuestion } from '@fiado/contracts/debts';
import type { Answer } from '@fiado/chassis/testing/call';
import { startStandIn, type StandIn } from '@fiado/chassis/testing/stand-in';
import {
  approve,
  customerBody,
  importCustomers,
  createCustomer,
  createWholesaler,
  startAccounts,
  type Accounts,
} from './support/accounts';

describe('corner store lookups', () => {
  let transactions: StandIn;
  /** Cents used, by corner store; a store that is not here has no line. */
  const used = new Map<string, number>();
  /** Every question to transactions. */
  const questions: CreditUseQuestion[] = [];
  let accounts: Accounts;

  beforeAll(async () => {
    transactions = await startStandIn(({ method, path, headers, body }) => {
      const isKnown = method === 'POST' && path === '/internal/credit-use';
      if (!isKnown || headers['x-fiado-caller'] === undefined) return { status: 404 };
      const question = JSON.parse(body) as CreditUseQuestion;
      questions.push(question);
      const lines = question.cornerStoreIds.flatMap((cornerStoreId) => {
        const usedCents = used.get(cornerStoreId);
        return usedCents === undefined ? [] : [{ cornerStoreId, usedCents }];
      });
      return { body: { lines } };
    });
    accounts = await startAccounts({ config: { TRANSACTIONS_URL: transactions.url } });
  });
  afterAll(async () => {
    await accounts.stop();
    await transactions.stop();
  });

  function find(wholesalerId: string, externalId: string): Promise<Answer> {
    const path = `/v1/corner-store/external/${encodeURIComponent(externalId)}`;
    return accounts.call(wholesaler(wholesalerId), 'GET', path);
  }

  function findAll(wholesalerId: string, externalCornerStoreIds: unknown): Promise<Answer> {
    return accounts.call(wholesaler(wholesalerId), 'POST', '/v1/corner-store/external', {
      body: { externalCornerStoreIds, driverId: 'D-1', extra: 'ignored' },
    });
  }

  it('one store is found with its available credit', async () => {
    const { wholesalerId } = await createWholesaler(accounts);
    const customer = await createCustomer(accounts, wholesalerId, {
      externalId: 'Ñandú/1 %',
      creditLimit: 5000,
    });
    await approve(accounts, customer.cornerStoreId);
    const fresh = await find(wholesalerId, 'Ñandú/1 %');
    expect(fresh.status).toBe(200);
    expect(fresh.body).toEqual({
      userId: customer.userId,
      cornerStoreId: customer.cornerStoreId,
      status: 'approved',
      creditLimitAvailable: 5000,
    });

    used.set(customer.cornerStoreId, 123_456);
    expect((await find(wholesalerId, 'Ñandú/1 %')).body.creditLimitAvailable).toBe(3765.44);
    used.set(customer.cornerStoreId, 600_000);
    expect((await find(wholesalerId, 'Ñandú/1 %')).body.creditLimitAvailable).toBe(0);
  });

  it('an overdue store shows as in payment default', async () => {
    const { wholesalerId } = await createWholesaler(accounts);
    const customer = await createCustomer(accounts, wholesalerId);
    await accounts.rows('UPDATE corner_stores SET overdue = true WHERE id = $1', [
      customer.cornerStoreId,
    ]);
    expect((await find(wholesalerId, customer.externalId)).body.status).toBe('pre-approved');
    await approve(accounts, customer.cornerStoreId);
    expect((await find(wholesalerId, customer.externalId)).body.status).toBe('in-payment-default');
  });

  it('a store in manual validation is in internal validation, in a batch it is shown', async () => {
    const { wholesalerId } = await createWholesaler(accounts);
    const customer = await createCustomer(accounts, wholesalerId);
    await accounts.rows(`UPDATE corner_stores SET status = 'in-manual-validation' WHERE id = $1`, [
      customer.cornerStoreId,
    ]);
    const one = await find(wholesalerId, customer.externalId);
    expect([one.status, one.body.errorCode]).toEqual([412, 'USER_IS_IN_INTERNAL_VALIDATION']);
    const { body } = await findAll(wholesalerId, [customer.externalId]);
    expect(body.cornerStores[0].status).toBe('in-manual-validation');
  });

  it("an unknown name and another wholesaler's name are the same 404", async () => {
    const mine = await createWholesaler(accounts);
    const theirs = await createCustomer(accounts, (await createWholesaler(accounts)).wholesalerId);
    const foreign = await find(mine.wholesalerId, theirs.externalId);
    const unknown = await find(mine.wholesalerId, 'nobody');
    expect(foreign.status).toBe(404);
    expect(foreign.body).toEqual(unknown.body);
    expect(foreign.body.errorCode).toBe('CORNER_STORE_NOT_FOUND');
    expect((await find(mine.wholesalerId, 'a\0b')).status).toBe(404);
    expect((await findAll(mine.wholesalerId, [theirs.externalId])).body).toEqual({
      cornerStores: [],
    });
  });

  it('a batch answers in order, once each, and leaves unknown names out', async () => {
    const { wholesalerId } = await createWholesaler(accounts);
    const a = await createCustomer(accounts, wholesalerId, { interestRate: 0.0375 });
    const b = await createCustomer(accounts, wholesalerId);
    used.set(a.cornerStoreId, 50);
    const { status, body } = await findAll(wholesalerId, [
      b.externalId,
      'nobody',
      a.externalId,
      b.externalId,
    ]);

    expect(status).toBe(200);
    expect(body).toEqual({
      cornerStores: [
        expect.objectContaining({ externalId: b.externalId, creditLimitAvailable: 5000 }),
        {
          userId: a.userId,
          cornerStoreId: a.cornerStoreId,
          status: 'pre-approved',
          creditLimitAvailable: 4999.5,
          interestRate: 0.0375,
          externalId: a.externalId,
        },
      ],
    });
  });

  it('five hundred names cost one call to transactions; more are refused', async () => {
    const { wholesalerId } = await createWholesaler(accounts);
    const rows = Array.from({ length: 500 }, () => customerBody());
    expect((await importCustomers(accounts, wholesalerId, rows)).status).toBe(201);
    const names = rows.map((row) => row.externalId);
    const asked = questions.length;
    const { body } = await findAll(wholesalerId, names);

    expect(body.cornerStores.map((one: { externalId: string }) => one.externalId)).toEqual(names);
    expect(questions.length).toBe(asked + 1);
    const more = await findAll(wholesalerId, [...names, 'one more']);
    expect(more.status).toBe(400);
    expect(more.body.message).toEqual([
      'externalCornerStoreIds must contain no more than 500 elements',
    ]);
  });

  it.each(['C-1', undefined, [1], [null], [['C-1']], {}])('refuses the names %j', async (names) => {
    const { wholesalerId } = await createWholesaler(accounts);
    const { status, body } = await findAll(wholesalerId, names);
    expect(status).toBe(400);
    expect(body).toMatchObject({ statusCode: 400, error: 'Bad Request' });
  });

  // Last: transactions does not come back.
  it('while transactions is unavailable, lookups are 503 and unknown names still 404', async () => {
    const { wholesalerId } = await createWholesaler(accounts);
    const { externalId } = await createCustomer(accounts, wholesalerId);
    await transactions.stop();

    const one = await find(wholesalerId, externalId);
    expect([one.status, one.body.errorCode]).toEqual([503, 'SERVICE_UNAVAILABLE']);
    expect(one.headers.get('retry-after')).toBe('2');
    expect((await findAll(wholesalerId, [externalId])).status).toBe(503);
    expect((await find(wholesalerId, 'nobody')).status).toBe(404);
  });
});
