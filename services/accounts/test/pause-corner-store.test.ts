import { service, wholesaler } from '@fiado/chassis/testing/callers';
import { until } from '@fiado/chassis/testing/until';
import {
  type Accounts,
  createCustomer,
  type Customer,
  publishedSnapshots,
  startAccountsWithWholesaler,
} from './support/accounts';
import { approveChange, person } from './support/change-requests';
import { smsAbout } from './support/sms';

let accounts: Accounts;
let wholesalerId: string;
let customer: Customer;
const ana = person('approver');
const luis = person('approver');

beforeAll(async () => {
  ({ accounts, wholesalerId } = await startAccountsWithWholesaler());
});
beforeEach(async () => {
  customer = await createCustomer(accounts, wholesalerId);
  await act('approve', person(), { reason: 'Visitada' });
});
afterAll(() => accounts.stop());

const act = (verb: string, by = ana, body?: object) =>
  accounts.call(by, 'POST', `/v1/admin/corner-stores/${customer.cornerStoreId}/${verb}`, {
    ...(body !== undefined && { body }),
  });
const pause = (by = ana) => act('pause', by, { reason: 'stolen-phone' });
const list = async (query: string): Promise<string[]> => {
  const { body } = await accounts.call(ana, 'GET', `/v1/admin/corner-stores?${query}`);
  return body.cornerStores.map((store: { cornerStoreId: string }) => store.cornerStoreId);
};

it('a paused store is in manual validation to everybody, and keeps who paused it and why', async () => {
  const { status, body } = await pause(person('operator'));
  expect([status, body.status]).toEqual([200, 'in-manual-validation']);
  expect(body.paused).toMatchObject({ reason: 'stolen-phone', at: expect.stringMatching(/Z$/) });
  const newest = (await publishedSnapshots(accounts, customer.cornerStoreId)).at(-1);
  expect(newest?.status).toBe('in-manual-validation');
  const looked = await accounts.call(
    wholesaler(wholesalerId),
    'GET',
    `/v1/corner-store/external/${customer.externalId}`,
  );
  expect(looked.body.errorCode).toBe('USER_IS_IN_INTERNAL_VALIDATION');
  expect(await list('paused=true')).toContain(customer.cornerStoreId);
  expect(await list('status=in-manual-validation')).not.toContain(customer.cornerStoreId);
  const [audited] = await accounts.rows<{ details: object }>(
    `SELECT details FROM audit_log WHERE object_id = $1 AND action = 'corner-store.paused'`,
    [customer.cornerStoreId],
  );
  expect(audited?.details).toMatchObject({ reason: 'stolen-phone' });
  expect((await act('pause', ana, { reason: 'bored' })).status).toBe(400);
});

it('a pause stays as it is when somebody pauses again, approves or rejects', async () => {
  await pause();
  expect((await pause(luis)).body.paused.by).toBe(ana.id);
  expect((await act('approve', luis)).body.errorCode).toBe('CORNER_STORE_IS_PAUSED');
  expect((await act('reject', luis, { reason: 'x' })).body.errorCode).toBe(
    'CORNER_STORE_IS_PAUSED',
  );
});

it('a paused store gets no code of its account page', async () => {
  const visit = async (): Promise<number> => {
    const body = { phone: customer.phoneNumber, address: '198.51.100.7' };
    const path = '/internal/account-visits/start';
    expect((await accounts.call(service('gateway'), 'POST', path, { body })).status).toBe(200);
    return (await smsAbout(accounts, customer.userId)).length;
  };
  const sent = await visit();
  expect(sent).toBeGreaterThan(0);
  await pause();
  expect(await visit()).toBe(sent);
});

it('another person lifts a pause at once, and the store is what it was', async () => {
  await pause();
  expect((await act('resume', person('operator'))).status).toBe(403);
  const { status, body } = await act('resume', luis, { reason: 'Vino a la oficina' });
  expect([status, body.status, body.paused]).toEqual([200, 'approved', null]);
  expect((await act('resume', luis)).status).toBe(200);
});

it('the request of who paused it waits for another person', async () => {
  await pause();
  const asked = await act('resume', ana);
  expect(asked.status).toBe(202);
  const { changeRequestId } = asked.body;
  expect((await approveChange(accounts, changeRequestId, ana)).status).toBe(403);
  expect((await approveChange(accounts, changeRequestId, luis)).status).toBe(200);
  await until(
    'the pause is lifted',
    async () => !(await list('paused=true')).includes(customer.cornerStoreId),
  );
  expect(await list('status=approved')).toContain(customer.cornerStoreId);
});

it('a request to lift a pause ends when another person lifts it', async () => {
  await pause();
  const { changeRequestId } = (await act('resume', ana)).body;
  await act('resume', luis);
  await pause();
  expect((await approveChange(accounts, changeRequestId, luis)).status).toBe(409);
  expect(await list('paused=true')).toContain(customer.cornerStoreId);
});
