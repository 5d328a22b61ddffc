import { createCounter, createGauge } from '@fiado/chassis/metrics';
import type { UnknownNumberVerdict } from './verification/phone-limits.rules';

type UnknownNumberOutcome = UnknownNumberVerdict | 'confirmed';

const OUTCOMES: UnknownNumberOutcome[] = ['sent', 'confirmed', 'over-limit', 'low-conversion'];

const countOutcome = createCounter(
  'fiado_sms_to_unknown_total',
  'Codes to phone numbers that belong to no customer: sent, confirmed, or refused by a limit',
  ['outcome'],
  OUTCOMES.map((outcome) => ({ outcome })),
);

export function countSmsToUnknown(outcome: UnknownNumberOutcome): void {
  countOutcome({ outcome });
}

const countChanges = createCounter(
  'fiado_phone_changes_total',
  'Phone numbers changed by wholesalers, by whether the change holds large orders',
  ['held'],
  [{ held: 'yes' }, { held: 'no' }],
);

export function countPhoneChange(isHeld: boolean): void {
  countChanges({ held: isHeld ? 'yes' : 'no' });
}

export const auditChainBroken = createGauge(
  'fiado_audit_chain_broken',
  'Whether the daily check found the chain of the audit log broken: 1 or 0',
  [],
);

export const oldestUnchained = createGauge(
  'fiado_audit_oldest_unchained_seconds',
  'Age of the oldest audit entry that is not in the chain yet',
  [],
);

export const urgentPrivacyRequests = createGauge(
  'fiado_privacy_requests_urgent',
  'Requests of persons about their data that are due within three days, or late: to be answered, or to be done',
  ['step'],
);

export const namesInMemory = createGauge(
  'fiado_names_in_memory',
  'Names by which this process finds stores: all, or so many while it still reads them after its start',
  ['state'],
);
