import { ops, wholesaler } from '@fiado/chassis/testing/callers';
import type { Answer } from '@fiado/chassis/testing/call';
import type { Caller } from '@fiado/contracts/caller';
import {
  createCustomer,
  createWholesaler,
  newPhone,
  startAccountsWithWholesaler,
  type Accounts,
  type Customer,
} from './support/accounts';
import { approveChange, changeEnded, person, shownChange } from './support/change-requests';

const REQUESTS = '/v1/admin/privacy-requests';

let accounts: Accounts;
let wholesalerId: string;
let customer: Customer;
beforeAll(async () => {
  ({ accounts, wholesalerId } = await startAccountsWithWholesaler());
});
beforeEach(async () => {
  customer = await createCustomer(accounts, wholesalerId);
});
afterAll(() => accounts.stop());

const ana = person();
const luis = person();
const eva = person();

async function opened(kind: string): Promise<string> {
  const { userId } = customer;
  const body = { userId, kind, channel: 'email', identityProof: 'official-id' };
  return (await accounts.call(ops(), 'POST', REQUESTS, { body })).body.privacyRequestId;
}

const grant = (id: string, more: object = {}, by: Caller = ana): Promise<Answer> =>
  accounts.call(by, 'POST', `${REQUESTS}/${id}/answer`, { body: { outcome: 'granted', ...more } });
const statusOf = async (id: string): Promise<string> =>
  (await accounts.call(ops(), 'GET', `${REQUESTS}/${id}`)).body.status;
const storeSeen = async () => {
  const path = `/v1/admin/corner-stores/${customer.cornerStoreId}`;
  return (await accounts.call(ops(), 'GET', path)).body.cornerStore;
};
const clearHold = (by: Caller): Promise<Answer> =>
  accounts.call(by, 'POST', `/v1/admin/corner-stores/${customer.cornerStoreId}/clear-phone-hold`);

async function decided(answer: Answer, by: Caller = luis): Promise<string> {
  expect(answer.status).toBe(202);
  const { changeRequestId } = answer.body;
  expect((await approveChange(accounts, changeRequestId, ana)).body.errorCode).toBe(
    'SECOND_PERSON_REQUIRED',
  );
  expect((await approveChange(accounts, changeRequestId, by)).status).toBe(200);
  await changeEnded(accounts, changeRequestId);
  return changeRequestId;
}

it('one person moves no phone: a correction of it waits, and no answer shows the number', async () => {
  const other = await createWholesaler(accounts);
  await createCustomer(accounts, other.wholesalerId, { phoneNumber: customer.phoneNumber });
  const phoneNumber = newPhone();
  const id = await opened('rectification');
  const asked = await grant(id, { corrections: { phoneNumber, lastNames: 'Ortega' } });
  expect(await statusOf(id)).toBe('open');
  expect((await grant(id, { corrections: { phoneNumber, lastNames: 'Ortega' } })).body).toEqual(
    asked.body,
  );
  const shown = JSON.stringify(await shownChange(accounts, asked.body.changeRequestId));
  expect(shown).not.toContain(phoneNumber);
  expect(shown).not.toContain('Ortega');
  expect(await storeSeen()).toMatchObject({ phoneNumber: customer.phoneNumber });

  const changeRequestId = await decided(asked);
  expect(await storeSeen()).toMatchObject({ phoneNumber, lastNames: 'Ortega' });
  expect(await statusOf(id)).toBe('done');
  expect(
    await accounts.rows('SELECT sealed_payload FROM change_requests WHERE id = $1', [
      changeRequestId,
    ]),
  ).toEqual([{ sealed_payload: null }]);

  // Who asked for the change, and who approved it, does not lift its hold alone.
  const held = async () => (await storeSeen()).customers[0].phoneHeldUntil;
  expect((await clearHold(luis)).status).toBe(202);
  expect((await clearHold(ana)).body.errorCode).toBe('CHANGE_ALREADY_REQUESTED');
  expect(await held()).not.toBeNull();
  expect((await clearHold(eva)).status).toBe(200);
  expect(await held()).toBeNull();
});

it('the hold of one’s own change is lifted by a second person', async () => {
  const other = await createWholesaler(accounts);
  await createCustomer(accounts, other.wholesalerId, { phoneNumber: customer.phoneNumber });
  const id = await opened('rectification');
  await decided(await grant(id, { corrections: { phoneNumber: newPhone() } }));
  const asked = await clearHold(ana);
  expect(asked.status).toBe(202);
  await decided(asked, eva);
  expect((await storeSeen()).customers[0].phoneHeldUntil).toBeNull();
});

it('the hold of a change by a wholesaler is lifted by a second person where one collected its key', async () => {
  const admin = person('admin');
  const created = await accounts.call(admin, 'POST', '/v1/admin/wholesalers', {
    body: { name: 'Sur' },
  });
  const { userId, phoneNumber } = customer;
  await createCustomer(accounts, created.body.wholesalerId, { phoneNumber });
  const changed = await accounts.call(
    wholesaler(created.body.wholesalerId),
    'PUT',
    `/v1/account/${userId}`,
    { body: { phoneNumber: newPhone() } },
  );
  expect(changed.status).toBe(200);
  expect((await clearHold(admin)).status).toBe(202);
  expect((await clearHold(eva)).status).toBe(200);
});

it('names are corrected by one person', async () => {
  const id = await opened('rectification');
  expect((await grant(id, { corrections: { lastNames: 'Ortega' } })).status).toBe(200);
});

it('a phone that another user has by then fails, and leaves the request open', async () => {
  const taken = await createCustomer(accounts, wholesalerId);
  const id = await opened('rectification');
  const { phoneNumber } = taken;
  const changeRequestId = await decided(await grant(id, { corrections: { phoneNumber } }));
  expect(await shownChange(accounts, changeRequestId)).toMatchObject({
    status: 'failed',
    failure: 'PHONE_NUMBER_ALREADY_EXISTS',
  });
  expect(await statusOf(id)).toBe('open');
});

it('one person takes no copy of somebody, and fetches ten in a day', async () => {
  const id = await opened('access');
  const asked = await grant(id);
  expect(await statusOf(id)).toBe('open');
  await decided(asked);
  expect(await statusOf(id)).toBe('executing');

  await accounts.rows(
    `INSERT INTO privacy_packages (request_id, user_id, storage_key, size_bytes)
     VALUES ($1, $2, 'none', 1)`,
    [id, customer.userId],
  );
  await accounts.rows(
    `INSERT INTO audit_log (id, actor_kind, actor_id, action, object_id, details)
     SELECT gen_random_uuid(), 'ops', $1, 'privacy-package.fetched', $2, '{}'
       FROM generate_series(1, 10)`,
    [ana.id, customer.userId],
  );
  const path = `${REQUESTS}/${id}/package`;
  expect((await accounts.call(ana, 'GET', path)).body.errorCode).toBe('TOO_MANY_ATTEMPTS');
});
