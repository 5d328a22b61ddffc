import { randomUUID } from 'node:crypto';
import { service, wholesaler } from '@fiado/chassis/testing/callers';
import { createCustomer, startAccountsWithWholesaler, type Accounts } from './support/accounts';

describe('POST /internal/first-name-initial', () => {
  let accounts: Accounts;
  let wholesalerId: string;
  beforeAll(async () => {
    ({ accounts, wholesalerId } = await startAccountsWithWholesaler());
  });
  afterAll(() => accounts.stop());

  const ask = (userId: string, by = service('payments')) =>
    accounts.call(by, 'POST', '/internal/first-name-initial', { body: { userId } });

  it.each([
    ['Ana María', 'A'],
    ['lucía', 'L'],
    ['Ángel', 'Á'],
    // The same letter as two characters.
    ['A\u0301ngel', 'Á'],
  ])('answers of %s only %s', async (firstName, firstNameInitial) => {
    const { userId } = await createCustomer(accounts, wholesalerId, { firstName });
    const { status, body } = await ask(userId);
    expect([status, body]).toEqual([200, { firstNameInitial }]);
  });

  it('is null for an unknown user', async () => {
    expect((await ask(randomUUID())).body).toEqual({ firstNameInitial: null });
  });

  it('answers payments alone', async () => {
    const { userId } = await createCustomer(accounts, wholesalerId);
    const statuses = [];
    for (const caller of [service('transactions'), service('notifier'), wholesaler(wholesalerId)]) {
      statuses.push((await ask(userId, caller)).status);
    }
    expect(statuses).not.toContain(200);
  });
});
