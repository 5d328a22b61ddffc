import type { AccountsSums, InvariantCheck } from '@fiado/contracts/invariants';
import { ops } from '@fiado/chassis/testing/callers';
import {
  approve,
  customerBody,
  importCustomers,
  createCustomer,
  type Accounts,
  startAccountsWithWholesaler,
} from './support/accounts';
import { documentOf, INFORMATION, createVerification, takeStep } from './support/onboarding';

const PATH = '/v1/admin/invariants/accounts';

describe('invariants', () => {
  let accounts: Accounts;
  let wholesalerId: string;

  beforeAll(async () => {
    ({ accounts, wholesalerId } = await startAccountsWithWholesaler());
  });
  afterAll(() => accounts.stop());

  async function broken(): Promise<string[]> {
    const { status, body } = await accounts.call(ops(), 'GET', PATH);
    expect(status).toBe(200);
    const { service, checks } = body as { service: string; checks: InvariantCheck[] };
    expect(service).toBe('accounts');
    expect(checks.length).toBeGreaterThan(5);
    expect(checks.every((check) => check.holds === (check.violations.length === 0))).toBe(true);
    return checks.filter((check) => !check.holds).map((check) => check.name);
  }

  it('hold after the API was used', async () => {
    const customer = await createCustomer(accounts, wholesalerId);
    const verificationId = await createVerification(accounts, wholesalerId, customer);
    const ids = { userId: customer.userId, verificationId };
    for (const body of [
      { document: await documentOf('jpeg') },
      { step: 'CORNER_STORE_INFORMATION', information: INFORMATION },
      { step: 'COMPLETED' },
    ]) {
      expect((await takeStep(accounts, wholesalerId, ids, { body })).status).toBe(200);
    }
    expect(await broken()).toEqual([]);
  });

  it.each([
    [`onboarding_steps = '{STORE_IMAGE}'`, 'each completed image step'],
    [`onboarding_steps = '{CORNER_STORE_INFORMATION}'`, 'each completed information step'],
    [`status = 'in-manual-validation'`, 'each corner store in manual validation'],
  ])('one is broken by %s', async (damage, name) => {
    const { cornerStoreId } = await createCustomer(accounts, wholesalerId);
    await accounts.rows(`UPDATE corner_stores SET ${damage} WHERE id = $1`, [cornerStoreId]);
    expect(await broken()).toEqual([expect.stringContaining(name)]);
    await accounts.rows(
      `UPDATE corner_stores SET onboarding_steps = '{}', status = 'pre-approved', version = 1
        WHERE id = $1`,
      [cornerStoreId],
    );
    expect(await broken()).toEqual([]);
  });

  it('are violated by a second pending verification and by a store without customers', async () => {
    const customer = await createCustomer(accounts, wholesalerId);
    await createVerification(accounts, wholesalerId, customer);
    await createVerification(accounts, wholesalerId, customer);
    expect(await broken()).toEqual([expect.stringContaining('one pending verification')]);
    await accounts.rows('DELETE FROM customers WHERE corner_store_id = $1', [
      customer.cornerStoreId,
    ]);
    expect(await broken()).toHaveLength(3);
  });

  it('every store is listed once, page by page in the order of the ids', async () => {
    const rows = Array.from({ length: 7 }, () => customerBody({ interestRate: 0.05 }));
    const { body } = await importCustomers(accounts, wholesalerId, rows);
    await approve(accounts, body.customers[0].cornerStoreId);
    const [counted] = await accounts.rows('SELECT count(*) AS stores FROM corner_stores');
    const seen: AccountsSums[] = [];
    let query = 'limit=3';
    for (;;) {
      const page = await accounts.call(ops(), 'GET', `${PATH}/corner-stores?${query}`);
      seen.push(...page.body.cornerStores);
      if (page.body.nextCursor === null) break;
      expect(page.body.cornerStores).toHaveLength(3);
      query = `limit=3&cursor=${page.body.nextCursor}`;
    }
    const ids = seen.map((store) => store.cornerStoreId);
    expect(ids).toEqual(ids.toSorted());
    expect(new Set(ids).size).toBe(counted?.stores);
    expect(seen).toContainEqual({
      cornerStoreId: body.customers[0].cornerStoreId,
      userId: expect.any(String),
      version: 2,
      phoneDigest: expect.stringMatching(/^[\da-f]{32}$/),
      creditLimitCents: 500_000,
      interestRate: '0.05',
      status: 'approved',
      overdue: false,
      overdueVersion: 0,
      customersDigest: expect.stringMatching(/^[\da-f]{32}$/),
      settingsDigest: expect.stringMatching(/^[\da-f]{32}$/),
    });
  });

  it('are checked in ranges, from where the last one ended', async () => {
    const whole = await accounts.call(ops(), 'GET', PATH);
    const names = new Set<string>();
    let rows = 0;
    let ranges = 0;
    for (let next: string | null = ''; next !== null; ranges += 1) {
      const from = next === '' ? '' : `&from=${next}`;
      const { body } = await accounts.call(ops(), 'GET', `${PATH}?limit=2${from}`);
      for (const check of body.checks) names.add(check.name);
      expect(body.done).toBeGreaterThanOrEqual(0);
      rows += body.rows;
      next = body.next;
    }
    expect(ranges).toBeGreaterThan(3);
    expect(rows).toBe(whole.body.rows);
    expect(names.size).toBe(whole.body.checks.length);
  });

  it.each(['from=x', 'from=orders:x', 'since=yesterday', 'limit=0'])(
    'the range %s is refused',
    async (range) => {
      expect((await accounts.call(ops(), 'GET', `${PATH}?${range}`)).status).toBe(400);
    },
  );

  it.each(['limit=0', 'limit=1001', 'limit=x', 'cursor=x', 'since=2026-02-31'])(
    'the page %s is refused',
    async (page) => {
      expect((await accounts.call(ops(), 'GET', `${PATH}/corner-stores?${page}`)).status).toBe(400);
    },
  );
});
