import { randomUUID } from 'node:crypto';
import { defaultsChanged } from '@fiado/contracts/jobs/debts';
import { ops, wholesaler } from '@fiado/chassis/testing/callers';
import { until } from '@fiado/chassis/testing/until';
import type { Answer } from '@fiado/chassis/testing/call';
import {
  importCustomers,
  customerBody,
  createCustomer,
  newPhone,
  createWholesaler,
  startAccounts,
  type Accounts,
  startAccountsWithWholesaler,
} from './support/accounts';
import { lastCode } from './support/sms';
import { verificationOf } from './support/verification';

let accounts: Accounts;
let wholesalerId: string;
beforeAll(async () => {
  ({ accounts, wholesalerId } = await startAccountsWithWholesaler());
});
afterAll(() => accounts.stop());

const create = (body?: object, headers: Record<string, string> = {}): Promise<Answer> =>
  accounts.call(wholesaler(wholesalerId), 'POST', '/v1/sandbox/customers', { body, headers });
const detailsOf = async (cornerStoreId: string) => {
  const path = `/v1/admin/corner-stores?wholesalerId=${wholesalerId}`;
  const { body } = await accounts.call(ops(), 'GET', path);
  return body.cornerStores.find((store: { cornerStoreId: string }) => {
    return store.cornerStoreId === cornerStoreId;
  });
};

describe('POST /v1/sandbox/customers', () => {
  it('creates an approved customer, answered as the import answers it', async () => {
    const { status, body } = await create();
    expect([status, body]).toEqual([
      201,
      {
        externalId: expect.stringMatching(/^sandbox-/),
        userId: expect.any(String),
        cornerStoreId: expect.any(String),
        status: 'approved',
      },
    ]);
    expect(await detailsOf(body.cornerStoreId)).toMatchObject({
      status: 'approved',
      creditLimit: 10_000,
    });
    const published = await accounts.outbox('corner-store.changed');
    expect(published.at(-1)).toMatchObject({
      aggregate_id: body.cornerStoreId,
      data: { status: 'approved', creditLimitCents: 1_000_000 },
    });
  });

  it.each(['pre-approved', 'in-manual-validation', 'approved'])(
    'creates one that is %s',
    async (status) => {
      const externalId = randomUUID();
      const { body } = await create({
        externalId,
        status,
        creditLimit: 0,
        phoneNumber: newPhone(),
      });
      expect(body).toMatchObject({ externalId, status });
      expect(await detailsOf(body.cornerStoreId)).toMatchObject({ status, creditLimit: 0 });
    },
  );

  it('creates one in default as approved, with a job for payments, and answers when it is in default', async () => {
    const answer = create({ status: 'in-payment-default', creditLimit: 100 });
    const jobs = () => accounts.outbox('open-sandbox-default');
    await until('payments has a job', async () => (await jobs()).length > 0);
    const [job] = await jobs();
    expect(job).toMatchObject({ queue: 'payments', data: { wholesalerId, amountCents: 10_000 } });
    const { cornerStoreId } = (job as { data: { cornerStoreId: string } }).data;
    expect(await detailsOf(cornerStoreId)).toMatchObject({ status: 'approved' });
    const overdue = { cornerStoreId, overdueCount: 1, oldestDueAt: '2026-11-01T05:59:59.999Z' };
    const data = { ...overdue, opened: [], closed: [] };
    await accounts.handle(defaultsChanged, { id: cornerStoreId, version: 1 }, data);

    const { status, body } = await answer;
    expect([status, body]).toMatchObject([201, { cornerStoreId, status: 'in-payment-default' }]);
    expect(await detailsOf(cornerStoreId)).toMatchObject({ status: 'in-payment-default' });

    const poor = await create({ status: 'in-payment-default', creditLimit: 99.99 });
    expect([poor.status, poor.body.message]).toEqual([
      400,
      ['creditLimit must be at least 100 for a customer in default'],
    ]);
  });

  it('refuses the phone and the externalId of another customer, and links no store', async () => {
    const other = await createWholesaler(accounts);
    const neighbour = await createCustomer(accounts, other.wholesalerId);
    const own = await createCustomer(accounts, wholesalerId);
    for (const body of [
      { phoneNumber: neighbour.phoneNumber, status: 'in-manual-validation' },
      { phoneNumber: own.phoneNumber },
      { externalId: own.externalId },
    ]) {
      const answer = await create(body);
      expect([answer.status, answer.body.errorCode]).toEqual([409, 'CUSTOMER_CONFLICT']);
    }
    expect(await detailsOf(neighbour.cornerStoreId)).toBeUndefined();
  });

  it('happens once for an Idempotency-Key, and refuses a bad body', async () => {
    const key = { 'idempotency-key': randomUUID() };
    expect((await create({}, key)).text).toBe((await create({}, key)).text);
    for (const body of [{ status: 'paid' }, { creditLimit: -1 }, { phoneNumber: '1' }, { x: 1 }]) {
      expect((await create(body)).status).toBe(400);
    }
  });

  it('does not exist in production, where no number has a fixed code', async () => {
    const production = await startAccounts({
      config: { FIADO_MODE: 'production', PUBLIC_URL: 'https://fiado.test' },
    });
    try {
      const made = await createWholesaler(production);
      const caller = wholesaler(made.wholesalerId);
      for (const body of [{}, { creditLimit: -1 }]) {
        const answer = await production.call(caller, 'POST', '/v1/sandbox/customers', { body });
        expect([answer.status, answer.body.errorCode]).toEqual([404, 'ROUTE_NOT_FOUND']);
      }
      const customer = customerBody({ phoneNumber: '+525500000001' });
      const imported = await importCustomers(production, made.wholesalerId, [customer]);
      const { userId, cornerStoreId } = imported.body.customers[0];
      await verificationOf(production, made.wholesalerId, {
        ...customer,
        userId,
        cornerStoreId,
      }).started();
      expect(await lastCode(production, userId)).not.toBe('123456');
    } finally {
      await production.stop();
    }
  });
});

it('a number of the sandbox has the code 123456, also when it is sent again', async () => {
  const { body } = await create({ status: 'pre-approved', phoneNumber: '+525500000001' });
  const customer = { ...customerBody(), ...body, phoneNumber: '+525500000001' };
  const calls = verificationOf(accounts, wholesalerId, customer);
  const verificationId = await calls.started();
  await accounts.rows('UPDATE verifications SET expires_at = now() WHERE id = $1', [
    verificationId,
  ]);
  expect((await calls.resend(verificationId)).status).toBe(200);
  expect(await lastCode(accounts, body.userId)).toBe('123456');
  const [sms] = (await accounts.outbox('send-message')).slice(-1);
  expect(sms?.data).toMatchObject({ verificationId });

  expect((await calls.confirm(verificationId, { code: '654321' })).status).toBe(422);
  expect((await calls.confirm(verificationId, { code: '123456' })).status).toBe(200);
});
