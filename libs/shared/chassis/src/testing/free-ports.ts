import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { type EventEmitter, once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Below the ports that an operating system gives to outgoing connections, so that no connection of
 * another test takes one before it is listened on.
 */
const PORTS = { min: 10_000, max: 31_000 };

/** For containers, which listen minutes after their ports were found, beside other tests. */
export const CONTAINER_PORTS = { min: 31_000, max: 32_000 };

/** Ports of 127.0.0.1 that nobody listens on, and that no other process of the tests has been given. */
export async function freePorts(count: number, range = PORTS): Promise<number[]> {
  const found: number[] = [];
  while (found.length < count) {
    const port = randomInt(range.min, range.max);
    if ((await reserve(port)) && (await isFree(port))) found.push(port);
  }
  return found;
}

/**
 * Binds the UDP port of that number until this process ends. A TCP port is free before the test's
 * service listens on it, and again while the service restarts: another test could take it.
 */
async function reserve(port: number): Promise<boolean> {
  const socket = createSocket('udp4').unref();
  const listening = listens(socket);
  socket.bind({ port, address: '127.0.0.1', exclusive: true });
  return listening;
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  const free = await listens(server);
  if (free) await once(server.close(), 'close');
  return free;
}

/** A port that is taken is an error event, which rejects. */
function listens(socket: EventEmitter): Promise<boolean> {
  return once(socket, 'listening').then(
    () => true,
    () => false,
  );
}
