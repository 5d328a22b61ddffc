import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type {
  CornerStoreSnapshot,
  SnapshotsAnswer,
  SnapshotsQuestion,
  Versioned,
  WholesalerSnapshot,
} from '@fiado/shared/contracts/corner-store';

/** A small HTTP server that stands in for accounts: it answers /internal/snapshots as configured. */
export interface NeighbourAccounts {
  url: string;
  /** Questions so far. */
  questions: number;
  /** Whether it answers; false is a service that is unavailable. */
  up: boolean;
  wholesalers: Map<string, Versioned<WholesalerSnapshot>>;
  cornerStores: Map<string, Versioned<CornerStoreSnapshot>>;
  stop(): Promise<void>;
}

export async function startNeighbourAccounts(): Promise<NeighbourAccounts> {
  const server = createServer((req, res) => {
    neighbour.questions += 1;
    if (!neighbour.up) {
      req.socket.destroy();
      return;
    }
    let body = '';
    req.on('data', (chunk: Buffer) => (body += chunk.toString()));
    req.on('end', () => {
      const { wholesalerId, cornerStoreIds, externalId } = JSON.parse(body) as SnapshotsQuestion;
      const answer: SnapshotsAnswer = {
        wholesaler: neighbour.wholesalers.get(wholesalerId) ?? null,
        cornerStores: [...neighbour.cornerStores.values()].filter(({ snapshot }) =>
          snapshot.customers.some(
            (link) =>
              link.wholesalerId === wholesalerId &&
              (cornerStoreIds.includes(snapshot.cornerStoreId) || link.externalId === externalId),
          ),
        ),
      };
      res.setHeader('content-type', 'application/json').end(JSON.stringify(answer));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const neighbour: NeighbourAccounts = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    questions: 0,
    up: true,
    wholesalers: new Map(),
    cornerStores: new Map(),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return neighbour;
}
