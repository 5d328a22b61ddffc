import type { Schema } from '@fiado/chassis/db/schema';
import { paymentsBaseline } from './baseline.sql';
import { CREATE_WAITING_CHANGES } from './waiting-changes.sql';
import { paymentsTriggers, REFUSE_ALL_BUT_BLANKING, REFUSE_ALL_BUT_RENAMING } from './triggers.sql';
import { indexMigration, migration } from '@fiado/chassis/db/migration';
import { ADD_EXPORTS_FOR_PEOPLE, CREATE_EXPORTS } from '@fiado/chassis/exports/tables.sql';
import { foldedKeyMigration } from '@fiado/chassis/db/folded-keys';
import { roleOf } from '@fiado/chassis/db/roles';
import { CREATE_FOLD_KEY, FOLD_KEY_WITH_COST } from '@fiado/contracts/fold-key';
import { DEPOSIT_KEY } from '../deposits/deposit.rules';
import { CREATE_DEFAULT_WITHDRAWALS } from '../defaults/default-withdrawals.sql';
import {
  CREATE_PAYMENT_OF,
  CREATE_PAYMENT_READ_OF,
  DEPOSITS_OF_PAYMENT,
  DEPOSITS_OF_PAYMENT_READ,
} from '../deposits/possible-duplicates.sql';
import { CREATE_REVERSAL_REQUESTS } from '../deposits/reversal-requests.sql';
import { CREATE_PORTFOLIO, CREATE_TOTALS } from '../portfolio/tables.sql';

const ROLE = roleOf('payments');

const MAY_BE_BLANKED = (table: string, column: string): string => `
      CREATE OR REPLACE TRIGGER append_only_rows BEFORE UPDATE OR DELETE ON ${table}
        FOR EACH ROW EXECUTE FUNCTION refuse_all_but_blanking('${column}');
      REVOKE UPDATE, DELETE ON ${table} FROM ${ROLE};
      GRANT UPDATE (${column}) ON ${table} TO ${ROLE}`;

