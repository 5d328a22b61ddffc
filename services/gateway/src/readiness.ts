import { Loop } from '@fiado/shared/chassis/loop';
import type { Logger } from '@fiado/shared/chassis/logger';
import type { UpstreamName, Upstreams } from './upstreams';

const CHECK_EVERY_MS = 500;
const CHECK_TIMEOUT_MS = 1_000;

export interface Readiness {
  loop: Loop;
  /** Throws while there is a service that has never been ready, naming those. */
  check(): Promise<void>;
}

/**
 * The gateway is ready once every service has been. Later it stays ready, whatever a service does:
 * the others go on being served, and requests to the absent one are answered 503.
 */
export function watchUpstreams(upstreams: Upstreams, log: Logger): Readiness {
  const awaited = new Set(Object.keys(upstreams) as UpstreamName[]);

  const loop = new Loop({
    name: 'readiness',
    everyMs: CHECK_EVERY_MS,
    log,
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
      if (awaited.size > 0) throw new Error(`Not ready yet: ${[...awaited].join(', ')}`);
    },
  };
}

async function isReady(upstreams: Upstreams, name: UpstreamName): Promise<boolean> {
  try {
    const { statusCode, body } = await upstreams[name].instances.next().request({
      method: 'GET',
      path: '/health/ready',
      signal: AbortSignal.timeout(CHECK_TIMEOUT_MS),
    });
    await body.dump();
    return statusCode === 200;
  } catch {
    // Not there yet: what the loop is for.
    return false;
  }
}
