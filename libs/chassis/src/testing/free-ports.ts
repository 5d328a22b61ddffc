import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

/**
 * Below the ports that an operating system gives to outgoing connections, so that no connection of
 * another test takes one before it is listened on.
 */
const PORTS = { min: 10_000, max: 31_000 };

/** For containers, which listen minutes after their ports were found, beside other tests. */
export const CONTAINER_PORTS = { min: 31_000, max: 32_000 };

/** Ports of 127.0.0.1 that nobody listens on. */
export async function freePorts(count: number, range = PORTS): Promise<number[]> {
  const found = new Map<number, Server>();
  while (found.size < count) {
    const port = randomInt(range.min, range.max);
    const server = createServer().listen(port, '127.0.0.1');
    // A port that is taken is an error event, which rejects.
    await once(server, 'listening').then(
      () => found.set(port, server),
      () => undefined,
    );
  }
  await Promise.all([...found.values()].map((server) => once(server.close(), 'close')));
  return [...found.keys()];
}
