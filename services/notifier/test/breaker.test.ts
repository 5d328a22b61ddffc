import { metricsText } from '@fiado/chassis/metrics';
import type { TwilioStandIn } from '@fiado/chassis/testing/twilio-stand-in';
import { until } from '@fiado/chassis/testing/until';
import { MAX_CALLS } from '../src/messages/sms-provider';
import { insertRows, startNotifierWithTwilio, type Notifier } from './support/notifier';

const SUCCEEDED = 60;
/** As many as run at the same time, and more than five failures in a row. */
const AT_ONCE = MAX_CALLS;
const MEANWHILE = 40;
/** More than a busy machine lets happen before the test sees the first one. */
const TRIALS = 3;

let twilio: TwilioStandIn;
let notifier: Notifier;
beforeAll(async () => {
  ({ notifier, twilio } = await startNotifierWithTwilio({ SMS_PER_PHONE_PER_DAY: '1000' }));
});
afterAll(() => notifier.stop());

async function countOf(ids: string[], status: string): Promise<number> {
  const rows = await notifier.rows('SELECT FROM messages WHERE id = ANY($1) AND status = $2', [
    ids,
    status,
  ]);
  return rows.length;
}

const isShownOpen = async () =>
  (await metricsText()).includes('fiado_breaker_open{upstream="twilio",use="send"} 1');

test('while Twilio fails messages wait, and go out when it works again, each once', async () => {
  twilio.behaviours = ['accept'];
  // What succeeded before does not keep the breaker closed.
  const earlier = await insertRows(notifier, SUCCEEDED, 'pending');
  await until(
    'the earlier ones are sent',
    async () => (await countOf(earlier, 'sent')) === SUCCEEDED,
  );

  twilio.behaviours = ['accept-then-500'];
  const before = await insertRows(notifier, AT_ONCE, 'pending');
  await until('the breaker is open', () => notifier.context.sender.breaker.isOpen);
  expect(await isShownOpen()).toBe(true);
  const all = [...before, ...(await insertRows(notifier, MEANWHILE, 'pending'))];
  await until('no call runs', async () => (await countOf(all, 'sending')) === 0);
  const lost = await countOf(all, 'unknown');
  expect(lost).toBeLessThanOrEqual(AT_ONCE);
  await until('a trial failed', async () => (await countOf(all, 'unknown')) > lost);

  twilio.behaviours = ['accept'];
  await until(
    'none waits',
    async () => (await countOf(all, 'pending')) + (await countOf(all, 'sending')) === 0,
  );
  expect(await isShownOpen()).toBe(false);
  expect(await countOf(all, 'unknown')).toBeLessThanOrEqual(lost + TRIALS);
  expect(twilio.posts).toHaveLength(SUCCEEDED + AT_ONCE + MEANWHILE);
});
