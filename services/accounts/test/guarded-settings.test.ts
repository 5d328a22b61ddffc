import { randomUUID } from 'node:crypto';
import { ops } from '@fiado/chassis/testing/callers';
import type { Answer } from '@fiado/chassis/testing/call';
import { forAllTests } from '../../../test/support/for-all-tests';
import { expireChangeRequests } from '../src/approvals/expire-change-requests';
import { createWholesaler, customerBody, startAccounts } from './support/accounts';
import {
  approveChange,
  CHANGE_REQUESTS,
  changeEnded,
  person,
  shownChange,
} from './support/change-requests';

const PROVIDERS = '/v1/admin/payment-providers';
const WHOLESALERS = '/v1/admin/wholesalers';

const accounts = forAllTests(startAccounts);

const ana = person('admin');
const bruno = person('admin');
const call = (method: 'GET' | 'POST' | 'PUT', path: string, body?: object, by = ana) =>
  accounts.call(by, method, path, body && { body });

function requested({ status, body }: Answer): string {
  expect([status, body]).toEqual([202, { changeRequestId: expect.any(String), status: 'pending' }]);
  return body.changeRequestId;
}

async function approved(id: string): Promise<Record<string, unknown>> {
  expect((await approveChange(accounts, id, bruno)).status).toBe(200);
  await changeEnded(accounts, id);
  return shownChange(accounts, id);
}

/** Approves the change, which makes a secret, and collects that. */
async function collected(id: string): Promise<Record<string, string>> {
  expect((await approveChange(accounts, id, bruno)).status).toBe(200);
  const { status, body } = await call('POST', `${CHANGE_REQUESTS}/${id}/collect`);
  expect(status).toBe(201);
  expect((await call('POST', `${CHANGE_REQUESTS}/${id}/collect`)).status).toBe(422);
  return body;
}

describe('settings of a wholesaler that guard stores less, or pay it more', () => {
  it.each([
    [{ deliveryOverageRate: 0.11 }, {}],
    [{ commissionRate: 0.015 }, {}],
    [{ confirmationRequired: false }, {}],
    [{ deliveryWordEnabled: false }, {}],
    [{ deliveryWordRequired: false }, { deliveryWordRequired: true }],
    [{ batchEnabled: true }, { batchEnabled: false }],
    [{ batchItemsPerDay: 0 }, { batchItemsPerDay: 5 }],
    [{ batchItemsPerDay: 6 }, { batchItemsPerDay: 5 }],
    [{ batchAmountPerDay: 0 }, { batchAmountPerDay: 500 }],
    [{ batchAmountPerDay: 500.01 }, { batchAmountPerDay: 500 }],
    [{ holdUnprovenDays: 6 }, { holdUnprovenDays: 7 }],
    [{ phoneChangeHold: 'never' }, {}],
  ])('%j waits for a second person, and passes for a key', async (settings, before) => {
    const { wholesalerId } = await createWholesaler(accounts, before);
    const path = `${WHOLESALERS}/${wholesalerId}`;
    const { body: was } = await call('GET', path);
    requested(await call('PUT', path, settings));
    expect((await call('GET', path)).body).toEqual(was);
    expect((await call('PUT', path, settings, ops())).body).toMatchObject(settings);
  });

  it('are made together once a second person approves', async () => {
    const limits = { batchItemsPerDay: 5, batchAmountPerDay: 500, holdUnprovenDays: 7 };
    const before = { deliveryWordRequired: true, batchEnabled: false, ...limits };
    const { wholesalerId } = await createWholesaler(accounts, before);
    const path = `${WHOLESALERS}/${wholesalerId}`;
    const settings = {
      deliveryOverageRate: 0.11,
      commissionRate: 0.015,
      confirmationRequired: false,
      deliveryWordEnabled: false,
      deliveryWordRequired: false,
      batchEnabled: true,
      batchItemsPerDay: 0,
      batchAmountPerDay: 500.01,
      holdUnprovenDays: 6,
      phoneChangeHold: 'never',
    };
    const id = requested(await call('PUT', path, settings));
    expect(await approved(id)).toMatchObject({ kind: 'wholesaler.settings', status: 'executed' });
    expect((await call('GET', path)).body).toMatchObject(settings);
  });

  it('stay as they are when the wholesaler is changed meanwhile, by one person who makes it stricter', async () => {
    const { wholesalerId } = await createWholesaler(accounts);
    const path = `${WHOLESALERS}/${wholesalerId}`;
    const id = requested(await call('PUT', path, { deliveryOverageRate: 0.5 }));
    expect((await call('PUT', path, { deliveryOverageRate: 0.6 })).body.errorCode).toBe(
      'CHANGE_ALREADY_REQUESTED',
    );
    const stricter = { deliveryOverageRate: 0.05, deliveryWordRequired: true, batchEnabled: false };
    expect((await call('PUT', path, stricter)).status).toBe(200);
    expect((await approveChange(accounts, id, bruno)).body.errorCode).toBe('CHANGE_TARGET_CHANGED');
    expect((await call('GET', path)).body).toMatchObject(stricter);
  });

  it('that contradict each other are refused before anybody is asked', async () => {
    const { wholesalerId } = await createWholesaler(accounts, { deliveryWordRequired: true });
    const body = { deliveryWordEnabled: false };
    expect((await call('PUT', `${WHOLESALERS}/${wholesalerId}`, body)).status).toBe(400);
  });

  it('make a new wholesaler wait too: it exists once its requester collects the key', async () => {
    const name = `Mayorista ${randomUUID()}`;
    expect((await call('POST', WHOLESALERS, { name: 'Estricto' })).status).toBe(201);
    const id = requested(await call('POST', WHOLESALERS, { name, confirmationRequired: false }));
    const { wholesalerId, apiKey } = await collected(id);
    expect(apiKey).toMatch(/^fiado_test_/);
    expect((await call('GET', `${WHOLESALERS}/${wholesalerId}`)).body).toMatchObject({
      name,
      confirmationRequired: false,
    });
  });
});

