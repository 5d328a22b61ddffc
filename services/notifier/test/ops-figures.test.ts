import { service } from '@fiado/chassis/testing/callers';
import { forAllTests } from '../../../test/support/for-all-tests';
import { codeJob, deliver, startNotifier } from './support/notifier';

const notifier = forAllTests(startNotifier);

it('counts the SMS of a day by the state that they have now', async () => {
  jest.spyOn(process.stdout, 'write').mockReturnValue(true);
  const ids = [await deliver(notifier), await deliver(notifier, codeJob())];
  const lost = await deliver(notifier, codeJob());
  const old = await deliver(notifier, codeJob());
  jest.restoreAllMocks();
  await notifier.rows(`UPDATE messages SET status = 'failed' WHERE id = $1`, [lost]);
  await notifier.rows(`UPDATE messages SET created_at = now() - interval '2 days' WHERE id = $1`, [
    old,
  ]);

  const since = new Date(Date.now() - 60 * 60_000).toISOString();
  const { status, body } = await notifier.call(
    service('accounts'),
    'POST',
    '/internal/ops-figures',
    { body: { since } },
  );
  expect(status).toBe(200);
  expect(body).toMatchObject({
    sent: ids.length,
    failed: 1,
    pending: 0,
    failingWebhooks: 0,
    disabledEndpoints: 0,
    deadJobs: 0,
  });
});
