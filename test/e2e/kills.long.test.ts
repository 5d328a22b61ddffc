import { once } from 'node:events';
import {
  buyAndPay,
  codeIn,
  confirm,
  createProvider,
  createStore,
  createWholesaler,
  deliver,
  order,
  pay,
  seeCreditBack,
} from './support/story';
import { childrenOf, startSystem, type System } from './support/system';

/** Its processes are killed and started again on one data folder, test by test. */
let system: System;
beforeAll(async () => {
  system = await startSystem({ embedded: true });
});
afterAll(() => system.dispose());

it('completes an order while payments and notifier are killed', async () => {
  const wholesaler = await createWholesaler(system);
  const provider = await createProvider(system);
  const store = await createStore(system, wholesaler);

  system.kill('notifier');
  const ordered = await order(system, wholesaler, store);
  await confirm(system, wholesaler, ordered, codeIn(await system.sms(store.phone, 'order-code')));
  system.kill('payments');
  await deliver(system, wholesaler, ordered.transactionId);
  const paying = pay(system, wholesaler, provider, ordered.transactionId);
  await paying;
  system.kill('payments');

  await seeCreditBack(system, wholesaler, store, ordered.transactionId);
  expect(system.output()).toMatch(/notifier .*restarting in/);
});

it('accepts orders while accounts is down', async () => {
  const wholesaler = await createWholesaler(system);
  const store = await createStore(system, wholesaler);
  await order(system, wholesaler, store);

  system.kill('accounts');
  await order(system, wholesaler, store);
});

it('recovers from a kill -9 of every process, with all its data', async () => {
  const wholesaler = await createWholesaler(system);
  const provider = await createProvider(system);
  const store = await createStore(system, wholesaler);
  const { dataDir, ports, supervisor, supervisorPid } = system;
  const ended = once(supervisor, 'exit');
  for (const pid of [...childrenOf(supervisorPid), supervisorPid]) process.kill(pid, 'SIGKILL');
  await ended;

  system = await startSystem({ dataDir, ports, embedded: true });
  await buyAndPay(system, { wholesaler, provider, store });
});

it('recovers from a kill -9 of the supervisor alone', async () => {
  const wholesaler = await createWholesaler(system);
  const { dataDir, ports, supervisor } = system;
  const ended = once(supervisor, 'exit');
  supervisor.kill('SIGKILL');
  await ended;

  system = await startSystem({ dataDir, ports, embedded: true });
  await createStore(system, wholesaler);
});
