import { setTimeout as sleep } from 'node:timers/promises';
import { createWebhookClient } from '../src/clients/webhooks/webhook-client';
import type { HostAddress } from '../src/clients/webhooks/resolve-host';
import { createAddressGuard } from '../src/domain/address-guard';
import { checkWebhookUrl } from '../src/steps/check-webhook-url';
import { Receiver } from './support/receiver';

/**
 * A public address. A run with a guard that was broken on purpose belongs into a network namespace of
 * its own (`unshare -n`): it would connect.
 */
const PUBLIC: HostAddress = { address: '93.184.215.14', family: 4 };
const isAllowed = createAddressGuard([]);

/** Longer than a refused connection would take. */
const CONNECT_MS = 200;

/** Addresses that a name leads to, one list for each look-up. */
function resolverOf(...answers: HostAddress[][]) {
  let lookups = 0;
  return async () => answers[Math.min(lookups++, answers.length - 1)] ?? [];
}

const post = async (url: string, resolve: () => Promise<HostAddress[]>) => {
  const client = createWebhookClient({ isAllowed, resolve });
  const outcome = await client.post({ url, headers: {}, body: '{}' });
  await client.close();
  return outcome;
};

const REBOUND: Array<[string, HostAddress, string]> = [
  ['127.0.0.1', { address: '127.0.0.1', family: 4 }, '127.0.0.1'],
  ['::1', { address: '::1', family: 6 }, '::1'],
  ['::ffff:127.0.0.1', { address: '::ffff:127.0.0.1', family: 6 }, '127.0.0.1'],
];

test.each(REBOUND)(
  'a name that was public and leads to %s now is never connected to',
  async (_, address, host) => {
    const receiver = await Receiver.start(host);
    const resolve = resolverOf([PUBLIC], [address]);
    const url = `https://rebinding.example:${receiver.port}/`;
    const context = { isSandbox: false, resolveHost: resolve, mayReach: isAllowed };
    await expect(checkWebhookUrl(context, url)).resolves.toBe(url);

    expect(await post(url, resolve)).toEqual({ error: 'ADDRESS_NOT_ALLOWED' });
    await sleep(CONNECT_MS);
    expect(receiver.connections).toBe(0);
    await receiver.stop();
  },
);

test('one private address among public ones is refused, whatever its place', async () => {
  const receiver = await Receiver.start();
  const loopback: HostAddress = { address: '127.0.0.1', family: 4 };
  const url = `https://mixed.example:${receiver.port}/`;
  for (const addresses of [
    [loopback, PUBLIC],
    [PUBLIC, loopback],
  ]) {
    const context = { isSandbox: false, resolveHost: resolverOf(addresses), mayReach: isAllowed };
    await expect(checkWebhookUrl(context, url)).rejects.toThrow('must be https');
    expect(await post(url, resolverOf(addresses))).toEqual({ error: 'ADDRESS_NOT_ALLOWED' });
  }
  expect(receiver.connections).toBe(0);
  await receiver.stop();
});

test.each(['127.0.0.1', '[::1]', '2130706433', '0x7f.1', '[::ffff:127.0.0.1]'])(
  'the literal %s, which no look-up sees, is refused',
  async (host) => {
    const receiver = await Receiver.start(host.includes('::1') ? '::1' : '127.0.0.1');
    const url = `http://${host}:${receiver.port}/`;
    expect(await post(url, resolverOf([PUBLIC]))).toEqual({ error: 'ADDRESS_NOT_ALLOWED' });
    await sleep(CONNECT_MS);
    expect(receiver.connections).toBe(0);
    await receiver.stop();
  },
);

test('an address that is allowed is reached', async () => {
  const receiver = await Receiver.start();
  const client = createWebhookClient({
    isAllowed: createAddressGuard(['127.0.0.0/8']),
    resolve: resolverOf([{ address: '127.0.0.1', family: 4 }]),
  });
  const url = `http://receiver.example:${receiver.port}/`;
  expect(await client.post({ url, headers: {}, body: '{}' })).toMatchObject({ status: 204 });
  await client.close();
  await receiver.stop();
});
