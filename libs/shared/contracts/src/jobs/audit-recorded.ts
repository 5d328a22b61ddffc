import { IsIn, IsObject, IsOptional, IsString, IsUUID } from '@fiado/contracts/class-validator';
import { defineJob } from '../define';

/** Actions of ops in services other than accounts, which keeps the audit log. */
export const AUDITED_ELSEWHERE = [
  'messages.searched',
  'messages.resent',
  'jobs.retried',
  'delivery-word.reset',
  'order-code.resent',
  'statements.closed',
  'statement.paid',
  'statement.returned',
  'settlement.adjusted',
  'deposit.assigned',
  'deposit.unassigned',
  'deposit.reversed',
  'deposit.reversal-refused',
  'payout.paid',
  'payout.returned',
  'receivable.written-off',
  'credit-note.given',
  'dispute.opened',
  'dispute.kept',
  'dispute.credited',
  'invoice.cancelled',
  'invoice-file.viewed',
  'invoice-issuer.set',
  'invoice-issuer.removed',
  'wholesaler-tax-profile.set',
  'wholesaler-tax-profile.removed',
  'webhook-endpoint.enabled',
  'export.requested',
  'export.linked',
  'export.unlinked',
  'export.downloaded',
] as const;

/** An action on an object of another service than accounts. */
export class AuditRecorded {
  @IsString()
  actorKind: string;

  @IsString()
  actorId: string;

  @IsIn(AUDITED_ELSEWHERE)
  action: (typeof AUDITED_ELSEWHERE)[number];

  /** Absent where it concerns several objects, which `details` names. */
  @IsOptional()
  @IsUUID()
  objectId?: string | undefined;

  /** Ids, numbers and states; never a name, a phone or a key. */
  @IsObject()
  details: object;
}

/** To accounts: write an entry of the audit log. Each message is an aggregate of its own. */
export const auditRecorded = defineJob({
  type: 'audit.recorded',
  producers: ['transactions', 'payments', 'notifier'],
  queues: ['accounts'],
  Data: AuditRecorded,
});
