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

/** Kinds of one service whose second person needs one scope. */
function kindsOf<const Owner extends Service>(owner: Owner, approver: OpsScope) {
  return <const Own extends Omit<ChangeKind, 'guards' | 'owner' | 'approver'>>(
    guards: string,
    own?: Own,
  ) => ({ guards, owner, approver, ...(own as Own) });
}
const accountsChange = kindsOf('accounts', 'approver');
const accountsAdminChange = kindsOf('accounts', 'admin');
const paymentsChange = kindsOf('payments', 'approver');
const transactionsChange = kindsOf('transactions', 'approver');
const transactionsAdminChange = kindsOf('transactions', 'admin');

/**
 * What needs a second person, and from when on (ADR 54). `docs/security.md` lists this table: a test
 * compares it, and `npm run generate` writes it.
 */
export const CHANGE_KINDS = {
  'corner-store.terms': accountsChange(
    'a credit limit that people raise, one at a time, by more than 25 % or 10,000 pesos in sum ' +
      'since two of them last approved it (else since the import); any other interest rate',
    { aboveCents: 1_000_000, aboveShare: 0.25 },
  ),
  'customers.import': accountsChange(
    'an import of customers, with their limits and rates: one request for all its rows',
  ),
  'wholesaler.create': accountsAdminChange(
    'a new wholesaler with a setting that is less strict than its default',
    { collectedBy: 'requester' },
  ),
  'wholesaler.settings': accountsAdminChange(
    'a less strict setting of a wholesaler: `commissionRate` down, `deliveryOverageRate` up, `confirmationRequired`, ' +
      '`deliveryWordEnabled` or `deliveryWordRequired` off, `batchEnabled` on, more ' +
      '`batchItemsPerDay` or `batchAmountPerDay`, fewer `holdUnprovenDays`, a weaker `phoneChangeHold`',
  ),
  'wholesaler-key.issue': accountsAdminChange('a new key of a wholesaler that exists', {
    collectedBy: 'requester',
  }),
  'payment-provider.create': accountsAdminChange('a new payment provider', {
    collectedBy: 'requester',
  }),
  'payment-provider.settings': accountsAdminChange(
    'a less strict setting of a payment provider: `signatureRequired` off, or `allowedAddresses` ' +
      'with an address that was not allowed',
  ),
  'provider-key.issue': accountsAdminChange('a new key of a payment provider', {
    collectedBy: 'requester',
  }),
  'provider-secret.issue': accountsAdminChange('a new signing secret of a payment provider', {
    collectedBy: 'requester',
  }),
  'ops-key.issue': accountsAdminChange('a new key of ops', { collectedBy: 'requester' }),
  'staff.invite': accountsAdminChange(
    'an invitation of a person: a new one, or a new passkey for one who is there, also by a key of ops',
    { collectedBy: 'approver' },
  ),
  'staff.role': accountsAdminChange('a role that allows more'),
  'privacy.cancel': accountsChange(
    'the cancellation of a person’s data, who is then blocked and later erased',
  ),
  'privacy.access': accountsChange('a copy of what is kept of a person'),
  'privacy.rectify': accountsChange(
    'a phone number that is corrected on the request of its person',
  ),
  'corner-store.phone-hold': accountsChange(
    'lifting the hold of a phone number within two days after a change by the same person, one that it approved, or ' +
      'one of a wholesaler whose key it collected',
  ),
  'corner-store.resume': accountsChange(
    'lifting the pause of a corner store by the person who paused it',
  ),
  'deposit.reverse': paymentsChange('the reversal of a deposit'),
  'deposit.assign': paymentsChange(
    'the assignment of an unmatched deposit to a corner store that gets more than 10,000 pesos by ' +
      'it, with what people assigned to it one at a time in 30 days',
    { aboveCents: 1_000_000 },
  ),
  'deposit.unassign': paymentsChange(
    'taking a deposit away from the corner store whose debt it paid, unless who assigned it alone undoes that within ' +
      'ten minutes, before other money of the store moves',
  ),
  'payout.pay': paymentsChange('a payout of a credit balance'),
  'payout.return': paymentsChange('booking a payout back that the bank returned'),
  'receivable.write-off': paymentsChange('the write-off of a debt'),
  'statement.pay': transactionsChange(
    'the payment of a statement of a wholesaler, also by a key of ops',
  ),
  'statement.return': transactionsChange(
    'a payment of a statement that the bank returned, also by a key of ops',
  ),
  'settlement.adjust': transactionsChange(
    'a correction of what a wholesaler is owed, also by a key of ops',
  ),
  'credit-note.give': transactionsChange(
    'a credit note of ops above 10,000 pesos, in sum for its order, and one of anybody that a wholesaler ' +
      'cannot give back from what it is still to be paid, also by a key of ops',
    { aboveCents: 1_000_000 },
  ),
  'invoice-issuer.set': transactionsAdminChange(
    'who issues the invoices of a wholesaler, with its key of the provider',
  ),
  'invoice-issuer.remove': transactionsAdminChange(
    'the end of who issues the invoices of a wholesaler',
  ),
  'wholesaler-tax-profile.set': transactionsAdminChange(
    'in whose name the commission invoices of a wholesaler are',
  ),
} satisfies Record<string, ChangeKind>;

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
