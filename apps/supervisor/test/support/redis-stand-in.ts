import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';

/** A server that answers every Redis command with the same line. */
export interface RedisStandIn {
  address: string;
  stop(): void;
}

export async function startRedisStandIn(answer = '+OK'): Promise<RedisStandIn> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', (chunk: Buffer) => {
      const commands = chunk.toString().match(/^\*\d+\r$/gm) ?? [];
      socket.write(commands.map(() => `${answer}\r\n`).join(''));
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return { address: `127.0.0.1:${port}`, stop: () => void server.close() };
}