describe('a payment provider', () => {
  const settings = { allowedAddresses: ['203.0.113.7', '203.0.113.8'], signatureRequired: true };
  const newProvider = async (): Promise<string> => {
    const body = { name: `P-${randomUUID()}`, ...settings };
    return (await call('POST', PROVIDERS, body, ops())).body.paymentProviderId;
  };

  it('of a person exists once a second one has approved and its requester collects the key', async () => {
    const name = `P-${randomUUID()}`;
    const id = requested(await call('POST', PROVIDERS, { name, ...settings }));
    const keys = "SELECT FROM api_keys WHERE kind = 'provider'";
    const before = (await accounts.rows(keys)).length;
    const made = await collected(id);
    expect(made).toMatchObject({
      apiKey: expect.stringMatching(/^fiado_test_/),
      signingSecret: expect.stringMatching(/^fiado_sign_/),
    });
    expect((await accounts.rows(keys)).length).toBe(before + 1);
    const path = `${PROVIDERS}/${made['paymentProviderId']}`;
    expect((await call('GET', path)).body).toMatchObject({ name, ...settings });
    const again = await call('POST', PROVIDERS, { name });
    expect(again.body.errorCode).toBe('PROVIDER_ALREADY_EXISTS');
  });

  it('whose name is taken before the collection is refused', async () => {
    const body = { name: `P-${randomUUID()}` };
    const id = requested(await call('POST', PROVIDERS, body));
    await approveChange(accounts, id, bruno);
    expect((await call('POST', PROVIDERS, body, ops())).status).toBe(201);
    expect((await call('POST', `${CHANGE_REQUESTS}/${id}/collect`)).body.errorCode).toBe(
      'PROVIDER_ALREADY_EXISTS',
    );
  });

  it('gets another key and another signing secret from two people', async () => {
    const path = `${PROVIDERS}/${await newProvider()}`;
    const { apiKey } = await collected(requested(await call('POST', `${path}/api-keys`)));
    expect(apiKey).toMatch(/^fiado_test_/);
    const { signingSecret } = await collected(
      requested(await call('POST', `${path}/signing-secrets`)),
    );
    expect(signingSecret).toMatch(/^fiado_sign_/);
    const unknown = `${PROVIDERS}/${randomUUID()}`;
    for (const what of ['api-keys', 'signing-secrets']) {
      expect((await call('POST', `${unknown}/${what}`)).status).toBe(404);
    }
  });

  it('without a signing secret is not asked to sign, before anybody is asked', async () => {
    const body = { name: `P-${randomUUID()}`, allowedAddresses: ['203.0.113.7'] };
    const { paymentProviderId } = (await call('POST', PROVIDERS, body, ops())).body;
    const changes = { allowedAddresses: [], signatureRequired: true };
    expect((await call('PUT', `${PROVIDERS}/${paymentProviderId}`, changes)).status).toBe(400);
  });

  it.each([
    { allowedAddresses: [] },
    { allowedAddresses: ['203.0.113.7', '198.51.100.1'] },
    { signatureRequired: false },
  ])('accepts more calls with %j, which waits; a stricter setting ends it', async (looser) => {
    const path = `${PROVIDERS}/${await newProvider()}`;
    const first = requested(await call('PUT', path, looser));
    expect((await call('PUT', path, { allowedAddresses: ['203.0.113.7'] })).status).toBe(200);
    expect(await shownChange(accounts, first)).toMatchObject({ failure: 'CHANGE_TARGET_CHANGED' });
    expect((await approved(requested(await call('PUT', path, looser))))['status']).toBe('executed');
    expect((await call('GET', path)).body).toMatchObject(looser);
  });
});

