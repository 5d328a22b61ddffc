import { IsIn, IsOptional } from '@fiado/contracts/class-validator';
import { About } from '@fiado/contracts/about';
import type { Caller } from '@fiado/contracts/caller';
import { AppError } from '@fiado/contracts/errors';
import { BLOCKED_READ_REASONS, type BlockedReadReason } from '@fiado/contracts/privacy';

/** Query of what ops reads of a corner store: a blocked one needs a reason. */
export class BlockedReadQuery {
  /** From a list, because the audit log, which has it, forgets nothing and holds no personal data. */
  @About('Why the data of a blocked store are read; an approver gives it', 'claim')
  @IsOptional()
  @IsIn(BLOCKED_READ_REASONS)
  reason?: BlockedReadReason;
}

/** @throws AppError FORBIDDEN for a reason that an approver alone may give */
export function readReason(
  by: Caller,
  { reason }: BlockedReadQuery,
): BlockedReadReason | undefined {
  if (reason !== undefined && !by.scopes.includes('approver')) throw new AppError('FORBIDDEN');
  return reason;
}

/**
 * Refuses a read of what is kept of a blocked person, without a reason.
 * @throws AppError CORNER_STORE_IS_BLOCKED
 */
export function requireReason(
  store: { blockedAt: Date | null },
  reason: BlockedReadReason | undefined,
): void {
  if (store.blockedAt !== null && reason === undefined) {
    throw new AppError('CORNER_STORE_IS_BLOCKED');
  }
}
