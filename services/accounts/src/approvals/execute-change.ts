import type { Transaction } from '@fiado/chassis/db/database';
import type { OpsScope } from '@fiado/contracts/caller';
import { CHANGE_TARGET_CHANGED } from '@fiado/contracts/change-requests';
import { AppError } from '@fiado/contracts/errors';
import { opsActor, recordAudit } from '../audit/audit-log';
import type { Context } from '../context';
import { changeLockedStore } from '../corner-stores/change-corner-store';
import { clearApprovedHolds } from '../corner-stores/clear-phone-hold';
import { resumeApproved } from '../corner-stores/pause-corner-store';
import { importRows, openedRows } from '../corner-stores/import-rows';
import { askBeforeCancellation, executeCancellation } from '../privacy/grant-cancellation';
import { executeAccess, executeRectification } from '../privacy/grant-to-person';
import { changePaymentProvider } from '../providers/update-payment-provider';
import { setStaffRole } from '../staff/change-staff-role';
import { lockStaffMember } from '../staff/staff.sql';
import { changeWholesaler } from '../wholesalers/update-wholesaler';
import type { ApprovedChange } from './request-change';
import { ChangeRequestRow } from './change-request.entity';
import {
  finishChange,
  lockChangeAndTarget,
  type LockedChangeRequest,
  type MadeKind,
  STALE,
} from './change-requests.sql';

/** Makes one kind of change. @returns why it was not made */
type Execution = (
  context: Context,
  tx: Transaction,
  request: LockedChangeRequest,
) => Promise<string | undefined>;

/** What other services are asked before a change of a target is made, while no row is locked. */
const ASKS: Partial<Record<MadeKind, (context: Context, targetId: string) => Promise<void>>> = {
  'privacy.cancel': askBeforeCancellation,
};

const EXECUTIONS: Record<MadeKind, Execution> = {
  'corner-store.terms': (_context, tx, request) =>
    changeAtVersion(request, (approved, cornerStoreId) =>
      changeLockedStore(tx, {
        ...approved,
        cornerStoreId,
        action: 'corner-store.changed',
        limitBy: 'two-people',
      }),
    ),
  'wholesaler.settings': (_context, tx, request) =>
    changeAtVersion(request, (approved, wholesalerId) =>
      changeWholesaler(tx, { ...approved, wholesalerId }),
    ),
  'payment-provider.settings': (_context, tx, request) =>
    changeAtVersion(request, (approved, paymentProviderId) =>
      changePaymentProvider(tx, { ...approved, paymentProviderId }),
    ),
  'customers.import': async (context, tx, request) => {
    await importRows(context, tx, {
      by: opsActor(request.requestedBy),
      wholesalerId: request.targetId ?? '',
      rows: openedRows(context.sealer, request),
      auditDetails: approvalOf(request),
    });
    return undefined;
  },
  'staff.role': async (_context, tx, { targetId, targetVersion, payload, ...request }) => {
    const member = await lockStaffMember(tx, targetId ?? '');
    if (member?.version !== targetVersion) return STALE;
    const { role } = payload as { role: OpsScope };
    const by = opsActor(request.requestedBy);
    await setStaffRole(tx, member, { by, role, auditDetails: approvalOf(request) });
    return undefined;
  },
  'corner-store.phone-hold': (_context, tx, request) =>
    changeAtVersion(request, (approved, cornerStoreId) =>
      clearApprovedHolds(tx, { ...approved, cornerStoreId }),
    ),
  'corner-store.resume': (_context, tx, request) =>
    changeAtVersion(request, (approved, cornerStoreId) =>
      resumeApproved(tx, { ...approved, cornerStoreId }),
    ),
  'privacy.cancel': executeCancellation,
  'privacy.access': executeAccess,
  'privacy.rectify': executeRectification,
};

/**
 * Makes an approved change that accounts owns, once. If its target was changed after the request, the
 * second person approved something else: the change fails and nothing happens.
 */
export async function executeChange(context: Context, changeRequestId: string): Promise<void> {
  const found = await context.db.manager.findOneBy(ChangeRequestRow, { id: changeRequestId });
  if (found?.status !== 'approved') return;
  const kind = found.kind as MadeKind;
  const refusal = await failureOf(async () => ASKS[kind]?.(context, found.targetId ?? ''));
  await context.db.transaction(async (tx) => {
    const request = await lockChangeAndTarget(tx, changeRequestId);
    if (request?.status !== 'approved') return;
    const failure = refusal ?? (await failureOf(() => EXECUTIONS[kind](context, tx, request)));
    await finishChange(tx, request.id, failure);
    if (failure !== undefined) {
      const { id: objectId, decidedBy } = request;
      const by = opsActor(decidedBy ?? '');
      const details = { kind, failure };
      await recordAudit(tx, { by, action: 'change.failed', objectId, details });
    }
  });
}

/** @returns why a change is not made; it is refused before it writes anything */
async function failureOf(work: () => Promise<string | void>): Promise<string | undefined> {
  try {
    return (await work()) ?? undefined;
  } catch (error) {
    if (!(error instanceof AppError) || error.kind === 'unavailable') throw error;
    return error.code;
  }
}

/**
 * Makes an approved change of a target that has the version for which it was requested.
 * @returns why it was not made
 */
async function changeAtVersion(
  { targetId, targetVersion, payload, ...request }: LockedChangeRequest,
  change: (approved: ApprovedChange, targetId: string) => Promise<unknown>,
): Promise<string | undefined> {
  let failure: string | undefined;
  const decide = ({ version }: { version: number }): typeof payload | undefined => {
    if (version === targetVersion) return payload;
    failure = CHANGE_TARGET_CHANGED;
    return undefined;
  };
  const approved = { by: opsActor(request.requestedBy), decide, auditDetails: approvalOf(request) };
  await change(approved, targetId ?? '');
  return failure;
}

/** Who made the change possible, for the audit log. */
function approvalOf({ id, decidedBy }: Pick<LockedChangeRequest, 'id' | 'decidedBy'>): object {
  return { changeRequestId: id, approvedBy: decidedBy };
}
