import { IsIn } from 'class-validator';
import type { Caller } from '@fiado/contracts/caller';
import type { PendingChange } from '@fiado/contracts/change-requests';
import * as t from './openapi/json-schema';

const MODES = ['off', 'staff', 'all'] as const;

/** Whose guarded changes wait for a second person: nobody's, those of people, or those of keys too. */
export type FourEyes = (typeof MODES)[number];

export function IsFourEyes(): PropertyDecorator {
  return IsIn(MODES);
}

/** Whether a guarded change of this caller waits for a second person. */
export function needsSecondPerson(mode: FourEyes, by: Caller): boolean {
  return mode === 'all' || (mode === 'staff' && by.staff !== undefined);
}

/** The answer (202) to a change that waits for a second person. */
export const changeRequested = t.object('ChangeRequested', {
  changeRequestId: t.uuid,
  status: t.constant('pending'),
});

/** Fields of CHANGE_ALREADY_REQUESTED. */
export const openChange = t.object('OpenChange', { changeRequestId: t.uuid });

/** What a record shows of the change that waits for a second person. */
export const pendingChange = t.nullable(
  t.object('PendingChange', {
    changeRequestId: t.uuid,
    kind: t.text,
    requestedBy: t.text,
    requestedAt: t.timestamp,
  }),
);

/** PostgreSQL writes times in JSON with its own precision and offset. */
export function presentPendingChange(change: PendingChange | null): PendingChange | null {
  return change && { ...change, requestedAt: new Date(change.requestedAt).toISOString() };
}
