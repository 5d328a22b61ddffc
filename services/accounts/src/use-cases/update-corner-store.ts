import type { Caller } from '@fiado/shared/contracts/caller';
import type { Context } from '../context';
import type { CornerStoreDetails } from '../db/corner-store-details.repository';
import { changeCornerStore, type CornerStoreChanges } from '../steps/change-corner-store';

export interface UpdateCornerStore {
  by: Caller;
  cornerStoreId: string;
  /** Absent fields stay unchanged. */
  terms: Pick<CornerStoreChanges, 'creditLimitCents' | 'interestRate' | 'timeZone'>;
}

/**
 * Ops sets a credit limit, an interest rate or a time zone; orders that are there keep theirs.
 * @throws AppError CORNER_STORE_NOT_FOUND
 */
export function updateCornerStore(
  context: Context,
  { by, cornerStoreId, terms }: UpdateCornerStore,
): Promise<CornerStoreDetails> {
  return changeCornerStore(context, {
    by,
    cornerStoreId,
    action: 'corner-store.changed',
    decide: () => (Object.keys(terms).length === 0 ? undefined : terms),
  });
}
