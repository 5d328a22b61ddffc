import type { Service } from './process-names';
import type { OpsScope } from './caller';

export interface ChangeKind {
  /** The guarded change, as the documents and the command line list it. Markdown, no full stop. */
  guards: string;
  /** The service that makes the change once it is approved. */
  owner: Service;
  /** The scope that the second person needs. */
  approver: OpsScope;
  /** The change makes a secret: it happens when this person collects it. */
  collectedBy?: 'requester' | 'approver';
  /** In cents; up to it, one person is enough. */
  aboveCents?: number;
  /** Share of the old value; up to it, and to aboveCents, one person is enough. */
  aboveShare?: number;
}

/**
 * What needs a second person, and from when on (ADR 54). `docs/security.md` lists this table: a test
 * compares it, and `npm run generate` writes it.
 */
export const CHANGE_KINDS = {
  'corner-store.terms': {
    guards:
      'a credit limit that people raise, one at a time, by more than 25 % or 10,000 pesos in sum ' +
      'since two of them last approved it (else since the import); any other interest rate',
    owner: 'accounts',
    approver: 'approver',
    aboveCents: 1_000_000,
    aboveShare: 0.25,
  },
  'customers.import': {
    guards: 'an import of customers, with their limits and rates: one request for all its rows',
    owner: 'accounts',
    approver: 'approver',
  },
  'wholesaler.create': {
    guards: 'a new wholesaler with a setting that is less strict than its default',
    owner: 'accounts',
    approver: 'admin',
    collectedBy: 'requester',
  },
  'wholesaler.settings': {
    guards:
      'a less strict setting of a wholesaler: `commissionRate` down, `deliveryOverageRate` up, `confirmationRequired`, ' +
      '`deliveryWordEnabled` or `deliveryWordRequired` off, `batchEnabled` on, more ' +
      '`batchItemsPerDay` or `batchAmountPerDay`, fewer `holdUnprovenDays`, a weaker `phoneChangeHold`',
    owner: 'accounts',
    approver: 'admin',
  },
  'wholesaler-key.issue': {
    guards: 'a new key of a wholesaler that exists',
    owner: 'accounts',
    approver: 'admin',
    collectedBy: 'requester',
  },
  'payment-provider.create': {
    guards: 'a new payment provider',
    owner: 'accounts',
    approver: 'admin',
    collectedBy: 'requester',
  },
  'payment-provider.settings': {
    guards:
      'a less strict setting of a payment provider: `signatureRequired` off, or `allowedAddresses` ' +
      'with an address that was not allowed',
    owner: 'accounts',
    approver: 'admin',
  },
  'provider-key.issue': {
    guards: 'a new key of a payment provider',
    owner: 'accounts',
    approver: 'admin',
    collectedBy: 'requester',
  },
  'provider-secret.issue': {
    guards: 'a new signing secret of a payment provider',
    owner: 'accounts',
    approver: 'admin',
    collectedBy: 'requester',
  },
  'ops-key.issue': {
    guards: 'a new key of ops',
    owner: 'accounts',
    approver: 'admin',
    collectedBy: 'requester',
  },
  'staff.invite': {
    guards:
      'an invitation of a person: a new one, or a new passkey for one who is there, also by a key of ops',
    owner: 'accounts',
    approver: 'admin',
    collectedBy: 'approver',
  },
  'staff.role': {
    guards: 'a role that allows more',
    owner: 'accounts',
    approver: 'admin',
  },
  'privacy.cancel': {
    guards: 'the cancellation of a person’s data, who is then blocked and later erased',
    owner: 'accounts',
    approver: 'approver',
  },
  'privacy.access': {
    guards: 'a copy of what is kept of a person',
    owner: 'accounts',
    approver: 'approver',
  },
  'privacy.rectify': {
    guards: 'a phone number that is corrected on the request of its person',
    owner: 'accounts',
    approver: 'approver',
  },
  'corner-store.phone-hold': {
    guards:
      'lifting the hold of a phone number within two days after a change by the same person, one that it approved, or ' +
      'one of a wholesaler whose key it collected',
    owner: 'accounts',
    approver: 'approver',
  },
  'corner-store.resume': {
    guards: 'lifting the pause of a corner store by the person who paused it',
    owner: 'accounts',
    approver: 'approver',
  },
  'deposit.reverse': {
    guards: 'the reversal of a deposit',
    owner: 'payments',
    approver: 'approver',
  },
  'deposit.assign': {
    guards:
      'the assignment of an unmatched deposit to a corner store that gets more than 10,000 pesos by ' +
      'it, with what people assigned to it one at a time in 30 days',
    owner: 'payments',
    approver: 'approver',
    aboveCents: 1_000_000,
  },
  'deposit.unassign': {
    guards:
      'taking a deposit away from the corner store whose debt it paid, unless who assigned it alone undoes that within ' +
      'ten minutes, before other money of the store moves',
    owner: 'payments',
    approver: 'approver',
  },
  'payout.pay': {
    guards: 'a payout of a credit balance',
    owner: 'payments',
    approver: 'approver',
  },
  'payout.return': {
    guards: 'booking a payout back that the bank returned',
    owner: 'payments',
    approver: 'approver',
  },
  'receivable.write-off': {
    guards: 'the write-off of a debt',
    owner: 'payments',
    approver: 'approver',
  },
  'statement.pay': {
    guards: 'the payment of a statement of a wholesaler, also by a key of ops',
    owner: 'transactions',
    approver: 'approver',
  },
  'statement.return': {
    guards: 'a payment of a statement that the bank returned, also by a key of ops',
    owner: 'transactions',
    approver: 'approver',
  },
  'settlement.adjust': {
    guards: 'a correction of what a wholesaler is owed, also by a key of ops',
    owner: 'transactions',
    approver: 'approver',
  },
  'credit-note.give': {
    guards:
      'a credit note of ops above 10,000 pesos, in sum for its order, and one of anybody that a wholesaler ' +
      'cannot give back from what it is still to be paid, also by a key of ops',
    owner: 'transactions',
    approver: 'approver',
    aboveCents: 1_000_000,
  },
  'invoice-issuer.set': {
    guards: 'who issues the invoices of a wholesaler, with its key of the provider',
    owner: 'transactions',
    approver: 'admin',
  },
  'invoice-issuer.remove': {
    guards: 'the end of who issues the invoices of a wholesaler',
    owner: 'transactions',
    approver: 'admin',
  },
  'wholesaler-tax-profile.set': {
    guards: 'in whose name the commission invoices of a wholesaler are',
    owner: 'transactions',
    approver: 'admin',
  },
} as const satisfies Record<string, ChangeKind>;

/** Failure of a change whose target was changed after the request: the approver saw something else. */
export const CHANGE_TARGET_CHANGED = 'CHANGE_TARGET_CHANGED';

export type ChangeKindName = keyof typeof CHANGE_KINDS;
export const CHANGE_KIND_NAMES = Object.keys(CHANGE_KINDS) as ChangeKindName[];

/** Kinds of changes that a service makes. */
export type ChangeOf<Owner extends Service> = {
  [Kind in ChangeKindName]: (typeof CHANGE_KINDS)[Kind] extends { owner: Owner } ? Kind : never;
}[ChangeKindName];

/** The change that waits for a second person, as a record shows it. */
export interface PendingChange {
  changeRequestId: string;
  kind: string;
  requestedBy: string;
  /** ISO 8601. */
  requestedAt: string;
}

/** The result of a use case whose change waits for a second person. */
export class ChangeRequested {
  constructor(readonly changeRequestId: string) {}
}
