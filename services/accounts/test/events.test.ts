import { defaultsChanged } from '@fiado/contracts/jobs/debts';
import { ops, wholesaler } from '@fiado/chassis/testing/callers';
import { eventsOf, switchEvents, type PublishedEvent } from '@fiado/chassis/testing/events';
import { forAllTests } from '../../../test/support/for-all-tests';
import { accountsService } from '../src/service';
import {
  approve,
  importCustomers,
  createCustomer,
  createWholesaler,
  startAccounts,
} from './support/accounts';
import { INFORMATION, createVerification, takeStep } from './support/onboarding';
import { lastCode } from './support/sms';
import { verificationOf } from './support/verification';

const accounts = forAllTests(startAccounts);

/** The events of a wholesaler, oldest first; two of one change, which have no order, by their type. */
async function published(wholesalerId: string): Promise<PublishedEvent[]> {
  const events = await eventsOf(
    accounts,
    accountsService.events?.(accounts.context.config),
    wholesalerId,
  );
  return events.toSorted((a, b) =>
    a.data.cornerStoreId === b.data.cornerStoreId && a.data.version === b.data.version
      ? b.type.localeCompare(a.type)
      : 0,
  );
}

async function watching(): Promise<string> {
  const { wholesalerId } = await createWholesaler(accounts);
  await switchEvents(accounts, wholesalerId);
  return wholesalerId;
}

it('the onboarding of a corner store is published without personal data', async () => {
  const wholesalerId = await watching();
  const customer = await createCustomer(accounts, wholesalerId);
  const { externalId, userId, cornerStoreId } = customer;
  const calls = verificationOf(accounts, wholesalerId, customer);
  const verificationId = await calls.started();
  const code = await lastCode(accounts, userId);
  expect((await calls.confirm(verificationId, { code })).status).toBe(200);
  for (const body of [
    { step: 'CORNER_STORE_INFORMATION', information: INFORMATION },
    { step: 'COMPLETED' },
    { step: 'COMPLETED' },
  ]) {
    const ids = { userId, verificationId };
    expect((await takeStep(accounts, wholesalerId, ids, { body })).status).toBe(200);
  }
  await approve(accounts, cornerStoreId);
  await approve(accounts, cornerStoreId);
  const path = `/v1/admin/corner-stores/${cornerStoreId}`;
  await accounts.call(ops(), 'PUT', path, { body: { creditLimit: 7000 } });
  await accounts.call(ops(), 'PUT', path, { body: { creditLimit: 7000 } });
  await overdue(cornerStoreId, 1, 1);
  await overdue(cornerStoreId, 2, 0);
  await accounts.call(ops(), 'POST', `${path}/reject`, { body: { reason: 'documentos' } });

  const store = { externalId, userId, cornerStoreId, creditLimit: 5000, interestRate: 0.05 };
  const events = await published(wholesalerId);
  expect(events.map(({ type, data: { version: _version, ...data } }) => [type, data])).toEqual([
    ['verification.approved', { verificationId, userId, verificationStatus: 'approved' }],
    ['onboarding.completed', { ...store, status: 'in-manual-validation' }],
    ['corner-store.status-changed', { ...store, status: 'in-manual-validation' }],
    ['corner-store.status-changed', { ...store, status: 'approved' }],
    ['corner-store.limit-changed', { ...store, status: 'approved', creditLimit: 7000 }],
    ['corner-store.status-changed', { ...store, status: 'in-payment-default', creditLimit: 7000 }],
    ['corner-store.status-changed', { ...store, status: 'approved', creditLimit: 7000 }],
    ['corner-store.status-changed', { ...store, status: 'pre-approved', creditLimit: 0 }],
    ['corner-store.limit-changed', { ...store, status: 'pre-approved', creditLimit: 0 }],
  ]);
  const versions = events.slice(1).map(({ data }) => data.version as number);
  // Two events of one change have one version.
  expect(versions.map((version) => version - (versions[0] ?? 0))).toEqual([0, 0, 1, 2, 3, 4, 5, 5]);
});

it('each wholesaler of a shared store gets the event with its own id, if it wants events', async () => {
  const watcher = await watching();
  const other = await createWholesaler(accounts);
  const third = await watching();
  const customer = await createCustomer(accounts, watcher);
  for (const wholesalerId of [other.wholesalerId, third]) {
    const { externalId: _own, ...body } = customer;
    await importCustomers(accounts, wholesalerId, [{ ...importedOf(body), externalId: 'suya' }]);
  }
  await approve(accounts, customer.cornerStoreId);

  expect((await published(watcher))[0]?.data).toMatchObject({ externalId: customer.externalId });
  expect((await published(third))[0]?.data).toMatchObject({ externalId: 'suya' });
  expect(await published(other.wholesalerId)).toEqual([]);
});

it('a rolled back change is not published', async () => {
  const wholesalerId = await watching();
  const { userId, cornerStoreId } = await createCustomer(accounts, wholesalerId);
  const verificationId = await createVerification(accounts, wholesalerId, { userId });
  await expect(
    accounts.context.db.transaction(async (tx) => {
      await tx.connection.query(`UPDATE corner_stores SET status = 'approved' WHERE id = $1`, [
        cornerStoreId,
      ]);
      await tx.connection.query(`UPDATE verifications SET status = 'approved' WHERE id = $1`, [
        verificationId,
      ]);
      throw new Error('rolled back');
    }),
  ).rejects.toThrow('rolled back');
  expect(await published(wholesalerId)).toEqual([]);
  expect((await accounts.call(wholesaler(wholesalerId), 'GET', '/v1/events')).status).toBe(404);
});

function overdue(cornerStoreId: string, version: number, overdueCount: number): Promise<void> {
  return accounts.handle(
    defaultsChanged,
    { id: cornerStoreId, version },
    { cornerStoreId, overdueCount, oldestDueAt: null, opened: [], closed: [] },
  );
}

/** The fields of an import. */
function importedOf(customer: Record<string, unknown>): object {
  const { firstName, lastNames, phoneNumber, creditLimit, interestRate } = customer;
  return { firstName, lastNames, phoneNumber, creditLimit, interestRate };
}