/** What changed the tables of payments since 1.0.0, oldest first. One that was merged is not edited. */
export const paymentsMigrations: Function[] = [
  // What credit notes take off a debt, by part, and the rows of the ledgers that do it.
  migration(
    'CreditReceivables1795700000000',
    `
      ALTER TABLE receivables
        ADD COLUMN credited_principal_cents bigint NOT NULL DEFAULT 0,
        ADD COLUMN credited_interest_cents bigint NOT NULL DEFAULT 0,
        ADD COLUMN credited_iva_cents bigint NOT NULL DEFAULT 0,
        DROP CONSTRAINT receivables_check,
        DROP CONSTRAINT receivables_check1,
        DROP CONSTRAINT receivables_check2,
        DROP CONSTRAINT paid_at_says_whether_paid,
        ADD CONSTRAINT receivables_principal CHECK (credited_principal_cents >= 0
          AND paid_principal_cents BETWEEN 0 AND principal_cents - credited_principal_cents) NOT VALID,
        ADD CONSTRAINT receivables_interest CHECK (credited_interest_cents >= 0
          AND paid_interest_cents BETWEEN 0 AND interest_cents - credited_interest_cents) NOT VALID,
        ADD CONSTRAINT receivables_iva CHECK (credited_iva_cents >= 0
          AND paid_iva_cents BETWEEN 0 AND iva_cents - credited_iva_cents) NOT VALID,
        -- Paid, credited, or both.
        ADD CONSTRAINT paid_at_means_nothing_is_owed CHECK ((paid_at IS NOT NULL) =
          (paid_principal_cents + paid_interest_cents + paid_iva_cents
             + credited_principal_cents + credited_interest_cents + credited_iva_cents
             = principal_cents + interest_cents + iva_cents)) NOT VALID;

      ALTER TABLE receivable_entries
        -- In transactions, whose credit note it is.
        ADD COLUMN credit_note_id uuid,
        DROP CONSTRAINT receivable_entries_cause_check,
        DROP CONSTRAINT receivable_entries_check,
        ADD CONSTRAINT receivable_entries_cause_check
          CHECK (cause IN ('opened', 'payment', 'reversal', 'credit')) NOT VALID,
        ADD CONSTRAINT entry_names_its_allocation
          CHECK ((cause IN ('opened', 'credit')) = (allocation_id IS NULL)) NOT VALID,
        ADD CONSTRAINT entry_names_its_credit_note
          CHECK ((cause = 'credit') = (credit_note_id IS NOT NULL)) NOT VALID;

      ALTER TABLE notices
        DROP CONSTRAINT notices_kind_check,
        ADD CONSTRAINT notices_kind_check CHECK (kind IN ('delivered', 'payment-received',
          'payment-reversed', 'payment-due', 'payment-overdue', 'order-credited')) NOT VALID;
    `,
  ),
  // Reads both tables, and stops no writer meanwhile.
  migration(
    'ValidateCreditedReceivables1795700001000',
    `
      ALTER TABLE receivables
        VALIDATE CONSTRAINT receivables_principal,
        VALIDATE CONSTRAINT receivables_interest,
        VALIDATE CONSTRAINT receivables_iva,
        VALIDATE CONSTRAINT paid_at_means_nothing_is_owed;
      ALTER TABLE receivable_entries
        VALIDATE CONSTRAINT receivable_entries_cause_check,
        VALIDATE CONSTRAINT entry_names_its_allocation,
        VALIDATE CONSTRAINT entry_names_its_credit_note;
    `,
  ),
  // A credit note lowers a debt once.
  indexMigration('IndexCredits1795700002000', {
    receivable_entries_of_credit_note:
      'ON receivable_entries (credit_note_id) WHERE credit_note_id IS NOT NULL',
  }),
  // The open debts that owe the amount of a deposit: OUTSTANDING of debts/receivable.ts.
  indexMigration(
    'IndexWhatIsOwed1795700003000',
    {
      receivables_owed: `ON receivables (
         (principal_cents + interest_cents + iva_cents
          - paid_principal_cents - paid_interest_cents - paid_iva_cents
          - credited_principal_cents - credited_interest_cents - credited_iva_cents), due_at, id)
       WHERE paid_at IS NULL`,
    },
    ['receivables_outstanding'],
  ),
  // Money that credit notes gave back, and that no payout may take before their statement is
  // closed.
  migration(
    'HoldCredits1795700010000',
    `
      CREATE TABLE held_credits (
        credit_note_id uuid PRIMARY KEY,
        -- Null when the note was settled before it was booked here, or left nothing in a balance.
        user_id        uuid REFERENCES credit_balances,
        cents          bigint NOT NULL CHECK (cents >= 0),
        -- When its statement closed at 0 or more.
        settled_at     timestamptz,
        CHECK (user_id IS NOT NULL OR settled_at IS NOT NULL)
      );
      CREATE INDEX held_credits_open ON held_credits (user_id) WHERE settled_at IS NULL;
    `,
  ),
  // The books of each day, which reports read: what was owed at its end, what moved in it, and how
  // the debts of each week of delivery were paid; and the debts that were written off.
  migration(
    'CreatePortfolio1795800000000',
    `
      ${CREATE_PORTFOLIO}
      -- A person's erasure empties the reason; nothing else of the row may change.
      ${REFUSE_ALL_BUT_BLANKING};
      ${MAY_BE_BLANKED('write_offs', 'reason')}
    `,
  ),
  // For the books of a day. Entries are in the order of their time, so a BRIN of some pages does.
  indexMigration('IndexEntriesByTime1795800001000', {
    receivable_entries_created:
      'ON receivable_entries USING brin (created_at) WITH (autosummarize = on)',
  }),
  // For the debts that are so many days past their due date, paid ones too, in the books of a day.
  indexMigration('IndexDebtsByDueDate1795800002000', {
    receivables_due_range: 'ON receivables USING brin (due_at) WITH (autosummarize = on)',
  }),
  // Files of rows, made in the background for ops.
  migration('CreateExports1795900000000', CREATE_EXPORTS),
  // For exports of ledger entries. Entries are only added, so their order in the table is that of
  // their time.
  indexMigration('IndexCreditEntriesByTime1795900002000', {
    credit_balance_entries_by_time:
      'ON credit_balance_entries USING brin (created_at) WITH (autosummarize = on)',
  }),
  // For exports of ledger entries. Entries are only added, so their order in the table is that of
  // their time.
  indexMigration('IndexRecoveryEntriesByTime1795900003000', {
    recovery_entries_by_time:
      'ON recovery_entries USING brin (created_at) WITH (autosummarize = on)',
  }),
  // Corner stores whose owner wants no reminders, or wanted none for a time.
  migration(
    'KeepOppositions1796000004000',
    `
      CREATE TABLE opposing_stores (
        corner_store_id uuid PRIMARY KEY,
        opposes         boolean NOT NULL,
        -- Of accounts; a newer one wins.
        version         bigint NOT NULL
      )
    `,
  ),
  // Texts of append-only tables may become empty, and the wholesaler's id of a store in a default
  // may become one that names nobody. Nothing else of these rows may change.
  migration(
    'LetPersonsBeErased1796100000000',
    `
      ${REFUSE_ALL_BUT_BLANKING};
      ${MAY_BE_BLANKED('deposit_conflicts', 'body')};
      ${MAY_BE_BLANKED('deposit_decisions', 'reason')};
      ${REFUSE_ALL_BUT_RENAMING};
      CREATE TRIGGER external_id_is_kept BEFORE UPDATE OF external_id ON payment_defaults
        FOR EACH ROW EXECUTE FUNCTION refuse_all_but_renaming();
      GRANT UPDATE (external_id) ON payment_defaults TO ${ROLE}
    `,
  ),
  // For the debts of a store, newest first: in its timeline and in the list of ops.
  indexMigration(
    'IndexDebtsOfStores1796800001000',
    {
      receivables_newest_of_store: 'ON receivables (corner_store_id, opened_at, id)',
    },
    ['receivables_of_corner_store'],
  ),
  // For the list of paid debts: all debts of the last weeks are still owed. Written when a debt is
  // paid.
  indexMigration('IndexPaidDebts1796800002000', {
    receivables_paid: 'ON receivables (opened_at, id) WHERE paid_at IS NOT NULL',
  }),
  // Also says which debts of a store were open at a time, for the payments of its timeline.
  indexMigration(
    'CoverDebtsOfStores1797100000000',
    {
      receivables_of_store: 'ON receivables (corner_store_id, opened_at, id) INCLUDE (paid_at)',
    },
    ['receivables_newest_of_store'],
  ),
  // For the timeline of a store: a credit note may come after its debt was paid.
  indexMigration('IndexCreditedDebts1797100001000', {
    receivables_credited: `ON receivables (corner_store_id)
       WHERE credited_principal_cents + credited_interest_cents + credited_iva_cents > 0`,
  }),
  // For the surplus of a deposit that is taken back: a user may have an entry of the balance for
  // each order.
  indexMigration('IndexSurpluses1797300000000', {
    credit_balance_entries_of_deposit:
      'ON credit_balance_entries (deposit_id) WHERE deposit_id IS NOT NULL',
  }),
  // For the list of a provider's deposits: one that sent none for years was looked for among all.
  indexMigration('IndexDepositsOfProviders1797300001000', {
    deposits_of_provider: 'ON deposits (provider_name, received_at DESC, id DESC)',
  }),
  // For a store's timeline: the newest entries of its credit balance.
  indexMigration('IndexBalancesByTime1797300002000', {
    credit_balance_entries_newest: 'ON credit_balance_entries (user_id, created_at)',
  }),
  // For the last deposit of a user, which the page of a store asks for, and for the erasure of a
  // person.
  indexMigration('IndexDepositsOfUsers1797300003000', {
    deposits_of_user: 'ON deposits (user_id, received_at) WHERE user_id IS NOT NULL',
  }),
  // For the portfolio, which sums all write-offs up to its day: few flows have one.
  indexMigration('IndexWriteOffsOfDays1797400000000', {
    portfolio_flows_written_off: `ON portfolio_flows (wholesaler_id, day) INCLUDE (written_off_principal_cents)
       WHERE written_off_principal_cents > 0`,
  }),
  // For the unmatched deposits with the reference of one store, which the page of the store asks for.
  indexMigration('IndexUnmatchedDeposits1797500001000', {
    deposits_unmatched: `ON deposits (numero_referencia) WHERE status = 'unmatched'`,
  }),
  // What the loop of received deposits has to know of one (ADR 87). A process of before, which stores
  // deposits without these columns, leaves a row that is due at once.
  migration(
    'ApplyDepositsByRows1797500005000',
    `
      ALTER TABLE deposits
        -- Attempts at applying it; one that is running counts.
        ADD COLUMN attempts integer NOT NULL DEFAULT 0,
        -- While a process works on it: when the next one takes over.
        ADD COLUMN next_attempt_at timestamptz NOT NULL DEFAULT now(),
        ADD COLUMN last_error text,
        -- When its last attempt failed; null where some are left, and where ops retried it.
        ADD COLUMN dead_at timestamptz,
        -- Of the request that sent it, until it is applied.
        ADD COLUMN request_id text,
        ADD COLUMN traceparent text`,
  ),
  // For the claim of received deposits, and for the dead letters among them: few wait, and fewer are
  // dead.
  indexMigration('IndexDepositsToApply1797500005100', {
    deposits_to_apply: `ON deposits (payment_provider_id, next_attempt_at, id)
       WHERE status = 'received' AND dead_at IS NULL`,
    deposits_dead: `ON deposits (dead_at, id) WHERE status = 'received' AND dead_at IS NOT NULL`,
  }),
  // A payment's key counts however it is spelled. Deposits whose keys are two spellings of one stay as
  // they are, marked.
  migration(
    'FoldKeys1797600000000',
    `
      ${CREATE_FOLD_KEY};
      ALTER TABLE deposits
        -- It was stored while keys were compared byte for byte, and an earlier one has its key.
        ADD COLUMN key_collides boolean`,
  ),
  foldedKeyMigration('FoldKeysOfDeposits1797600000100', DEPOSIT_KEY),
  // One payment that a provider reports under two keys.
  migration(
    'KeepPossibleDuplicates1797600000200',
    `
      ${CREATE_PAYMENT_OF};
      ALTER TABLE deposits
        ADD COLUMN possible_duplicate_of uuid,
        DROP CONSTRAINT deposits_unmatched_reason_check,
        ADD CONSTRAINT deposits_unmatched_reason_check CHECK (unmatched_reason IN
          ('unknown', 'ambiguous', 'above-ceiling', 'possible-duplicate', 'unassigned')) NOT VALID`,
  ),
  indexMigration('IndexPossibleDuplicates1797600000300', {
    deposits_of_payment: DEPOSITS_OF_PAYMENT,
  }),
  // Where the money is that credit notes gave back: in the balance, or in a debt that it paid. A process
  // of the release before holds what a note left in the balance, and does not follow it.
  migration(
    'FollowHeldCredits1797700000000',
    `
      CREATE TABLE held_money (
        -- The oldest is used first.
        id              bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        user_id         uuid NOT NULL REFERENCES credit_balances,
        -- The payment of a debt that used it; null: it lies in the balance.
        allocation_id   uuid REFERENCES allocations,
        -- The deposit whose surplus it is; null: a debt gave it back that the balance had paid.
        deposit_id      uuid REFERENCES deposits,
        -- That gave it, one after the other: it is held while one of them is not settled.
        credit_note_ids uuid[] NOT NULL CHECK (cardinality(credit_note_ids) > 0),
        cents           bigint NOT NULL CHECK (cents > 0)
      );
      CREATE INDEX held_money_of_user ON held_money (user_id);
      ALTER TABLE held_credits
        -- Of cents, what left for good: with a recovery, or with the deposit that had brought it.
        ADD COLUMN gone_cents bigint NOT NULL DEFAULT 0,
        ADD COLUMN is_followed boolean NOT NULL DEFAULT false`,
  ),
  // Shows that a day of the portfolio is as it was filled. Null of days of the release before.
  migration(
    'HashDaysOfPortfolio1797700000100',
    'ALTER TABLE portfolio_calendar ADD COLUMN sha256 bytea',
  ),
  // What is owed, by what a day changes of it: the next day of the portfolio and what is overdue now are
  // made of these rows and of the ledger since, not of all open debts. A loop fills both tables.
  migration('KeepTotalsOfDebts1797800000000', CREATE_TOTALS),
  // For the debts that were written off in a day.
  indexMigration('IndexWriteOffsByTime1797800001000', {
    write_offs_created: 'ON write_offs USING brin (created_at) WITH (autosummarize = on)',
  }),
  // Reversals that payment providers asked for.
  migration('CreateReversalRequests1797800100000', CREATE_REVERSAL_REQUESTS),
  // Defaults of debts that were paid in time, whose provider told late.
  migration('WithdrawDefaults1799300001000', CREATE_DEFAULT_WITHDRAWALS),
  // One payment that a provider reports under two keys, with its references spelled otherwise.
  migration('ReadReferencesOfPayments1799400000000', CREATE_PAYMENT_READ_OF),
  // deposits_of_payment stays for processes of the release before; the next release drops it.
  indexMigration('IndexPaymentsRead1799400001000', {
    deposits_of_payment_read: DEPOSITS_OF_PAYMENT_READ,
  }),
  // Files of rows for people, which end with sums.
  migration('AddExportsForPeople1799500000000', ADD_EXPORTS_FOR_PEOPLE),
  // For the unmatched deposits that ops looks for by their amount or their idFactura.
  indexMigration('IndexUnmatchedAmounts1799502000000', {
    deposits_unmatched_of_invoice: `ON deposits (id_factura) WHERE status = 'unmatched'`,
    deposits_unmatched_of_amount: `ON deposits (valor_cents, received_at DESC, id DESC)
       WHERE status = 'unmatched'`,
  }),
  // Orders that their stores do not know, as transactions tells.
  migration(
    'KeepDisputes1799512100000',
    `
      CREATE TABLE debt_disputes (
        dispute_id     uuid PRIMARY KEY,
        -- Its debt may be booked later.
        transaction_id uuid NOT NULL,
        opened_at      timestamptz NOT NULL,
        closed_at      timestamptz,
        -- By which the debt comes into default later.
        days           integer CHECK (days BETWEEN 1 AND 7),
        CHECK ((closed_at IS NULL) = (days IS NULL))
      );
      CREATE INDEX debt_disputes_of_order ON debt_disputes (transaction_id);
      REVOKE DELETE ON debt_disputes FROM ${ROLE}`,
  ),
  // For the open ones of a store, of the few that are open.
  indexMigration('IndexOpenDisputes1799544000000', {
    debt_disputes_open: 'ON debt_disputes (transaction_id) WHERE closed_at IS NULL',
  }),
  // With a cost, so that a look-up by a folded key takes its index also in a small table.
  migration('PriceFoldKey1799570000000', FOLD_KEY_WITH_COST),
  // All changes that wait for a second person; processes of the release before read copies.
  migration('OneTableOfWaitingChanges1799570001000', CREATE_WAITING_CHANGES),
];

export const paymentsSchema: Schema = {
  name: 'payments',
  entities: () => (require('./entities') as typeof import('./entities')).paymentsEntities,
  baseline: paymentsBaseline,
  migrations: paymentsMigrations,
  triggers: paymentsTriggers,
};
