import { setTimeout as sleep } from 'node:timers/promises';
import { metricsText } from '@fiado/shared/chassis/metrics';
import { until } from '@fiado/shared/testing/until';
import { insertRow, startNotifierWithTwilio, type Notifier } from './support/notifier';
import type { TwilioStandIn } from './support/twilio-stand-in';

/** Two rounds of the sender; twenty calls are what the breaker judges by. */
const BEFORE = 40;
const MEANWHILE = 40;
/** Some seconds without Twilio: a try a second. */
const AWAY_MS = 4_000;

let twilio: TwilioStandIn;
let notifier: Notifier;
beforeAll(async () => {
  ({ notifier, twilio } = await startNotifierWithTwilio({ SMS_PER_PHONE_PER_DAY: '1000' }));
});
afterAll(() => notifier.stop());

async function insert(count: number): Promise<string[]> {
  return Promise.all(Array.from({ length: count }, () => insertRow(notifier, 'pending')));
}

async function countOf(ids: string[], status: string): Promise<number> {
  const rows = await notifier.rows('SELECT FROM messages WHERE id = ANY($1) AND status = $2', [
    ids,
    status,
  ]);
  return rows.length;
}

const isOpen = async () =>
  (await metricsText()).includes('fiado_breaker_open{upstream="twilio",use="send"} 1');

test('while Twilio fails messages wait, and go out when it works again, each once', async () => {
  twilio.behaviours = ['accept-then-500'];
  const before = await insert(BEFORE);
  await until('the breaker is open', isOpen);

  const meanwhile = await insert(MEANWHILE);
  const startedAt = performance.now();
  await sleep(AWAY_MS);
  const burnt = await countOf(meanwhile, 'unknown');
  // One attempt a second, regardless of the real delay.
  expect(burnt).toBeLessThanOrEqual((performance.now() - startedAt) / 1_000 + 2);

  twilio.behaviours = ['accept'];
  const all = [...before, ...meanwhile];
  await until(
    'none waits',
    async () => (await countOf(all, 'pending')) + (await countOf(all, 'sending')) === 0,
  );
  expect(await countOf(meanwhile, 'sent')).toBeGreaterThanOrEqual(MEANWHILE - burnt - 1);
  expect(await isOpen()).toBe(false);
  expect(twilio.posts).toHaveLength(BEFORE + MEANWHILE);
});
