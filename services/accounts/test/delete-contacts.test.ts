import { ops } from '@fiado/chassis/testing/callers';
import { Client } from 'pg';
import { deleteContacts } from '../src/privacy/delete-contacts';
import {
  type Accounts,
  approve,
  createCustomer,
  type Customer,
  startAccountsWithWholesaler,
} from './support/accounts';
import { verificationOf } from './support/verification';

describe('the contacts that an owner named', () => {
  let accounts: Accounts;
  let wholesalerId: string;
  let customer: Customer;
  let owner: Client;

  beforeAll(async () => {
    ({ accounts, wholesalerId } = await startAccountsWithWholesaler());
    owner = new Client({ connectionString: accounts.ownerUrl });
    await owner.connect();
    // The audit log refuses changes.
    await owner.query('SET search_path TO accounts; SET session_replication_role = replica');
  });
  beforeEach(async () => {
    customer = await createCustomer(accounts, wholesalerId);
    await nameContacts();
  });
  afterAll(async () => {
    await owner.end();
    await accounts.stop();
  });

  async function nameContacts(): Promise<void> {
    const contacts = [{ fullName: 'Luis Mora', phoneNumber: '+525500001111' }];
    await verificationOf(accounts, wholesalerId, customer).started({ contacts });
  }
  const reject = () =>
    accounts.call(ops(), 'POST', `/v1/admin/corner-stores/${customer.cornerStoreId}/reject`, {
      body: { reason: 'The document cannot be read' },
    });
  /** What has happened so far is that much longer ago. */
  async function pass(days: number): Promise<void> {
    const { userId, cornerStoreId } = customer;
    await owner.query(
      `UPDATE verifications SET created_at = created_at - make_interval(days => $2) WHERE user_id = $1`,
      [userId, days],
    );
    await owner.query(
      `UPDATE audit_log SET occurred_at = occurred_at - make_interval(days => $2) WHERE object_id = $1`,
      [cornerStoreId, days],
    );
  }
  async function areThere(): Promise<boolean> {
    await deleteContacts(accounts.context);
    const [user] = await accounts.rows<{ contacts: Buffer | null }>(
      'SELECT contacts FROM users WHERE id = $1',
      [customer.userId],
    );
    return user?.contacts !== null;
  }

  it.each([
    ['approved', () => approve(accounts, customer.cornerStoreId)],
    ['rejected', reject],
  ])('go 30 days after the store was %s', async (_decision, decide) => {
    await pass(31);
    // No decision: the store may still be called.
    expect(await areThere()).toBe(true);
    await decide();
    await pass(29);
    expect(await areThere()).toBe(true);
    // The owner is known longer; another phone changes nothing about the contacts.
    await accounts.rows('UPDATE users SET updated_at = now() WHERE id = $1', [customer.userId]);
    await pass(2);
    expect(await areThere()).toBe(false);
  });

  it('stay while the store waits for another decision, or are new', async () => {
    await reject();
    await pass(31);
    await nameContacts();
    expect(await areThere()).toBe(true);
    await pass(31);
    const set = (status: string) =>
      accounts.rows('UPDATE corner_stores SET status = $2 WHERE id = $1', [
        customer.cornerStoreId,
        status,
      ]);
    await set('in-manual-validation');
    expect(await areThere()).toBe(true);
    await set('pre-approved');
    expect(await areThere()).toBe(false);
  });
});
