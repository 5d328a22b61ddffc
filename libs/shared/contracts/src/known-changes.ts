import { AreIds } from './decorators';
import { defineCall } from './define';

/** Most ids of each kind in one request; a range of checked rows has at most as many. */
export const MAX_KNOWN_CHANGES = 10_000;

/** For `fiado verify`: the changes in transactions or payments that accounts has requests for. */
export class KnownChangesQuestion {
  /** Ids of requests, or of what they change. */
  @AreIds(MAX_KNOWN_CHANGES)
  ids: string[];

  /** All adjustments of the statements of these wholesalers that were made. */
  @AreIds(MAX_KNOWN_CHANGES)
  wholesalerIds: string[];
}

/** A change that a second person decides on. */
export interface KnownChange {
  changeRequestId: string;
  kind: string;
  targetId: string | null;
  status: string;
  payload: Record<string, unknown>;
  requestedBy: string;
  decidedBy: string | null;
}

/** An action that one person did alone, from the audit log. */
export interface KnownAction {
  action: string;
  objectId: string;
  details: Record<string, unknown>;
}

export interface KnownChanges {
  changes: KnownChange[];
  /** Actions on the objects with these ids. */
  actions: KnownAction[];
}

export const knownChangesCall = defineCall<KnownChanges>()(
  '/internal/known-changes',
  KnownChangesQuestion,
);
