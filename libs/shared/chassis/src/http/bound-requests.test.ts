import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { boundRequests } from './bound-requests';
import { closeServer, portOf, startListening } from './server';

const KEEP_ALIVE_MS = 100;
/** Also longer than the second that newer versions of Node add. */
const BUSY_MS = 1_500;
const REQUEST = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';

const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS });
boundRequests(server, { maxBodyLength: () => 0, handle: (_req, res) => res.end('done') });
beforeAll(() => startListening(server, '127.0.0.1', 0));
afterAll(() => closeServer(server));

async function connectionWithAnAnswer() {
  const socket = connect(portOf(server), '127.0.0.1');
  socket.write(REQUEST);
  await once(socket, 'data');
  return socket;
}

it('a request that arrived before its connection was idle for too long is answered, however busy the process is', async () => {
  const socket = await connectionWithAnAnswer();
  const answer = once(socket, 'data');
  const closed = once(socket, 'close').then(() => ['closed']);
  socket.write(REQUEST);
  const end = performance.now() + BUSY_MS;
  while (performance.now() < end);
  expect(String((await Promise.race([answer, closed]))[0])).toMatch(/^HTTP\/1\.1 200 OK/);
  await closed;
});

it('an idle connection is closed', async () => {
  const socket = await connectionWithAnAnswer();
  await once(socket, 'close');
});
