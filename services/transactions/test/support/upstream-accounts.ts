import type {
  CornerStoreSnapshot,
  SnapshotsAnswer,
  SnapshotsQuestion,
  Versioned,
  WholesalerSnapshot,
} from '@fiado/contracts/corner-store';
import type { CustomerNamesAnswer, CustomerNamesQuestion } from '@fiado/contracts/customer-names';
import type { KnownChanges, KnownChangesQuestion } from '@fiado/contracts/known-changes';
import type { TaxProfileAnswer, TaxProfileQuestion } from '@fiado/contracts/tax-profile';
import { startStandIn, type StandIn } from '@fiado/chassis/testing/stand-in';

/** A small HTTP server that stands in for accounts: it answers /internal/snapshots as configured. */
export interface UpstreamAccounts extends StandIn {
  /** Questions so far. */
  questions: number;
  /** Whether it answers; false is a service that is unavailable. */
  up: boolean;
  wholesalers: Map<string, Versioned<WholesalerSnapshot>>;
  cornerStores: Map<string, Versioned<CornerStoreSnapshot>>;
  /** Sealed, in base64, by user. */
  taxProfiles: Map<string, string>;
}

export async function startUpstreamAccounts(): Promise<UpstreamAccounts> {
  const server = await startStandIn(({ body }, res) => {
    accounts.questions += 1;
    if (!accounts.up) return void res.destroy();
    const question = JSON.parse(body) as
      | SnapshotsQuestion
      | KnownChangesQuestion
      | CustomerNamesQuestion
      | TaxProfileQuestion;
    if ('ids' in question) return { body: { changes: [], actions: [] } satisfies KnownChanges };
    if ('wholesalerIds' in question) return { body: namesOf(question) };
    if ('userId' in question) {
      const taxProfileSealed = accounts.taxProfiles.get(question.userId) ?? null;
      return { body: { taxProfileSealed } satisfies TaxProfileAnswer };
    }
    const { wholesalerId, cornerStoreIds, externalId } = question;
    const answer: SnapshotsAnswer = {
      wholesaler: accounts.wholesalers.get(wholesalerId) ?? null,
      cornerStores: [...accounts.cornerStores.values()].filter(({ snapshot }) =>
        snapshot.customers.some(
          (link) =>
            link.wholesalerId === wholesalerId &&
            (cornerStoreIds.includes(snapshot.cornerStoreId) || link.externalId === externalId),
        ),
      ),
    };
    return { body: answer };
  });
  const accounts: UpstreamAccounts = {
    ...server,
    questions: 0,
    up: true,
    wholesalers: new Map(),
    cornerStores: new Map(),
    taxProfiles: new Map(),
  };
  return accounts;
}

/** Every store that is asked for is called Abarrotes Lupita, and 007 by the first wholesaler. */
function namesOf({ cornerStoreIds, wholesalerIds }: CustomerNamesQuestion): CustomerNamesAnswer {
  const [wholesalerId = ''] = wholesalerIds;
  return {
    cornerStores: Object.fromEntries(cornerStoreIds.map((id) => [id, 'Abarrotes Lupita'])),
    customers: cornerStoreIds.map((cornerStoreId) => ({
      wholesalerId,
      cornerStoreId,
      externalId: '007',
    })),
    wholesalers: Object.fromEntries(wholesalerIds.map((id) => [id, 'Abarrotes del Norte'])),
  };
}
