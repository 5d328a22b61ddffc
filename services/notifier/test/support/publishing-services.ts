import { createServer, type Server } from 'node:http';
import type { EventSettings } from '@fiado/shared/contracts/event-settings';
import { closeServer, portOf, startListening } from '@fiado/shared/chassis/http/server';

/** Stand-ins of the services that publish events: each records the settings that it receives. */
export interface PublishingServices {
  /** In the order of the calls. */
  told: Array<{
    service: 'accounts' | 'transactions' | 'payments';
    path: string | undefined;
    settings: EventSettings;
  }>;
  /** Those that do not answer. */
  hanging: Set<'accounts' | 'transactions' | 'payments'>;
  /** For the notifier that calls them. */
  environment: { ACCOUNTS_URL: string; TRANSACTIONS_URL: string; PAYMENTS_URL: string };
  stop(): Promise<void>;
}

export async function startPublishingServices(): Promise<PublishingServices> {
  const told: PublishingServices['told'] = [];
  const hanging: PublishingServices['hanging'] = new Set();
  const start = async (name: 'accounts' | 'transactions' | 'payments'): Promise<Server> => {
    const server = createServer((req, res) => {
      let body = '';
      req.on('data', (chunk: Buffer) => (body += chunk.toString()));
      req.on('end', () => {
        if (hanging.has(name)) return;
        told.push({ service: name, path: req.url, settings: JSON.parse(body) });
        res.setHeader('content-type', 'application/json').end('{}');
      });
    });
    await startListening(server, '127.0.0.1', 0);
    return server;
  };
  const accounts = await start('accounts');
  const transactions = await start('transactions');
  const payments = await start('payments');
  const urlOf = (server: Server) => `http://127.0.0.1:${portOf(server)}`;
  return {
    told,
    hanging,
    environment: {
      ACCOUNTS_URL: urlOf(accounts),
      TRANSACTIONS_URL: urlOf(transactions),
      PAYMENTS_URL: urlOf(payments),
    },
    stop: async () => {
      for (const server of [accounts, transactions, payments]) {
        server.closeAllConnections();
        await closeServer(server);
      }
    },
  };
}
