import type { Service } from './process-names';
import type { OpsScope } from './scopes';

interface ChangeKind {
  /** The service that makes the change once it is approved. */
  owner: Service;
  /** What the second person must be allowed to do. */
  approver: OpsScope;
  /** The change makes a secret: it happens when the requester collects it. */
  isCollected?: true;
  /** In cents; up to it, one person is enough. */
  aboveCents?: number;
  /** Share of the old value; up to it, and to aboveCents, one person is enough. */
  aboveShare?: number;
}

/** What needs a second person, and from when on. */
export const CHANGE_KINDS = {
  /** A credit limit that rises by more than one of these, or any other interest rate. */
  'corner-store.terms': {
    owner: 'accounts',
    approver: 'approver',
    aboveCents: 1_000_000,
    aboveShare: 0.25,
  },
  'wholesaler-key.issue': { owner: 'accounts', approver: 'admin', isCollected: true },
  'ops-key.issue': { owner: 'accounts', approver: 'admin', isCollected: true },
  /** An invitation of a person: a new one, or a new passkey for one who is there. */
  'staff.invite': { owner: 'accounts', approver: 'admin', isCollected: true },
  /** A role that allows more. One that allows less counts at once. */
  'staff.role': { owner: 'accounts', approver: 'admin' },
  'deposit.reverse': { owner: 'payments', approver: 'approver' },
  'deposit.assign': { owner: 'payments', approver: 'approver', aboveCents: 1_000_000 },
} as const satisfies Record<string, ChangeKind>;

export type ChangeKindName = keyof typeof CHANGE_KINDS;
export const CHANGE_KIND_NAMES = Object.keys(CHANGE_KINDS) as ChangeKindName[];

/** Kinds that change a deposit. */
export const DEPOSIT_CHANGES = ['deposit.reverse', 'deposit.assign'] as const;
export type DepositChange = (typeof DEPOSIT_CHANGES)[number];

/** What a record shows of the change that waits for a second person. */
export interface PendingChange {
  changeRequestId: string;
  kind: string;
  requestedBy: string;
  /** ISO 8601. */
  requestedAt: string;
}

/** What a use case returns when the change waits for a second person. */
export class ChangeRequested {
  constructor(readonly changeRequestId: string) {}
}
