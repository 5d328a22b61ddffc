import { randomUUID } from 'node:crypto';
import { startStandIn, type StandIn } from '@fiado/chassis/testing/stand-in';
import { unknownNumbersCall } from '@fiado/contracts/unknown-numbers';
import { releaseMessagesToUnknown } from '../src/messages/release-messages';
import {
  codeJob,
  deliver,
  messageRow,
  startNotifier,
  untilStatus,
  type Notifier,
} from './support/notifier';

/** What accounts still allows, by wholesaler. */
const left = new Map<string, number>();

let accounts: StandIn;
let notifier: Notifier;
beforeAll(async () => {
  jest.spyOn(process.stdout, 'write').mockReturnValue(true);
  accounts = await startStandIn(({ path, body }) => {
    if (path !== unknownNumbersCall.path) return { status: 404 };
    const { wholesalerId, wanted } = JSON.parse(body);
    const allowed = Math.min(wanted, left.get(wholesalerId) ?? 0);
    left.set(wholesalerId, (left.get(wholesalerId) ?? 0) - allowed);
    return { body: { allowed } };
  });
  notifier = await startNotifier({ ACCOUNTS_URL: accounts.url });
});
afterAll(async () => {
  await notifier.stop();
  await accounts.stop();
  jest.restoreAllMocks();
});

const WAITS = { status: 'pending', status_reason: 'unknown-number-budget', attempts: 0 };

it('wait for the budget of the wholesaler that set the number, the oldest first', async () => {
  const [unprovenBy, other] = [randomUUID(), randomUUID()];
  const ids = [];
  for (let n = 0; n < 3; n += 1) {
    // Another wholesaler's order uses the same budget, and its own is not touched.
    ids.push(await deliver(notifier, codeJob({ unprovenBy, wholesalerId: other })));
  }
  const known = await deliver(notifier, codeJob({ wholesalerId: other, phone: '+525512345601' }));
  expect(await messageRow(notifier, known)).toMatchObject({ status: 'sent' });
  for (const id of ids) expect(await messageRow(notifier, id)).toMatchObject(WAITS);

  left.set(unprovenBy, 2);
  await releaseMessagesToUnknown(notifier.context);
  const released = await Promise.all(
    ids.slice(0, 2).map((id) => untilStatus(notifier, id, 'sent')),
  );
  expect(released.map(({ status_reason: reason }) => reason)).toEqual([null, null]);
  expect(await messageRow(notifier, ids[2] ?? '')).toMatchObject(WAITS);
});

it('expire while they wait', async () => {
  const id = await deliver(notifier, codeJob({ unprovenBy: randomUUID(), livesMs: 300 }));
  expect(await untilStatus(notifier, id, 'expired')).toMatchObject({
    status_reason: 'unknown-number-budget',
  });
});
