import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { CreditUseQuestion } from '@fiado/shared/contracts/credit-use';

export interface TransactionsStandIn {
  url: string;
  /** Cents used, by corner store; a store that is not here has no line. */
  used: Map<string, number>;
  /** Every question that was asked. */
  questions: CreditUseQuestion[];
  close(): Promise<void>;
}

/** A real HTTP server that answers /internal/credit-use as transactions does. */
export async function startTransactionsStandIn(): Promise<TransactionsStandIn> {
  const used = new Map<string, number>();
  const questions: CreditUseQuestion[] = [];
  const server = createServer((req, res) => {
    void text(req).then((body) => {
      const known = req.method === 'POST' && req.url === '/internal/credit-use';
      if (!known || req.headers['x-fiado-caller'] === undefined) {
        res.writeHead(404).end(JSON.stringify({ errorCode: 'ROUTE_NOT_FOUND', errorMessage: '' }));
        return;
      }
      const question = JSON.parse(body) as CreditUseQuestion;
      questions.push(question);
      const lines = question.cornerStoreIds.flatMap((cornerStoreId) => {
        const usedCents = used.get(cornerStoreId);
        return usedCents === undefined ? [] : [{ cornerStoreId, usedCents }];
      });
      res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ lines }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    used,
    questions,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
