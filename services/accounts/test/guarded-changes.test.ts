import type { Answer } from '@fiado/chassis/testing/call';
import { ops } from '@fiado/chassis/testing/callers';
import { forAllTests } from '../../../test/support/for-all-tests';
import { createWholesaler, startAccounts } from './support/accounts';
import {
  approveChange,
  CHANGE_REQUESTS,
  newStore as newStoreOf,
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
const newStore = () => newStoreOf(accounts, wholesalerId);
const update = (cornerStoreId: string, body: object, by = ana): Promise<Answer> =>
  updateStore(accounts, by, cornerStoreId, body);
const approve = (id: string, by = person()) => approveChange(accounts, id, by);
const shown = (id: string) => shownChange(accounts, id);

const inAMonth = new Date(Date.now() + 30 * 24 * 60 * 60_000);

describe('keys', () => {
  const admin = person('admin');

  it.each([
    ['/v1/admin/ops-keys', { name: 'Ana', scope: 'viewer', expiresAt: inAMonth.toISOString() }],
    ['wholesaler', { scopes: ['transactions:read'] }],
  ])('of %s: the requester alone collects it, once, after the approval', async (where, body) => {
    const path = where === 'wholesaler' ? `/v1/admin/wholesalers/${wholesalerId}/api-keys` : where;
    const asked = await accounts.call(admin, 'POST', path, { body });
    expect(asked.status).toBe(202);
    const { changeRequestId: id } = asked.body;
    const collect = (by = admin) => accounts.call(by, 'POST', `${CHANGE_REQUESTS}/${id}/collect`);
    expect((await collect()).body.errorCode).toBe('CHANGE_REQUEST_IS_NOT_PENDING');
    expect((await approve(id)).body.errorCode).toBe('FORBIDDEN');
    const approver = person('admin');
    expect((await approve(id, approver)).status).toBe(200);
    expect((await collect(approver)).body.errorCode).toBe('SECOND_PERSON_REQUIRED');

    const answers = await Promise.all([collect(), collect()]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 422]);
    const { apiKey } = answers.find(({ status }) => status === 201)?.body ?? {};
    expect(apiKey).toMatch(/^fiado_test_/);
    expect(await shown(id)).toMatchObject({ status: 'executed' });
    expect(JSON.stringify(await shown(id))).not.toContain(apiKey);
  });
});

describe('unusual terms', () => {
  it.each([
    [{ creditLimit: 100_000.01 }, { creditLimit: 5000, newCreditLimit: 100_000.01 }],
    [{ interestRate: 0.31 }, { interestRate: 0.05, newInterestRate: 0.31 }],
  ])('%j of a person are refused with old and new value until confirmed', async (body, fields) => {
    const cornerStoreId = await newStore();
    const refused = await update(cornerStoreId, body);
    expect(refused).toMatchObject({
      status: 422,
      body: { errorCode: 'CONFIRMATION_REQUIRED', ...fields },
    });
    expect((await update(cornerStoreId, { ...body, confirmed: true })).status).toBe(202);
  });

  it('a rate above 1 is refused even when confirmed', async () => {
    const body = { interestRate: 1.1, confirmed: true };
    expect((await update(await newStore(), body, ops())).status).toBe(400);
  });
});

it('a person approves an incomplete store with a reason only; it stays with the store', async () => {
  const cornerStoreId = await newStore();
  const path = `/v1/admin/corner-stores/${cornerStoreId}/approve`;
  expect((await accounts.call(ana, 'POST', path)).body.errorCode).toBe('REASON_REQUIRED');
  const body = { reason: 'Visited' };
  expect((await accounts.call(ana, 'POST', path, { body })).body).toMatchObject({
    status: 'approved',
    approvalReason: 'Visited',
  });
});

it('a later rejection removes the reason of an approval', async () => {
  const path = `/v1/admin/corner-stores/${await newStore()}`;
  const body = { reason: 'Visited' };
  await accounts.call(ana, 'POST', `${path}/approve`, { body });
  expect((await accounts.call(ana, 'POST', `${path}/reject`, { body })).body).toMatchObject({
    rejectionReason: 'Visited',
    approvalReason: null,
  });
});
