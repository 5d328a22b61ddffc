import { service, wholesaler } from '@fiado/chassis/testing/callers';
import { startStandIn, type StandIn } from '@fiado/chassis/testing/stand-in';
import { inOneBatch, statementsDuring } from '@fiado/chassis/testing/together';
import {
  createCustomer,
  createCustomers,
  createWholesaler,
  startAccounts,
  type Accounts,
  type Customer,
} from './support/accounts';

/** In the texts of the statements. */
const OF_KEYS = 'ops_keys k';
const OF_CUSTOMERS = 'asked(wholesaler_id, external_id, at)';

let transactions: StandIn;
let accounts: Accounts;

beforeAll(async () => {
  transactions = await startStandIn(() => ({ body: { lines: [] } }));
  accounts = await startAccounts({ config: { TRANSACTIONS_URL: transactions.url } });
});
afterAll(async () => {
  await accounts.stop();
  await transactions.stop();
});

const check = (credential: string) =>
  accounts.call(service('gateway'), 'POST', '/internal/credentials/check', {
    body: { credential },
  });

const find = (wholesalerId: string, { externalId }: Pick<Customer, 'externalId'>) =>
  accounts.call(wholesaler(wholesalerId), 'GET', `/v1/corner-store/external/${externalId}`);

const createWholesalers = (count: number) =>
  Promise.all(Array.from({ length: count }, () => createWholesaler(accounts)));

describe('checks of credentials', () => {
  it('32 that wait together are one statement, and each has its own answer', async () => {
    const wholesalers = await createWholesalers(8);
    // Each four times, and one that nobody has.
    const asked = Array.from({ length: 31 }, (_, n) => wholesalers[n % 8]);
    const statements = await statementsDuring(accounts.context.db, OF_KEYS, async () => {
      const answers = await inOneBatch(accounts.context.lanes.keysByHash, [
        ...asked.map((one) => () => check(one?.apiKey ?? '')),
        () => check('fiado_test_nobody'),
      ]);
      const unknown = await answers.pop();
      expect(unknown?.status).toBe(401);
      const ids = (await Promise.all(answers)).map(({ body }) => body.caller.id);
      expect(ids).toEqual(asked.map((one) => one?.wholesalerId));
    });
    expect(statements).toBe(1);
  });

  it('those of access tokens are one statement, too', async () => {
    const wholesalers = await createWholesalers(4);
    const tokens = await Promise.all(
      wholesalers.map(async ({ apiKey }) => {
        const { caller } = (await check(apiKey)).body;
        return (await accounts.call(caller, 'POST', '/v1/auth/token')).body.accessToken as string;
      }),
    );
    const statements = await statementsDuring(accounts.context.db, OF_KEYS, async () => {
      const answers = await inOneBatch(
        accounts.context.lanes.keysById,
        tokens.map((token) => () => check(token)),
      );
      const ids = (await Promise.all(answers)).map(({ body }) => body.caller.id);
      expect(ids).toEqual(wholesalers.map(({ wholesalerId }) => wholesalerId));
    });
    expect(statements).toBe(1);
  });

  it('one alone is one statement', async () => {
    const { apiKey } = await createWholesaler(accounts);
    const statements = await statementsDuring(accounts.context.db, OF_KEYS, () => check(apiKey));
    expect(statements).toBe(1);
  });
});

describe('look-ups of corner stores', () => {
  it('32 that wait together are one statement, and each has its own answer', async () => {
    const [mine, theirs] = await createWholesalers(2);
    if (mine === undefined || theirs === undefined) throw new Error('no wholesalers');
    const customers = await createCustomers(accounts, mine.wholesalerId, 15);
    const statements = await statementsDuring(accounts.context.db, OF_CUSTOMERS, async () => {
      const answers = await Promise.all(
        await inOneBatch(accounts.context.lanes.customers, [
          ...customers.map((customer) => () => find(mine.wholesalerId, customer)),
          // The same names are nobody's at another wholesaler.
          ...customers.map((customer) => () => find(theirs.wholesalerId, customer)),
          () => find(mine.wholesalerId, { externalId: 'nobody' }),
          () => find(theirs.wholesalerId, { externalId: 'nobody' }),
        ]),
      );
      expect(answers.slice(0, 15).map(({ body }) => body.cornerStoreId)).toEqual(
        customers.map(({ cornerStoreId }) => cornerStoreId),
      );
      expect(answers.slice(15).map(({ status }) => status)).toEqual(Array(17).fill(404));
    });
    expect(statements).toBe(1);
  });

  it('one that its statement fails for fails alone', async () => {
    const { wholesalerId } = await createWholesaler(accounts);
    const customer = await createCustomer(accounts, wholesalerId);
    const { customers } = accounts.context.lanes;
    const { externalId } = customer;
    const [before, broken, after] = await inOneBatch(customers, [
      () => customers.add({ wholesalerId, externalId }),
      () => customers.add({ wholesalerId: 'no uuid', externalId }),
      () => customers.add({ wholesalerId, externalId }),
    ]);
    await expect(broken).rejects.toMatchObject({ code: '22P02' });
    const known = { cornerStoreId: customer.cornerStoreId };
    expect(await before).toMatchObject(known);
    expect(await after).toMatchObject(known);
  });

  it('one alone is one statement', async () => {
    const { wholesalerId } = await createWholesaler(accounts);
    const customer = await createCustomer(accounts, wholesalerId);
    const statements = await statementsDuring(accounts.context.db, OF_CUSTOMERS, () =>
      find(wholesalerId, customer),
    );
    expect(statements).toBe(1);
  });
});
