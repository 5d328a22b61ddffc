import type {
  CornerStoreSnapshot,
  SnapshotsAnswer,
  SnapshotsQuestion,
  Versioned,
  WholesalerSnapshot,
} from '@fiado/contracts/corner-store';
import { startStandIn, type StandIn } from '@fiado/chassis/testing/stand-in';

/** A small HTTP server that stands in for accounts: it answers /internal/snapshots as configured. */
export interface NeighbourAccounts extends StandIn {
  /** Questions so far. */
  questions: number;
  /** Whether it answers; false is a service that is unavailable. */
  up: boolean;
  wholesalers: Map<string, Versioned<WholesalerSnapshot>>;
  cornerStores: Map<string, Versioned<CornerStoreSnapshot>>;
}

export async function startNeighbourAccounts(): Promise<NeighbourAccounts> {
  const server = await startStandIn(({ body }, res) => {
    neighbour.questions += 1;
    if (!neighbour.up) return void res.destroy();
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
    return { body: answer };
  });
  const neighbour: NeighbourAccounts = {
    ...server,
    questions: 0,
    up: true,
    wholesalers: new Map(),
    cornerStores: new Map(),
  };
  return neighbour;
}
