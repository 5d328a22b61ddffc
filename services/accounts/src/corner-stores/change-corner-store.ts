import type { Transaction } from '@fiado/chassis/db/database';
import { appendToOutbox } from '@fiado/chassis/outbox/append';
import type { AuditAction } from '@fiado/contracts/audit-actions';
import { ChangeRequested } from '@fiado/contracts/change-requests';
import { AppError } from '@fiado/contracts/errors';
import { endWaitingChanges } from '../approvals/request-change';
import { type AuditedBy, changedValues, recordAudit } from '../audit/audit-log';
import type { Context } from '../context';
import { cornerStoreEvents } from '../snapshots/snapshots.sql';
import { cornerStoreDetails, type CornerStoreDetails } from './corner-store-details.sql';
import { limitAfter, type LimitAuthority, type LimitHistory } from './terms.rules';
import { CornerStoreRow, RAISED } from './corner-store.entity';

/** The fields of a corner store that ops may change. */
export interface CornerStoreChanges extends Partial<Omit<LockedStore, KeptHere>> {
  rejectionReason?: string | null;
  approvalReason?: string | null;
  blockedAt?: Date;
}

/** Columns that the change of a store maintains itself. */
type KeptHere = 'version' | 'approvedLimitCents' | 'raisedAloneCents';

/** A corner store that this transaction has locked. */
export type LockedStore = Pick<
  CornerStoreRow,
  | 'status'
  | 'onboardingSteps'
  | 'interestRate'
  | 'timeZone'
  | 'version'
  | 'pause'
  | keyof LimitHistory
>;

/** A change that waits for a second person leaves the store unchanged. */
type Decision = CornerStoreChanges | ChangeRequested | undefined;

export interface ChangeCornerStore extends AuditedBy {
  cornerStoreId: string;
  action: AuditAction;
  /** Who sets a limit that `decide` changes; without it, one person. */
  limitBy?: LimitAuthority;
  /** Decides on the locked store; undefined leaves it unchanged, `{}` publishes it again. */
  decide: (store: LockedStore, tx: Transaction) => Decision | Promise<Decision>;
}

/**
 * Changes a corner store for ops: locks it, decides, writes, publishes the change and audits it.
 * @throws AppError CORNER_STORE_NOT_FOUND
 */
export async function changeCornerStore(
  context: Context,
  change: ChangeCornerStore,
): Promise<CornerStoreDetails | ChangeRequested> {
  return context.db.transaction(
    async (tx) =>
      (await changeLockedStore(tx, change)) ?? cornerStoreDetails(tx, change.cornerStoreId),
  );
}

/**
 * The same in a database transaction that does more. Changes of the store that
 * wait for a second person are over: that person would approve something else.
 * @throws AppError CORNER_STORE_NOT_FOUND, CORNER_STORE_IS_BLOCKED
 */
export async function changeLockedStore(
  tx: Transaction,
  {
    by,
    cornerStoreId,
    action,
    limitBy = 'one-person',
    decide,
    auditDetails = {},
  }: ChangeCornerStore,
): Promise<ChangeRequested | undefined> {
  const store = await tx.manager.findOne(CornerStoreRow, {
    where: { id: cornerStoreId },
    lock: { mode: 'for_no_key_update' },
  });
  if (store === null) throw new AppError('CORNER_STORE_NOT_FOUND');
  if (store.blockedAt !== null) throw new AppError('CORNER_STORE_IS_BLOCKED');

  const changes = await decide(store, tx);
  if (changes === undefined || changes instanceof ChangeRequested) return changes;
  const { creditLimitCents } = changes;
  const limit = creditLimitCents === undefined ? {} : limitAfter(store, creditLimitCents, limitBy);
  await tx.manager.update(CornerStoreRow, cornerStoreId, { ...changes, ...limit, ...RAISED });
  await endWaitingChanges(tx, { by, kind: 'corner-store.terms', targetId: cornerStoreId });
  await appendToOutbox(tx, await cornerStoreEvents(tx, [cornerStoreId]));
  // Texts about a person stay with the store: the audit log cannot forget them.
  const {
    rejectionReason: _rejection,
    approvalReason: _approval,
    pause: _pause,
    ...audited
  } = changes;
  const values = changedValues<Partial<LockedStore>>(store, audited);
  const details = { ...values, ...auditDetails };
  await recordAudit(tx, { by, action, objectId: cornerStoreId, details });
  return undefined;
}
