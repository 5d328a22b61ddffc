import { on, type JobRoute } from '@fiado/shared/chassis/jobs/worker';
import { auditRecorded } from '@fiado/shared/contracts/jobs/audit-recorded';
import { defaultsChanged } from '@fiado/shared/contracts/jobs/defaults-changed';
import type { Context } from '../context';
import { recordAuditOfOthers } from '../use-cases/record-audit-of-others';
import { recordDefaults } from '../use-cases/record-defaults';

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
