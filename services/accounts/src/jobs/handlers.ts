import { on, type JobRoute } from '@fiado/shared/chassis/jobs/worker';
import { auditRecorded } from '@fiado/shared/contracts/jobs/audit-recorded';
import { defaultsChanged } from '@fiado/shared/contracts/jobs/defaults-changed';
import { notifyCornerStore } from '@fiado/shared/contracts/jobs/notify-corner-store';
import type { Context } from '../context';
import { notifyStore } from '../use-cases/notify-store';
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
