import { pagesRead } from '@fiado/chassis/testing/pages-read';
import { Client } from 'pg';
import { forAllTests } from '../../../test/support/for-all-tests';
import { personOf } from '../src/privacy/erasures.sql';
import { startAccounts } from './support/accounts';

const USERS = 20_000;
/** A user, a verification, and the way to each in some indexes. */
const FEW_PAGES = 50;

const accounts = forAllTests(startAccounts);

it('a person is read by their own rows, however many users there are', async () => {
  const { context, ownerUrl } = accounts;
  const owner = new Client({
    connectionString: ownerUrl,
    options: '-c search_path=accounts -c session_replication_role=replica',
  });
  await owner.connect();
  const { rows } = await owner.query<{ id: string }>(
    `INSERT INTO users (id, first_name, last_names, phone, phone_index)
     SELECT gen_random_uuid(), 'a', 'b', 'c', sha256(n::text::bytea)
       FROM generate_series(1, $1::int) n RETURNING id`,
    [USERS],
  );
  // One of all was verified, with another number.
  const userId = rows[0]?.id ?? '';
  await owner.query(
    `INSERT INTO verifications
       (id, user_id, wholesaler_id, phone, phone_index, status, code_salt, expires_at)
     VALUES (gen_random_uuid(), $1, gen_random_uuid(), 'c', sha256('another'), 'approved', 'd', now())`,
    [userId],
  );
  await owner.query('VACUUM (ANALYZE) users, verifications');
  await owner.end();

  const pages = await pagesRead({ db: context.db, ownerUrl, schema: 'accounts' }, async () => {
    const person = await personOf(context.db, { userId, cornerStoreId: userId });
    expect(person.phoneIndexes).toHaveLength(2);
  });
  expect(pages).toBeLessThan(FEW_PAGES);
});
