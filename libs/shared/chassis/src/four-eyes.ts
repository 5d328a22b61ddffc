import { IsIn } from '@fiado/contracts/class-validator';
import type { Caller } from '@fiado/contracts/caller';
import type { PendingChange } from '@fiado/contracts/change-requests';
import * as fields from './openapi/fields';
import * as t from './openapi/json-schema';

const MODES = ['off', 'staff', 'all'] as const;

/** Which guarded changes wait for a second person: none, changes by people, or changes by keys too. */
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
  changeRequestId: fields.changeRequestId,
  status: t.field(t.constant('pending'), 'The change waits for a second person'),
});

/** Fields of CHANGE_ALREADY_REQUESTED. */
export const openChange = t.object('OpenChange', { changeRequestId: fields.changeRequestId });

/** The change that waits for a second person, as a record shows it. */
export const pendingChange = t.field(
  t.nullable(
    t.object('PendingChange', {
      changeRequestId: fields.changeRequestId,
      kind: t.field(t.text, 'What shall be changed', 'corner-store.terms'),
      requestedBy: fields.requestedBy,
      requestedAt: fields.requestedAt,
    }),
  ),
  'The change that waits for a second person',
);

/** PostgreSQL writes times in JSON with its own precision and offset. */
export function presentPendingChange(change: PendingChange | null): PendingChange | null {
  return change && { ...change, requestedAt: new Date(change.requestedAt).toISOString() };
}
