import { needsSecondPerson } from '@fiado/chassis/four-eyes';
import type { Caller } from '@fiado/contracts/caller';
import type { ChangeRequested } from '@fiado/contracts/change-requests';
import type { Context } from '../context';
import type { CornerStoreDetails } from '../db/corner-store-details.repository';
import { changedValues } from '../domain/changed-values';
import {
  differingTerms,
  raiseOf,
  termsNeedApproval,
  termsNeedConfirmation,
  type LimitHistory,
  type Terms,
} from '../domain/guarded-terms';
import { changeCornerStore } from '../steps/change-corner-store';
import { refuseWhileChangeWaits, requestChange } from '../steps/request-change';

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
 * Ops sets a credit limit, an interest rate or a time zone; orders that are there keep theirs. A limit
 * that people raise too far and any other rate wait for a second person, and while one waits no person
 * raises the limit. A lower limit counts at once, and ends what waits.
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
  const isExempt = !needsSecondPerson(FOUR_EYES, by);
  let requested: ChangeRequested | undefined;
  const details = await changeCornerStore(context, {
    by,
    cornerStoreId,
    action: 'corner-store.changed',
    limitBy: isExempt ? 'exempt' : 'one-person',
    decide: async (store, tx) => {
      if (!confirmed) termsNeedConfirmation(store, terms, CREDIT_LIMIT_CEILING);
      const changes = differingTerms(store, terms);
      if (Object.keys(changes).length === 0) return undefined;
      if (isExempt) return changes;
      const target = {
        kind: 'corner-store.terms',
        targetId: cornerStoreId,
        targetVersion: store.version,
      } as const;
      if (!termsNeedApproval(store, changes)) {
        if (raiseOf(store, changes) > 0) await refuseWhileChangeWaits(tx, by, target);
        return changes;
      }
      requested = await requestChange(tx, {
        ...target,
        by,
        payload: changes,
        before: valuesBefore(store, changes),
        reason,
      });
      return undefined;
    },
  });
  return requested ?? details;
}

/** What the second person sees: the old values, and how far people raised the limit without one. */
function valuesBefore(store: Terms & LimitHistory, changes: Partial<Terms>): object {
  const { approvedLimitCents, raisedAloneCents } = store;
  return {
    ...changedValues<Partial<Terms>>(store, changes).before,
    ...(changes.creditLimitCents !== undefined &&
      raisedAloneCents > 0 && { approvedLimitCents, raisedAloneCents }),
  };
}
