import { snapshotsCall, type SnapshotsQuestion } from '@fiado/contracts/corner-store';
import type { Context } from '../context';
import { recordWholesaler } from '../db/credit-terms.repository';
import { keepCornerStore } from './keep-corner-store';

/**
 * Fetches corner stores, by their ids or one by its externalId, and their wholesaler from accounts
 * and stores them. Called before an order is refused, outside any database transaction. Concurrent
 * orders for the same stores share one call.
 * @throws AppError SERVICE_UNAVAILABLE when accounts cannot be reached
 */
export function refreshCreditTerms(context: Context, question: SnapshotsQuestion): Promise<void> {
  return context.refreshes.run(JSON.stringify(question), async () => {
    const answer = await context.accounts.ask(snapshotsCall, question);
    if (answer.wholesaler !== null) await recordWholesaler(context.db, answer.wholesaler);
    for (const cornerStore of answer.cornerStores) await keepCornerStore(context, cornerStore);
  });
}
