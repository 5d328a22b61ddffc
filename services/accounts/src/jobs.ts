import { type JobRoute, on } from '@fiado/chassis/jobs/worker';
import { auditRecorded } from '@fiado/contracts/jobs/audit-recorded';
import {
  CHANGE_JOBS,
  executeChange as executeChangeJob,
  paymentsChangeExecuted,
  settlementChangeExecuted,
} from '@fiado/contracts/jobs/changes';
import { defaultsChanged } from '@fiado/contracts/jobs/debts';
import { orderDenied } from '@fiado/contracts/jobs/disputes';
import { notifyCornerStore } from '@fiado/contracts/jobs/notify-corner-store';
import { phoneProved } from '@fiado/contracts/jobs/phones';
import { oppositionAsked, personErased } from '@fiado/contracts/jobs/privacy';
import { executeChange } from './approvals/execute-change';
import { recordExecutedChange, recordChangeElsewhere } from './approvals/record-change-elsewhere';
import { recordAuditOfOthers } from './audit/audit-log';
import type { Context } from './context';
import { denyBySms } from './corner-stores/deny-order';
import { notifyStore } from './corner-stores/notify-corner-store';
import { recordErasedPart } from './privacy/run-erasures';
import { recordDefaults } from './corner-stores/record-defaults';
import { opposeBySms } from './privacy/oppose-by-sms';
import { markProved } from './verification/give-phone';

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
    // Goes one release after this one. Version 1.0 sends it for each change that it approves, also
    // during a rolling update, and the row does not say that the change is to be made.
    on(executeChangeJob, ({ data }) => executeChange(context, data.changeRequestId)),
    ...Object.values(CHANGE_JOBS).map(({ requested }) =>
      on(requested, ({ id, data }) => recordChangeElsewhere(context, id, data)),
    ),
    ...[paymentsChangeExecuted, settlementChangeExecuted].map((executed) =>
      on(executed, ({ id, data }) => recordExecutedChange(context, id, data)),
    ),
    on(oppositionAsked, ({ id, occurredAt, data }) =>
      opposeBySms(context, {
        messageId: id,
        phoneIndex: Buffer.from(data.phoneIndex, 'base64'),
        opposes: data.opposes,
        byWhatsapp: data.byWhatsapp === true,
        at: new Date(occurredAt),
      }),
    ),
    on(orderDenied, ({ id, occurredAt, data: { phoneIndex, ...denial } }) =>
      denyBySms(context, {
        messageId: id,
        phoneIndex: Buffer.from(phoneIndex, 'base64'),
        saidAt: occurredAt,
        ...denial,
      }),
    ),
    on(phoneProved, ({ data }) =>
      context.db.transaction((tx) => markProved(tx, Buffer.from(data.phoneIndex, 'base64'))),
    ),
    on(notifyCornerStore, ({ id, data }) => notifyStore(context, id, data)),
    on(personErased, ({ id, data }) => recordErasedPart(context, id, data)),
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
