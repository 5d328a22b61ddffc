import type { Caller } from '@fiado/contracts/caller';
import {
  cornerStoreDebtsCall,
  type CornerStoreDebts,
  type CornerStoreDebtsQuestion,
} from '@fiado/contracts/corner-store-debts';
import { creditUseCall, type CreditUseQuestion } from '@fiado/contracts/credit-use';
import { AppError } from '@fiado/contracts/errors';
import type { Context } from '../context';
import { recordAudit } from '../db/audit-log.repository';
import {
  findCornerStoreDetails,
  type CornerStoreDetails,
} from '../db/corner-store-details.repository';
import { findWholesalerNames, type WholesalerName } from '../db/wholesalers.repository';
import { answersOf, type AskedService } from '../steps/ask-services';

export interface ShowCornerStore {
  by: Caller;
  cornerStoreId: string;
  /** Whether the caller gets it without personal data. */
  masked: boolean;
}

export interface ShownCornerStore {
  store: CornerStoreDetails;
  wholesalers: WholesalerName[];
  /** Cents of the limit that orders and debts use; undefined while transactions does not answer. */
  usedCents: number | undefined;
  /** Undefined while payments does not answer. */
  debts: CornerStoreDebts | undefined;
  missing: AskedService[];
}

/**
 * A corner store with what the other services know of it. A look at its personal data is audited.
 * @throws AppError CORNER_STORE_NOT_FOUND
 */
export async function showCornerStore(
  context: Context,
  { by, cornerStoreId, masked }: ShowCornerStore,
): Promise<ShownCornerStore> {
  const { db, transactions, payments } = context;
  const store = await findCornerStoreDetails(db, cornerStoreId);
  if (store === undefined) throw new AppError('CORNER_STORE_NOT_FOUND');
  if (!masked) {
    await recordAudit(db, { by, action: 'corner-store.viewed', objectId: cornerStoreId });
  }
  const line: CreditUseQuestion = { cornerStoreIds: [cornerStoreId] };
  const owner: CornerStoreDebtsQuestion = { cornerStoreId };
  const [wholesalers, { answers, missing }] = await Promise.all([
    findWholesalerNames(
      db,
      store.customers.map(({ wholesalerId }) => wholesalerId),
    ),
    answersOf<{ usedCents?: number; debts?: CornerStoreDebts }>(context, {
      transactions: transactions
        .ask(creditUseCall, line)
        // A store without a line has used nothing.
        .then(({ lines }) => ({ usedCents: lines[0]?.usedCents ?? 0 })),
      payments: payments.ask(cornerStoreDebtsCall, owner).then((debts) => ({ debts })),
    }),
  ]);
  const { usedCents, debts } = Object.assign({}, ...answers.map(({ answer }) => answer)) as {
    usedCents?: number;
    debts?: CornerStoreDebts;
  };
  return { store, wholesalers, usedCents, debts, missing };
}
