import { waitFor } from './support/api';
import { verify } from './support/month';
import {
  buyAndPay,
  createProvider,
  createStore,
  createWholesaler,
  type Store,
} from './support/story';
import { startFleet, type Fleet, type Member } from './rolling/fleet';

/** Callers notice within milliseconds that a process stops; this is many times that. */
const DRAIN_MS = 1_000;
/** Processes of each service. */
const INSTANCES = 2;
/** Corner stores that buy at the same time, each time a new one. */
const BUYERS = 3;

/** Root of an earlier build, which is upgraded first. */
const { UPGRADE_FROM: upgradeFrom } = process.env;

let fleet: Fleet;
beforeAll(async () => {
  const config = { DRAIN_MS: String(DRAIN_MS) };
  fleet = await startFleet({ instances: INSTANCES, config, upgradeFrom });
});
afterAll(() => fleet.dispose());

it('every process is replaced with other secrets while stores buy: no request fails, every job is done once', async () => {
  const { api } = fleet;
  const wholesaler = await createWholesaler(api);
  const provider = await createProvider(api);
  const bought: Store[] = [];
  const load = { ends: false };
  const buyers = Array.from({ length: BUYERS }, async () => {
    while (!load.ends) {
      const store = await createStore(api, wholesaler);
      await buyAndPay(api, { wholesaler, provider, store });
      bought.push(store);
    }
  });
  const allBuyers = Promise.all(buyers);

  const rolling = (async () => {
    if (upgradeFrom !== undefined) {
      await fleet.upgrade();
      await replaceAll(bought);
    }
    // The steps of docs/operations/rotate-keys.md.
    fleet.setSecrets('old', 'new');
    await replaceAll(bought);
    await api.call(api.opsKey, 'POST', '/admin/data-keys');
    fleet.setSecrets('new', 'old');
    await replaceAll(bought);
    fleet.setSecrets('new');
    await replaceAll(bought);
    await waitFor(async () => (await sealingNumbers()) === '1,1,1' || undefined);
  })().finally(() => (load.ends = true));
  // Also if one fails: no process is replaced any more when Jest runs the test again.
  await Promise.allSettled([allBuyers, rolling]);
  await Promise.all([allBuyers, rolling]);

  for (const { phone } of bought) {
    const { body } = await api.call(api.opsKey, 'POST', '/admin/messages/search', {
      body: { phoneNumber: phone },
    });
    const templates = body.messages.map(({ template }: { template: string }) => template);
    // Messages about debts come at the store's daytime only.
    const atAnyTime = templates.filter((one: string) => /^(delivery-word|order-code)$/.test(one));
    expect(atAnyTime.toSorted()).toEqual(['delivery-word', 'order-code']);
  }
  const failed = await api.call(api.opsKey, 'GET', '/admin/jobs?state=failed');
  expect(failed.body.jobs).toEqual([]);
  expect(await verify(api)).toEqual({ ok: true, broken: [] });
  expect(bought.length).toBeGreaterThanOrEqual(fleet.members.length);
  // A caller may have to send once more; that is to be the exception, not the way it works.
  expect(fleet.repeated()).toBeLessThanOrEqual(2);
});

/** Replaces one process of each service at the same time, and then the other ones. */
async function replaceAll(bought: Store[]): Promise<void> {
  for (const nth of [0, 1]) {
    const side = fleet.members.filter((_, index) => index % INSTANCES === nth);
    const before = bought.length;
    const restart = async (member: Member) => [member.service.name, await member.restart()];
    const codes = await Promise.all(side.map(restart));
    expect(codes).toEqual(side.map(({ service }) => [service.name, 0]));
    // Work on the new processes before the next ones go.
    await waitFor(() => Promise.resolve(bought.length >= before + BUYERS || undefined));
  }
}

/** The data keys that accounts, transactions and the notifier seal with. */
async function sealingNumbers(): Promise<string> {
  const { body } = await fleet.api.call(fleet.api.opsKey, 'GET', '/admin/data-keys');
  const services = body.sealingServices as { sealingNumber: number }[];
  return services.map(({ sealingNumber }) => sealingNumber).join();
}
