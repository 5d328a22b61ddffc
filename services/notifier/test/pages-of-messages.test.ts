import { ops } from '@fiado/chassis/testing/callers';
import { pagesRead } from '@fiado/chassis/testing/pages-read';
import { Client } from 'pg';
import { forAllTests } from '../../../test/support/for-all-tests';
import { startNotifier } from './support/notifier';

const MESSAGES = 20_000;
/** A page of 5 messages, and the way to each in some indexes. */
const FEW_PAGES = 100;

const notifier = forAllTests(startNotifier);
beforeAll(async () => {
  const owner = new Client({ connectionString: notifier.ownerUrl });
  await owner.connect();
  // One a minute. The oldest ten are about a changed phone.
  await owner.query(
    `INSERT INTO notifier.messages
       (id, template, subject_id, phone_index, phone_masked, status, expires_at, created_at)
     SELECT gen_random_uuid(), CASE WHEN n <= 10 THEN 'phone-changed' ELSE 'order-code' END,
            gen_random_uuid(), sha256(n::text::bytea), '********0101', 'delivered', now(),
            now() - make_interval(mins => $1 - n)
       FROM generate_series(1, $1::int) n`,
    [MESSAGES],
  );
  await owner.query('VACUUM (ANALYZE) notifier.messages');
  await owner.end();
});

test.each([
  ['that most have', 'order-code', 5],
  ['that few old ones have', 'phone-changed', 5],
  ['that none has', 'reminders-ended', 0],
])(
  'messages of a template %s cost the same, however many there are',
  async (_, template, count) => {
    const { context, ownerUrl } = notifier;
    const pages = await pagesRead({ db: context.db, ownerUrl, schema: 'notifier' }, async () => {
      const body = { template, limit: 5 };
      const found = await notifier.call(ops(), 'POST', '/v1/admin/messages/search', { body });
      expect(found.body.messages).toHaveLength(count);
    });
    expect(pages).toBeLessThan(FEW_PAGES);
  },
);
