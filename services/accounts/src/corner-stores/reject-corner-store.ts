import { endpoint } from '@fiado/chassis/http/endpoint';
import type { Caller } from '@fiado/contracts/caller';
import type { ChangeRequested } from '@fiado/contracts/change-requests';
import { IsNonEmptyText } from '@fiado/contracts/decorators';
import { AppError } from '@fiado/contracts/errors';
import type { Context } from '../context';
import { changeCornerStore } from './change-corner-store';
import { cornerStoreChange, exampleDetails } from './corner-store-details';
import type { CornerStoreDetails } from './corner-store-details.sql';

const MAX_REASON = 1000;

class RejectCornerStoreBody {
  @IsNonEmptyText(MAX_REASON)
  reason: string;
}

export const rejectCornerStoreEndpoint = endpoint({
  ...cornerStoreChange,
  id: 'rejectCornerStore',
  as: 'cornerStores.reject',
  route: 'POST /v1/admin/corner-stores/:cornerStoreId/reject',
  scope: 'approver',
  summary: 'Reject a corner store, with a reason',
  body: RejectCornerStoreBody,
  errors: [...cornerStoreChange.errors, 'CORNER_STORE_IS_PAUSED'],
  bodyExample: { reason: 'The document cannot be read' },
  example: {
    ...exampleDetails,
    status: 'pre-approved',
    creditLimit: 0,
    rejectionReason: 'The document cannot be read',
  },
  input: ({ body, id, caller: by }) => ({
    by,
    reason: body.reason,
    cornerStoreId: id('cornerStoreId', 'CORNER_STORE_NOT_FOUND'),
  }),
  handle: rejectCornerStore,
});

/**
 * Sends a corner store back to the beginning, without credit. The reason stays with
 * the store and out of the audit log, which cannot forget what someone wrote about a person.
 */
export function rejectCornerStore(
  context: Context,
  { by, cornerStoreId, reason }: { by: Caller; cornerStoreId: string; reason: string },
): Promise<CornerStoreDetails | ChangeRequested> {
  return changeCornerStore(context, {
    by,
    cornerStoreId,
    action: 'corner-store.rejected',
    decide: ({ onboardingSteps, pause }) => {
      if (pause !== null) throw new AppError('CORNER_STORE_IS_PAUSED');
      return {
        status: 'pre-approved',
        creditLimitCents: 0,
        rejectionReason: reason,
        approvalReason: null,
        // Its images stay; the store has to be submitted again.
        onboardingSteps: onboardingSteps.filter((step) => step !== 'COMPLETED'),
      };
    },
  });
}