describe('an import of a person', () => {
  const importAs = (wholesalerId: string, customers: object[], by = ana): Promise<Answer> =>
    call('POST', `${WHOLESALERS}/${wholesalerId}/customers`, { customers }, by);

  it('is one request for all its rows, which nobody reads in it, and which a second person lets in', async () => {
    const { wholesalerId } = await createWholesaler(accounts);
    const known = customerBody();
    await importAs((await createWholesaler(accounts)).wholesalerId, [known], ops());
    const customers = [
      customerBody({ creditLimit: 1_000_000, interestRate: 0 }),
      { ...known, creditLimit: 2_000_000 },
    ];
    const id = requested(await importAs(wholesalerId, customers));
    expect(requested(await importAs(wholesalerId, customers))).toBe(id);
    expect(await shownChange(accounts, id)).toMatchObject({
      kind: 'customers.import',
      targetId: wholesalerId,
      after: {
        rows: 2,
        created: 1,
        linked: 1,
        highestLimitCents: 200_000_000,
        sumOfLimitsCents: 300_000_000,
        lowestRate: '0.000000',
      },
    });
    const kept = await accounts.rows(
      `SELECT row_to_json(r)::text AS row, encode(sealed_payload, 'escape') AS sealed
         FROM change_requests r WHERE id = $1`,
      [id],
    );
    for (const { phoneNumber, lastNames } of customers) {
      expect(JSON.stringify(kept)).not.toContain(phoneNumber);
      expect(JSON.stringify(kept)).not.toContain(lastNames);
    }

    expect(await approved(id)).toMatchObject({ status: 'executed' });
    const stores = await accounts.rows(
      `SELECT s.credit_limit_cents, s.approved_limit_cents FROM customers c
         JOIN corner_stores s ON s.id = c.corner_store_id
        WHERE c.wholesaler_id = $1 ORDER BY s.credit_limit_cents`,
      [wholesalerId],
    );
    expect(stores).toEqual([
      { credit_limit_cents: 500_000, approved_limit_cents: null },
      { credit_limit_cents: 100_000_000, approved_limit_cents: null },
    ]);
    expect((await importAs(wholesalerId, customers)).status).toBe(201);
    const sealed = 'SELECT sealed_payload FROM change_requests WHERE id = $1';
    expect(await accounts.rows(sealed, [id])).toEqual([{ sealed_payload: null }]);
  });

  it('forgets its rows when it is rejected or expires', async () => {
    const { wholesalerId } = await createWholesaler(accounts);
    const ids = [
      requested(await importAs(wholesalerId, [customerBody()])),
      requested(await importAs(wholesalerId, [customerBody()])),
    ];
    const reject = `${CHANGE_REQUESTS}/${ids[0]}/reject`;
    expect((await call('POST', reject, { reason: 'No' }, bruno)).status).toBe(200);
    await accounts.rows('UPDATE change_requests SET expires_at = now() WHERE id = $1', [ids[1]]);
    await expireChangeRequests(accounts.context);
    const left = await accounts.rows(
      'SELECT status FROM change_requests WHERE id = ANY ($1) AND sealed_payload IS NULL ORDER BY status',
      [ids],
    );
    expect(left).toEqual([{ status: 'expired' }, { status: 'rejected' }]);
  });

  it('is refused at once for a row at fault, and fails when one has come to be since', async () => {
    const { wholesalerId } = await createWholesaler(accounts);
    const [first, second] = [customerBody(), customerBody()];
    const id = requested(await importAs(wholesalerId, [first, second]));
    const duplicate = customerBody({ externalId: second.externalId });
    expect((await importAs(wholesalerId, [duplicate], ops())).status).toBe(201);
    expect((await importAs(wholesalerId, [second])).body.errorCode).toBe('CUSTOMER_CONFLICT');
    expect(await approved(id)).toMatchObject({ status: 'failed', failure: 'CUSTOMER_CONFLICT' });
    const count = 'SELECT FROM customers WHERE wholesaler_id = $1';
    expect(await accounts.rows(count, [wholesalerId])).toHaveLength(1);
  });
});
