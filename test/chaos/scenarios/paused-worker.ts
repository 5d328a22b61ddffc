import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Stage } from '../run-under-load';
import { noDamage, type Damage } from '../support/inflict';
import { Instance } from '../support/instance';
import { raiseCredit } from '../support/market';
import { PROXIED } from '../support/schedule';
import type { Scenario } from './scenario';

const WORK_FIRST_MS = 4_000;
/** Orders at once, whose codes Twilio keeps: each of two notifiers has some in its hands then. */
const ORDERS_PER_STORE = 4;
/** Of the two dozen, were they shared very unevenly. */
const MIN_IN_HANDS = 3;
const HANDS_FULL_MS = 1_500;
/** Past every lock, lease and claim of a process. */
const PAUSE_MS = 45_000;
/** The continued processes finish the jobs that they still hold. */
const AFTERMATH_MS = 10_000;

/**
 * One of two processes of each service is stopped in its work for 45 s and then continued: the
 * others have taken its jobs over, and it sends and applies nothing a second time.
 */
export const pausedWorker: Scenario = {
  backends: ['postgres', 'redis'],
  seconds: 60,
  disturb: async (stage: Stage): Promise<Damage> => {
    const { deployment, output } = stage;
    const damage = noDamage();
    const others: Instance[] = [];
    try {
      for (const service of PROXIED) others.push(await Instance.start(deployment, service));
      for (const { process } of others) output.follow(process);
      await sleep(WORK_FIRST_MS);

      deployment.twilio.behaviours = ['accept-then-hang'];
      await orderFromAll(stage);
      await sleep(HANDS_FULL_MS);
      for (const other of others) other.pause();
      deployment.twilio.behaviours = ['accept'];
      await sleep(PAUSE_MS);
      for (const other of others) other.resume();
      await sleep(AFTERMATH_MS);

      const [lost] = await deployment.database.query<{ count: string }>(
        "SELECT count(*) FROM notifier.messages WHERE status_reason = 'SENDER_LOST'",
      );
      damage.measured.push(
        `4 workers stopped for ${PAUSE_MS / 1_000} s: ${lost?.count} messages were in their hands`,
      );
      if (Number(lost?.count) < MIN_IN_HANDS)
        damage.violations.push('the stopped notifier had hardly anything to send');
    } finally {
      const codes = await Promise.all(others.map((other) => other.stop()));
      if (codes.some((code) => code !== 0)) {
        damage.violations.push(`the other processes ended with ${codes.join(', ')}`);
      }
    }
    return damage;
  },
};

/** Also where the clients have used all credit up. */
async function orderFromAll({ deployment, market, history }: Stage): Promise<void> {
  const { system } = deployment;
  await raiseCredit(system, market);
  const { key } = market.wholesaler;
  const products = [{ externalSKU: 'SKU-1', name: 'Refresco', quantity: 1 }];
  await Promise.all(
    market.stores.flatMap(({ cornerStoreId }, client) =>
      Array.from({ length: ORDERS_PER_STORE }, () => {
        const order = { cornerStoreId, totalAmount: 100, wholesalerTransactionId: randomUUID() };
        const body = { ...order, products };
        const idempotencyKey = randomUUID();
        return history.perform(
          { kind: 'order', client, credential: key, path: '/transaction', idempotencyKey, body },
          Date.now(),
        );
      }),
    ),
  );
}
