import { startStandIn } from '@fiado/chassis/testing/stand-in';
import { until } from '@fiado/chassis/testing/until';
import type { System } from './system';
import type { World } from './world';

const OWNERS = 30;
/** As many as an owner may have. */
const ENDPOINTS_OF_OWNER = 10;
/** Endpoints that are created at a time. */
const AT_ONCE = 6;
/** Places of new endpoints: the others wait behind these. */
const HANGING_AT_ONCE = 16;
const DEADLINE_MS = 60_000;

/** A server that takes webhooks, or spans. */
export interface Receiver {
  url: string;
  /** Requests that it got. */
  readonly connections: number;
}

/** @param answers whether it answers at all */
export async function startReceiver(
  { cleanup }: Pick<World, 'cleanup'>,
  { answers }: { answers: boolean },
): Promise<Receiver> {
  let connections = 0;
  const server = await startStandIn(() => {
    connections += 1;
    return answers ? { status: 204 } : undefined;
  });
  cleanup.add(server.stop);
  return {
    url: `${server.url}/`,
    get connections() {
      return connections;
    },
  };
}

/** Creates a webhook endpoint that wants every event. @returns its id */
export async function createEndpoint(system: System, apiKey: string, url: string): Promise<string> {
  const { webhookEndpointId } = await system.call<{ webhookEndpointId: string }>(
    apiKey,
    'POST',
    '/webhook-endpoints',
    { url },
  );
  return webhookEndpointId;
}

/**
 * 300 endpoints of 30 other wholesalers, which accept connections and never answer, each with an
 * event to deliver. Returns when as many hang as may be tried at a time.
 */
export async function openHangingEndpoints(world: World, system: System): Promise<Receiver> {
  const receiver = await startReceiver(world, { answers: false });
  const owners: string[] = [];
  for (let n = 0; n < OWNERS; n += 1) {
    const name = `Abarrotera ${n}`;
    const { apiKey } = await system.ops<{ apiKey: string }>('POST', '/admin/wholesalers', { name });
    owners.push(...Array.from({ length: ENDPOINTS_OF_OWNER }, () => apiKey));
  }
  const waiting = owners.values();
  const create = async (): Promise<void> => {
    for (const apiKey of waiting) {
      const id = await createEndpoint(system, apiKey, receiver.url);
      await system.call(apiKey, 'POST', `/webhook-endpoints/${id}/test`, {});
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, create));
  const many = () => receiver.connections >= HANGING_AT_ONCE;
  await until('webhooks hang', many, DEADLINE_MS);
  return receiver;
}
