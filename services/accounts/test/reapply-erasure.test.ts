import { randomUUID } from 'node:crypto';
import { beginReapply, endReapply } from '../src/privacy/reapply-erasure';
import type { ErasedPerson } from '../src/privacy/erased-persons';
import {
  type Accounts,
  createCustomer,
  type Customer,
  startAccountsWithWholesaler,
} from './support/accounts';
import { cancellationCalls } from './support/cancellations';

let accounts: Accounts;
let wholesalerId: string;
let customer: Customer;

beforeAll(async () => {
  ({ accounts, wholesalerId } = await startAccountsWithWholesaler());
  customer = await createCustomer(accounts, wholesalerId);
});
afterAll(() => accounts.stop());

const { opened, show } = cancellationCalls(
  () => accounts,
  () => customer,
);

it('a restored person keeps the numbers that nobody else has by then', async () => {
  const person = customer;
  const other = await createCustomer(accounts, wholesalerId);
  const indexOf = async (userId: string): Promise<string> => {
    const [user] = await accounts.rows<{ index: string }>(
      `SELECT encode(phone_index, 'base64') AS index FROM users WHERE id = $1`,
      [userId],
    );
    return user?.index ?? '';
  };
  const [own, theirs] = [await indexOf(person.userId), await indexOf(other.userId)];
  const former = Buffer.alloc(32, 7).toString('base64');

  const begun = await accounts.context.db.transaction((tx) =>
    beginReapply(tx, {
      erasureId: randomUUID(),
      phase: 'block',
      userId: person.userId,
      cornerStoreId: person.cornerStoreId,
      request: { id: randomUUID() },
      phoneIndexes: [former, theirs],
    }),
  );
  expect(begun).toMatchObject({ version: 2 });
  const { phoneIndexes } = (begun as Exclude<typeof begun, string>).person;
  expect(phoneIndexes.map((index) => index.toString('base64')).toSorted()).toEqual(
    [own, former].toSorted(),
  );
});

it('a person is blocked again although the backup has an older cancellation of theirs open', async () => {
  const older = await opened();
  const [row] = await accounts.rows<Record<string, unknown>>(
    'SELECT to_jsonb(r) AS request FROM privacy_requests r WHERE id = $1',
    [older],
  );
  const granted = { status: 'executing', outcome: 'granted', answered_by: 'x' };
  const at = new Date().toISOString();
  const times = { answered_at: at, execution_due_at: at };
  const { userId, cornerStoreId } = customer;
  const erased: ErasedPerson = {
    erasureId: randomUUID(),
    phase: 'block',
    userId,
    cornerStoreId,
    request: { ...(row?.['request'] as object), ...granted, ...times, id: randomUUID() },
    phoneIndexes: [],
  };
  await accounts.context.db.transaction(async (tx) => {
    const restored = await beginReapply(tx, erased);
    if (typeof restored === 'string') throw new Error(restored);
    await endReapply(tx, erased, restored.person);
  });
  expect(await show(older)).toMatchObject({ status: 'refused', reasonCode: 'already-done' });
  expect(await show(erased.request.id)).toMatchObject({ status: 'executing' });
  const [store] = await accounts.rows('SELECT blocked_at FROM corner_stores WHERE id = $1', [
    cornerStoreId,
  ]);
  expect(store).toEqual({ blocked_at: expect.any(Date) });
});
