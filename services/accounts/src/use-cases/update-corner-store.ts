import { needsSecondPerson } from '@fiado/shared/chassis/four-eyes';
import type { Caller } from '@fiado/shared/contracts/caller';
import type { ChangeRequested } from '@fiado/shared/contracts/change-requests';
import type { Context } from '../context';
import type { CornerStoreDetails } from '../db/corner-store-details.repository';
import { changedValues } from '../domain/changed-values';
import { termsNeedApproval, termsNeedConfirmation, type Terms } from '../domain/guarded-terms';
import { changeCornerStore } from '../steps/change-corner-store';
import { requestChange } from '../steps/request-change';

export interface UpdateCornerStore {
  by: Caller;
  cornerStoreId: string;
  /** Absent fields stay unchanged. */
  terms: Partial<Terms>;
  /** For the second person, where one is needed. */
  reason?: string | null;
  /** Whether unusual terms are meant. Absent: people are asked, keys are not. */
  confirmed?: boolean | undefined;
}

/**
 * Ops sets a credit limit, an interest rate or a time zone; orders that are there keep theirs. More
 * credit and any other rate wait for a second person.
 * @throws AppError CORNER_STORE_NOT_FOUND, CONFIRMATION_REQUIRED, CHANGE_ALREADY_REQUESTED
 */
export async function updateCornerStore(
  context: Context,
  {
    by,
    cornerStoreId,
    terms,
    reason = null,
    confirmed = by.staff === undefined,
  }: UpdateCornerStore,
): Promise<CornerStoreDetails | ChangeRequested> {
  const { FOUR_EYES, CREDIT_LIMIT_CEILING } = context.config;
  let requested: ChangeRequested | undefined;
  const details = await changeCornerStore(context, {
    by,
    cornerStoreId,
    action: 'corner-store.changed',
    decide: async (store, tx) => {
      if (Object.keys(terms).length === 0) return undefined;
      if (!confirmed) termsNeedConfirmation(store, terms, CREDIT_LIMIT_CEILING);
      if (!needsSecondPerson(FOUR_EYES, by) || !termsNeedApproval(store, terms)) return terms;
      requested = await requestChange(tx, {
        by,
        kind: 'corner-store.terms',
        targetId: cornerStoreId,
        targetVersion: store.version,
        payload: terms,
        before: changedValues<Partial<Terms>>(store, terms).before,
        reason,
      });
      return undefined;
    },
  });
  return requested ?? details;
}
