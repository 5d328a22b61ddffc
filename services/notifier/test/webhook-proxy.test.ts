import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { portOf } from '@fiado/chassis/http/server';
import { createWebhookClient } from '../src/webhooks/webhook-client';

test.each([
  ['closes the connection', (socket: Socket) => socket.end(), 'CONNECTION_RESET'],
  ['refuses', (socket: Socket) => socket.end('HTTP/1.1 403 Forbidden\r\n\r\n'), 'NOT_REACHED'],
  ['never answers', () => {}, 'TIMEOUT'],
])('a proxy that %s is asked once for an attempt', async (_reaction, react, error) => {
  let connections = 0;
  const proxy = createServer((socket) => {
    connections += 1;
    socket.on('error', () => {}).once('data', () => react(socket));
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const client = createWebhookClient({
    isAllowed: () => true,
    resolve: async () => [],
    proxyUrl: `http://127.0.0.1:${portOf(proxy as never)}`,
  });

  const post = { url: 'https://receiver.invalid/hooks', headers: {}, body: '{}' };
  expect(await client.post(post)).toEqual({ error });
  expect(connections).toBe(1);

  await client.close();
  proxy.close();
});
