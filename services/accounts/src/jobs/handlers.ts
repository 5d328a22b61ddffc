import { on, type JobRoute } from '@fiado/chassis/jobs/worker';
import { auditRecorded } from '@fiado/contracts/jobs/audit-recorded';
import { defaultsChanged } from '@fiado/contracts/jobs/defaults-changed';
import { depositChangeExecuted } from '@fiado/contracts/jobs/deposit-change-executed';
import { depositChangeRequested } from '@fiado/contracts/jobs/deposit-change-requested';
import { executeChange as executeChangeJob } from '@fiado/contracts/jobs/execute-change';
import { payoutChangeRequested } from '@fiado/contracts/jobs/payout-change-requested';
import { notifyCornerStore } from '@fiado/contracts/jobs/notify-corner-store';
import type { Context } from '../context';
import { executeChange } from '../use-cases/execute-change';
import { notifyStore } from '../use-cases/notify-store';
import { recordAuditOfOthers } from '../use-cases/record-audit-of-others';
import { recordDefaults } from '../use-cases/record-defaults';
import { recordExecutedChange } from '../use-cases/record-executed-change';
import { recordPaymentsChange } from '../use-cases/record-payments-change';

/** The jobs that accounts consumes, with their handlers. */
export function jobs(context: Context): JobRoute[] {
  return [
    on(auditRecorded, ({ id, occurredAt, data }) =>
      recordAuditOfOthers(context, {
        messageId: id,
        occurredAt: new Date(occurredAt),
        actorKind: data.actorKind,
        actorId: data.actorId,
        action: data.action,
        objectId: data.objectId,
        details: data.details,
      }),
    ),
    on(executeChangeJob, ({ id, data }) => executeChange(context, id, data)),
    on(depositChangeRequested, ({ id, data: { depositId, ...change } }) =>
      recordPaymentsChange(context, id, { ...change, targetId: depositId }),
    ),
    on(payoutChangeRequested, ({ id, data: { payoutId, ...change } }) =>
      recordPaymentsChange(context, id, { ...change, targetId: payoutId }),
    ),
    on(depositChangeExecuted, ({ id, data }) => recordExecutedChange(context, id, data)),
    on(notifyCornerStore, ({ id, data }) => notifyStore(context, id, data)),
    on(defaultsChanged, ({ id, aggregateVersion, data }) =>
      recordDefaults(context, {
        messageId: id,
        cornerStoreId: data.cornerStoreId,
        overdueCount: data.overdueCount,
        version: aggregateVersion,
      }),
    ),
  ];
}
