import { randomUUID } from 'node:crypto';
import { notifyCornerStore } from '@fiado/contracts/jobs/notify-corner-store';
import { ops } from '@fiado/chassis/testing/callers';
import { forAllTests } from '../../../test/support/for-all-tests';
import {
  createCustomer,
  createWholesaler,
  customerBody,
  importCustomers,
  startAccounts,
} from './support/accounts';

const accounts = forAllTests(startAccounts);

const zonesOf = async (cornerStoreId: string) =>
  (await accounts.outbox('time-zone.changed'))
    .filter((row) => row.aggregate_id === cornerStoreId)
    .map(({ queue, aggregate_version: version, data }) => ({ queue, version, ...data }));

it('a notice of payments becomes one SMS to the present phone, with the supplier’s name', async () => {
  const { wholesalerId } = await createWholesaler(accounts, { name: 'Abarrotes del Norte' });
  const { cornerStoreId, phoneNumber } = await createCustomer(accounts, wholesalerId);
  const subjectId = randomUUID();
  const debt = { amountCents: 50_000, dueOn: '2026-12-07', reference: '80861056275' };
  const data = {
    kind: 'payment-due' as const,
    cornerStoreId,
    wholesalerId,
    subjectId,
    values: debt,
    expiresAt: '2026-12-06T02:00:00.000Z',
  };
  const messageId = randomUUID();
  for (let copy = 0; copy < 3; copy += 1) {
    await accounts.handle(notifyCornerStore, { id: cornerStoreId, version: 1 }, data, messageId);
  }

  const rows = (await accounts.outbox('send-message')).filter(
    (row) => row.aggregate_id === subjectId,
  );
  expect(rows.map(({ queue, data }) => [queue, data])).toEqual([
    [
      'notifier',
      expect.objectContaining({
        template: 'payment-due',
        wholesalerId,
        expiresAt: data.expiresAt,
      }),
    ],
  ]);
  const { sealed = '' } = (rows[0]?.data ?? {}) as { sealed?: string };
  expect(
    JSON.parse(accounts.context.sealer.open(Buffer.from(sealed, 'base64'), 'sms', subjectId)),
  ).toEqual({ phone: phoneNumber, values: { ...debt, wholesaler: 'Abarrotes del Norte' } });
});

it('a store’s time zone is set by its import and by ops, and payments learns it', async () => {
  const { wholesalerId } = await createWholesaler(accounts);
  const customers = [customerBody({ timeZone: 'America/Tijuana' }), customerBody()];
  const { body } = await importCustomers(accounts, wholesalerId, customers);
  const [far, near] = body.customers.map((one: { cornerStoreId: string }) => one.cornerStoreId);
  const set = (cornerStoreId: string, timeZone: unknown) =>
    accounts.call(ops(), 'PUT', `/v1/admin/corner-stores/${cornerStoreId}`, { body: { timeZone } });

  const zone = { queue: 'payments', cornerStoreId: far, timeZone: 'America/Tijuana' };
  expect(await zonesOf(far)).toEqual([{ ...zone, version: 1 }]);
  expect(await zonesOf(near)).toEqual([]);
  const moved = await set(far, 'America/Cancun');
  expect([moved.status, moved.body.timeZone]).toEqual([200, 'America/Cancun']);
  expect(await zonesOf(far)).toEqual([
    { ...zone, version: 1 },
    { ...zone, timeZone: 'America/Cancun', version: 2 },
  ]);
  for (const bad of ['Macondo', 5, '']) expect((await set(near, bad)).status).toBe(400);
  const refused = await importCustomers(accounts, wholesalerId, [
    customerBody({ timeZone: 'America/Macondo' }),
  ]);
  expect(refused.status).toBe(400);
});
