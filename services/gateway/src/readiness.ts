import { Loop } from '@fiado/chassis/loop';
import type { Logger } from '@fiado/chassis/logger';
import type { MonotonicClock } from './context';
import type { Service } from '@fiado/contracts/process-names';
import type { Upstreams } from './upstreams';

const CHECK_EVERY_MS = 500;
const CHECK_TIMEOUT_MS = 1_000;
/** Within this time the services of a system that starts together are all ready. */
const WAIT_FOR_ALL_MS = 30_000;

export interface Readiness {
  loop: Loop;
  /** @throws Error while the gateway waits for services, naming them */
  check(): Promise<void>;
}

/**
 * The gateway is ready once every service has been, or 30 s after its start once any service has
 * been: a gateway that restarts while one service is down must still serve the others. Later it
 * stays ready, whatever a service does: other routes are served, and requests to the missing
 * service are answered 503.
 */
export function watchUpstreams(
  upstreams: Upstreams,
  { log, now }: { log: Logger; now: MonotonicClock },
): Readiness {
  const names = Object.keys(upstreams) as Service[];
  const awaited = new Set(names);
  const waitsForAllUntil = now() + WAIT_FOR_ALL_MS;

  const loop = new Loop(log, {
    name: 'readiness',
    everyMs: CHECK_EVERY_MS,
    round: async () => {
      await Promise.all(
        [...awaited].map(async (name) => {
          if (await isReady(upstreams, name)) awaited.delete(name);
        }),
      );
      // Not awaited: the loop ends after this very round.
      if (awaited.size === 0) void loop.stop();
    },
  });

  return {
    loop,
    check: async () => {
      const mayBeMissing = now() < waitsForAllUntil ? 0 : names.length - 1;
      if (awaited.size > mayBeMissing) {
        throw new Error(`Not ready yet: ${[...awaited].join(', ')}`);
      }
    },
  };
}

async function isReady(upstreams: Upstreams, name: Service): Promise<boolean> {
  try {
    const { statusCode, body } = await upstreams[name].instances.next().request({
      method: 'GET',
      path: '/health/ready',
      signal: AbortSignal.timeout(CHECK_TIMEOUT_MS),
    });
    await body.dump();
    return statusCode === 200;
  } catch {
    // Not ready yet: the loop tries again.
    return false;
  }
}
