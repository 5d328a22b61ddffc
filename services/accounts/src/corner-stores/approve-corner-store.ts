import { IsOptional } from '@fiado/contracts/class-validator';
import type { Transaction } from '@fiado/chassis/db/database';
import { queryOne } from '@fiado/chassis/db/query';
import { endpoint } from '@fiado/chassis/http/endpoint';
import { appendToOutbox } from '@fiado/chassis/outbox/append';
import { smsRows } from '@fiado/chassis/outbox/sms-rows';
import { About } from '@fiado/contracts/about';
import type { Caller } from '@fiado/contracts/caller';
import type { ChangeRequested } from '@fiado/contracts/change-requests';
import { IsNonEmptyText } from '@fiado/contracts/decorators';
import { AppError } from '@fiado/contracts/errors';
import { MAX_REASON_LENGTH } from '@fiado/contracts/reason-body';
import type { Context } from '../context';
import { PURPOSE } from '../db/purposes';
import { progressOf } from '../onboarding/onboarding.rules';
import { changeCornerStore } from './change-corner-store';
import { cornerStoreChange } from './corner-store-details';
import type { CornerStoreDetails } from './corner-store-details.sql';
import type { UserRow } from './user.entity';
import type { CornerStoreRow } from './corner-store.entity';

/** Life of the SMS in milliseconds: later the wholesaler has told the store. */
const NEWS_LIFE_MS = 24 * 60 * 60_000;

class ApproveCornerStoreBody {
  @About('Why an incomplete store is approved', 'Visited on 3 October')
  @IsOptional()
  @IsNonEmptyText(MAX_REASON_LENGTH)
  reason?: string;
}

export const approveCornerStoreEndpoint = endpoint({
  ...cornerStoreChange,
  id: 'approveCornerStore',
  as: 'cornerStores.approve',
  route: 'POST /v1/admin/corner-stores/:cornerStoreId/approve',
  scope: 'approver',
  summary: 'Approve a corner store',
  description: 'A person needs a `reason` for a store whose onboarding is incomplete.',
  body: ApproveCornerStoreBody,
  bodyOptional: true,
  bodyExample: { reason: 'Visited on 3 October; the papers follow' },
  errors: [...cornerStoreChange.errors, 'CORNER_STORE_IS_PAUSED', 'REASON_REQUIRED'],
  input: ({ body, id, caller: by }) => ({
    by,
    reason: body.reason ?? null,
    cornerStoreId: id('cornerStoreId', 'CORNER_STORE_NOT_FOUND'),
  }),
  handle: approveCornerStore,
});

interface ApproveCornerStore {
  by: Caller;
  cornerStoreId: string;
  /** Why an incomplete store is approved. It stays with the store, out of the audit log. */
  reason?: string | null;
}

/**
 * Approves a corner store, whatever its status; approving it again changes nothing. A person needs a
 * reason for a store whose onboarding is incomplete. The store gets an SMS about it.
 */
export function approveCornerStore(
  context: Context,
  { by, cornerStoreId, reason = null }: ApproveCornerStore,
): Promise<CornerStoreDetails | ChangeRequested> {
  return changeCornerStore(context, {
    by,
    cornerStoreId,
    action: 'corner-store.approved',
    decide: async ({ status, onboardingSteps, pause }, tx) => {
      if (pause !== null) throw new AppError('CORNER_STORE_IS_PAUSED');
      if (status === 'approved') return undefined;
      const isComplete = progressOf(onboardingSteps).missingSteps.length === 0;
      if (by.staff !== undefined && !isComplete && reason === null) {
        throw new AppError('REASON_REQUIRED', {
          message: 'The onboarding is incomplete: an approval needs a reason',
        });
      }
      await tellStore(context, tx, cornerStoreId);
      return { status: 'approved', rejectionReason: null, approvalReason: reason };
    },
  });
}

async function tellStore(
  { clock, sealer }: Context,
  tx: Transaction,
  cornerStoreId: string,
): Promise<void> {
  const { userId, phone, unprovenBy, creditLimitCents } = await queryOne<
    Pick<CornerStoreRow, 'creditLimitCents'> & {
      userId: UserRow['id'];
      phone: NonNullable<UserRow['phone']>;
      unprovenBy: UserRow['phoneUnprovenBy'];
    }
  >(
    tx,
    `SELECT u.id AS user_id, u.phone, u.phone_unproven_by AS "unprovenBy", s.credit_limit_cents
       FROM corner_stores s JOIN users u ON u.id = s.user_id WHERE s.id = $1`,
    [cornerStoreId],
  );
  await appendToOutbox(
    tx,
    smsRows(sealer, {
      template: 'store-approved',
      phone: sealer.open(phone, PURPOSE.phone, cornerStoreId),
      unprovenBy,
      values: { creditLimitCents },
      subjectId: userId,
      expiresAt: new Date(clock.now().getTime() + NEWS_LIFE_MS),
    }),
  );
}
