import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { until } from '../testing/until';
import { openRedis } from './open-redis';

/** A server of the protocol of Redis: a command to an answer, or none yet. */
async function serve(answer: (command: string, socket: Socket) => string | undefined) {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    socket.on('data', (chunk: Buffer) => {
      for (const command of chunk
        .toString()
        .split(/^\*\d+\r\n/m)
        .slice(1)) {
        const reply = answer(command.replaceAll(/\$\d+\r\n/g, '').replaceAll('\r\n', ' '), socket);
        if (reply !== undefined) socket.write(reply);
      }
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const disconnectAll = () => sockets.forEach((socket) => socket.destroy());
  return { port, disconnectAll, stop: () => (disconnectAll(), server.close()) };
}

const bulk = (text: string) => `$${Buffer.byteLength(text)}\r\n${text}\r\n`;

it('a client finds the new master when it hears of the failover while it looks for it', async () => {
  const master = await serve((command) => {
    if (command.startsWith('info')) return bulk('role:master\r\nloading:0\r\n');
    return command.startsWith('ping') ? '+PONG\r\n' : '+OK\r\n';
  });
  const address = `*2\r\n${bulk('127.0.0.1')}${bulk(String(master.port))}`;
  const subscribers = new Set<Socket>();
  const asking: Socket[] = [];
  let isSlow = false;
  const sentinel = await serve((command, socket) => {
    if (command.startsWith('subscribe')) {
      subscribers.add(socket.on('close', () => subscribers.delete(socket)));
      return `*3\r\n${bulk('subscribe')}${bulk('+switch-master')}:1\r\n`;
    }
    if (command.startsWith('sentinel sentinels')) return '*0\r\n';
    if (!command.startsWith('sentinel get-master-addr-by-name')) return '+OK\r\n';
    if (isSlow) asking.push(socket);
    return isSlow ? undefined : address;
  });
  const client = openRedis(`redis+sentinel://127.0.0.1:${sentinel.port}/fiado`, {
    retryStrategy: () => 1,
    maxRetriesPerRequest: null,
  });
  client.on('error', () => undefined);
  expect(await client.ping()).toBe('PONG');
  await until('it hears of failovers', () => subscribers.size === 1);

  isSlow = true;
  master.disconnectAll();
  await until('it looks for the master', () => asking.length > 0);
  for (const subscriber of subscribers) {
    subscriber.write(`*3\r\n${bulk('message')}${bulk('+switch-master')}${bulk('fiado')}`);
  }
  await until('the old subscription has ended', () => subscribers.size === 0);
  isSlow = false;
  for (const socket of asking) socket.write(address);

  expect(await client.ping()).toBe('PONG');
  client.disconnect();
  sentinel.stop();
  master.stop();
});
