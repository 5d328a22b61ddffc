import { createServer, type Server } from 'node:http';
import { portOf, startListening } from '@fiado/shared/chassis/http/server';
import { catalogue } from '@fiado/shared/contracts/error-catalogue';
import type { TransactionDelivered } from '@fiado/shared/contracts/jobs/transaction-delivered';

/** transactions as payments asks it: knows the transactions that a test put in. */
export interface TransactionsStandIn {
  url: string;
  /** By id: what was delivered, or null for an order that is not delivered yet. */
  known: Map<string, { wholesalerId: string; delivered: TransactionDelivered | null }>;
  stop(): Promise<void>;
}

export async function startTransactions(): Promise<TransactionsStandIn> {
  const known: TransactionsStandIn['known'] = new Map();
  const server: Server = createServer((req, res) => {
    let text = '';
    req.on('data', (chunk: Buffer) => (text += chunk.toString()));
    req.on('end', () => {
      const { transactionId, wholesalerId } = JSON.parse(text) as Record<string, string>;
      const found = known.get(transactionId ?? '');
      const isOwn = req.url === '/internal/delivered-transaction' && found !== undefined;
      res.setHeader('content-type', 'application/json');
      if (!isOwn || found.wholesalerId !== wholesalerId) {
        const { title } = catalogue.TRANSACTION_NOT_FOUND;
        res.writeHead(404);
        res.end(JSON.stringify({ errorCode: 'TRANSACTION_NOT_FOUND', errorMessage: title }));
        return;
      }
      res.end(JSON.stringify({ delivered: found.delivered }));
    });
  });
  await startListening(server, '127.0.0.1', 0);
  return {
    url: `http://127.0.0.1:${portOf(server)}`,
    known,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
