import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { until } from '../testing/until';
import { answerAndClose } from './answer-and-close';
import { portOf } from './server';

/** More than the buffers of a connection hold. */
const LONG_ANSWER = Buffer.alloc(64 * 1024 * 1024);
const HEAD = 'HTTP/1.1\r\nHost: x\r\n';

const ends: Array<() => void> = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

interface Opened {
  /** The server's end of the connection. */
  socket: Socket;
  /** Answers to requests that came before the refused one, by their paths. */
  answers: Map<string, ServerResponse>;
}

/** Sends requests on one connection, and then one for /refused, to a client that reads no answer. */
async function sendBeforeRefusal(
  paths: string[],
  { refused, refuse }: { refused: string; refuse?: (req: IncomingMessage) => void },
): Promise<Opened> {
  const answers = new Map<string, ServerResponse>();
  const server = createServer((req, res) => {
    if (req.url !== '/refused') {
      answers.set(req.url ?? '', res);
      if (req.url === '/long') res.end(LONG_ANSWER);
      return;
    }
    refuse?.(req);
    answerAndClose(res, 413, { headers: ['Content-Length', '2'], body: '{}' });
    answers.set('/refused', res);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect(portOf(server), '127.0.0.1').on('error', () => {});
  const [socket] = (await once(server, 'connection')) as [Socket];
  ends.push(() => {
    client.destroy();
    server.closeAllConnections();
    server.close();
  });
  client.write(paths.map((path) => `GET ${path} ${HEAD}\r\n`).join(''));
  await until('they are there', () => answers.size === paths.length);
  client.write(refused);
  await until('it is refused', () => answers.has('/refused'));
  return { socket, answers };
}

describe('a refused request whose answer waits behind another one that nobody reads', () => {
  it('is followed by nothing that is read, when Node resumes the connection', async () => {
    const { socket, answers } = await sendBeforeRefusal(['/slow', '/long'], {
      refused: `GET /refused ${HEAD}\r\n`,
    });
    await nextTurn();
    const resumed = once(socket, 'resume');
    answers.get('/slow')?.end();
    await resumed;
    await nextTurn();
    expect(socket.isPaused()).toBe(true);
  });

  it('is read for a second and no longer, where its body is dropped', async () => {
    const { socket } = await sendBeforeRefusal(['/slow'], {
      refused: `POST /refused ${HEAD}Content-Length: 1000000000000\r\n\r\n`,
      refuse: (req) => req.resume(),
    });
    expect(socket.isPaused()).toBe(false);
    await until('nothing more is read', () => socket.isPaused());
  });
});
