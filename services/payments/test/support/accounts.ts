import { createServer, type Server } from 'node:http';
import { portOf, startListening } from '@fiado/shared/chassis/http/server';

/** accounts as payments asks it: knows the initials that a test put in, by user. */
export interface AccountsStandIn {
  url: string;
  initials: Map<string, string>;
  /** The bodies of all questions, in their order. */
  asked: unknown[];
  stop(): Promise<void>;
}

export async function startAccounts(): Promise<AccountsStandIn> {
  const initials = new Map<string, string>();
  const asked: unknown[] = [];
  const server: Server = createServer((req, res) => {
    let text = '';
    req.on('data', (chunk: Buffer) => (text += chunk.toString()));
    req.on('end', () => {
      const question = JSON.parse(text) as { userId: string };
      asked.push(question);
      const isOwn = req.url === '/internal/first-name-initial';
      const firstNameInitial = initials.get(question.userId) ?? null;
      res.setHeader('content-type', 'application/json');
      res.writeHead(isOwn ? 200 : 404).end(JSON.stringify({ firstNameInitial }));
    });
  });
  await startListening(server, '127.0.0.1', 0);
  return {
    url: `http://127.0.0.1:${portOf(server)}`,
    initials,
    asked,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
