import type { Schema } from '@fiado/chassis/db/schema';
import { transactionsBaseline } from './baseline.sql';
import { CREATE_STATEMENTS } from './create-statements.sql';
import { invoiceMigrations, laterInvoiceMigrations } from './invoices.sql';
import {
  commissionMigrations,
  replacedInvoiceMigrations,
  taxDocumentMigrations,
} from './tax-documents.sql';
import { transactionsTriggers } from './triggers.sql';
import { indexMigration, migration } from '@fiado/chassis/db/migration';
import { ADD_EXPORTS_FOR_PEOPLE, CREATE_EXPORTS } from '@fiado/chassis/exports/tables.sql';
import { foldedKeyMigration } from '@fiado/chassis/db/folded-keys';
import { roleOf } from '@fiado/chassis/db/roles';
import { CREATE_FOLD_KEY, FOLD_KEY_WITH_COST } from '@fiado/contracts/fold-key';
import { ORDER_KEY } from '../orders/order.rules';

const ROLE = roleOf('transactions');

/** What changed the tables of transactions since 1.0.0, oldest first. One that was merged is not edited. */
export const transactionsMigrations: Function[] = [
  // What an order was made with, beside what was delivered, and when it was paid.
  migration(
    'KeepOrderedAmounts1795500000000',
    `
      ALTER TABLE transactions
        -- Null before the delivery, when it is amount_cents, and in deliveries of 1.0.0.
        ADD COLUMN ordered_cents bigint,
        -- When payments applied the payment that settled it. Null while it is not paid, and in orders
        -- that were paid with 1.0.0.
        ADD COLUMN paid_at timestamptz
    `,
  ),
  // For listTransactions with `deliveredFrom`.
  indexMigration('IndexDeliveries1795500001000', {
    transactions_delivered:
      'ON transactions (wholesaler_id, delivered_at) WHERE delivered_at IS NOT NULL',
  }),
  // For listTransactions with `paidFrom`.
  indexMigration('IndexPayments1795500002000', {
    transactions_paid: 'ON transactions (wholesaler_id, paid_at) WHERE paid_at IS NOT NULL',
  }),
  // What the lender owes wholesalers: a line for each delivery and correction, and their
  // statements.
  migration('CreateStatements1795600000000', CREATE_STATEMENTS),
  // Goods of a delivered order that came back or cost less.
  migration(
    'CreateCreditNotes1795700010000',
    `
      CREATE TABLE credit_notes (
        id               uuid PRIMARY KEY,
        transaction_id   uuid NOT NULL REFERENCES transactions,
        -- 1, 2, 3 … of its order.
        number           integer NOT NULL CHECK (number > 0),
        principal_cents  bigint NOT NULL CHECK (principal_cents > 0),
        interest_cents   bigint NOT NULL CHECK (interest_cents >= 0),
        iva_cents        bigint NOT NULL CHECK (iva_cents >= 0),
        commission_cents bigint NOT NULL CHECK (commission_cents >= 0),
        reason           text NOT NULL
                         CHECK (reason IN ('return', 'damaged', 'missing', 'price', 'other')),
        -- The wholesaler's own id of it.
        reference        text,
        -- The order's invoice at that time, which its issuer has to correct. Null without one.
        invoice_id       uuid,
        -- Id of the credential or the person.
        created_by       text NOT NULL,
        created_at       timestamptz NOT NULL DEFAULT now(),
        UNIQUE (transaction_id, number)
      );
      CREATE UNIQUE INDEX credit_notes_reference ON credit_notes (transaction_id, reference)
        WHERE reference IS NOT NULL;
      -- A note is kept as it is; its reference may be erased.
      REVOKE UPDATE, DELETE ON credit_notes FROM ${ROLE};
      GRANT UPDATE (reference) ON credit_notes TO ${ROLE};

      ALTER TABLE credit_entries
        DROP CONSTRAINT credit_entries_kind_check,
        ADD CONSTRAINT credit_entries_kind_check CHECK (kind IN
          ('hold', 'adjustment', 'release', 'repayment', 'reversal', 'credit')) NOT VALID;
    `,
  ),
  // Reads the ledger, and stops no writer meanwhile.
  migration(
    'ValidateCreditEntries1795700011000',
    'ALTER TABLE credit_entries VALIDATE CONSTRAINT credit_entries_kind_check',
  ),
  // Files of rows, made in the background for ops.
  migration('CreateExports1795900000000', CREATE_EXPORTS),
  // What is erased of a person becomes null.
  migration(
    'LetPersonsBeErased1796100000000',
    `
      ALTER TABLE credit_lines ALTER COLUMN phone_sealed DROP NOT NULL;
      ALTER TABLE delivery_words ALTER COLUMN word_sealed DROP NOT NULL
    `,
  ),
  // The corrections that people decided, apart from the lines that they became.
  migration(
    'KeepAdjustments1796400000000',
    `
      CREATE TABLE settlement_adjustments (
        -- Of the change request; without a second person its own.
        id               uuid PRIMARY KEY,
        wholesaler_id    uuid NOT NULL,
        kind             text NOT NULL CHECK (kind IN ('clawback', 'adjustment')),
        transaction_id   uuid,
        -- What a clawback takes, and what an adjustment adds.
        amount_cents     bigint NOT NULL CHECK (amount_cents <> 0),
        commission_cents bigint NOT NULL,
        -- Null: older than this table.
        requested_by     text,
        -- Null: one person was enough.
        approved_by      text,
        created_at       timestamptz NOT NULL DEFAULT now()
      );
      REVOKE UPDATE, DELETE ON settlement_adjustments FROM ${ROLE};
      INSERT INTO settlement_adjustments
        (id, wholesaler_id, kind, transaction_id, amount_cents, commission_cents, created_at)
      SELECT source_id, wholesaler_id, kind, transaction_id,
             CASE kind WHEN 'clawback' THEN -gross_cents ELSE gross_cents END, commission_cents,
             recorded_at
        FROM settlement_lines WHERE kind IN ('clawback', 'adjustment')`,
  ),
  // For exports of credit notes.
  indexMigration('IndexCreditNotesByTime1796500000000', {
    credit_notes_by_time: 'ON credit_notes (created_at, id)',
  }),
  // For the deliveries of a store's timeline: written when an order is delivered, and not when it
  // is made.
  indexMigration('IndexDeliveriesOfStores1796800000000', {
    transactions_delivered_of_store:
      'ON transactions (corner_store_id, delivered_at) WHERE delivered_at IS NOT NULL',
  }),
  // Credit notes that a wholesaler asked for and did not get, so that it learns of them.
  migration(
    'KeepRefusedCreditNotes1797100000000',
    `
      CREATE TABLE refused_credit_notes (
        change_request_id uuid PRIMARY KEY,
        transaction_id    uuid NOT NULL REFERENCES transactions,
        principal_cents   bigint NOT NULL CHECK (principal_cents > 0),
        reason            text NOT NULL
                          CHECK (reason IN ('return', 'damaged', 'missing', 'price', 'other')),
        -- The wholesaler's own id of it.
        reference         text,
        -- replaced: another note of the order was booked at once.
        status            text NOT NULL
                          CHECK (status IN ('rejected', 'expired', 'failed', 'replaced')),
        -- The code of the error with which an approved note failed.
        failure           text,
        requested_at      timestamptz NOT NULL,
        decided_at        timestamptz NOT NULL DEFAULT now(),
        CHECK ((failure IS NOT NULL) = (status = 'failed'))
      );
      CREATE INDEX refused_credit_notes_of_order ON refused_credit_notes (transaction_id);
      -- Kept as it is; its reference may be erased.
      REVOKE UPDATE, DELETE ON refused_credit_notes FROM ${ROLE};
      GRANT UPDATE (reference) ON refused_credit_notes TO ${ROLE};
    `,
  ),
  // For the list of a store's orders with a status: most of them are paid, and the newest are not.
  indexMigration(
    'IndexOrdersOfStores1797300000000',
    {
      transactions_of_store: 'ON transactions (corner_store_id, status, created_at, id)',
    },
    ['transactions_line'],
  ),
  // The store of a credit note, which its order has too: a timeline finds the notes of a store by
  // it.
  migration(
    'NameStoresOfCreditNotes1797300001000',
    `
      -- It refuses the change below. The migration makes it again, with the new column.
      DROP TRIGGER IF EXISTS keep_credit_note ON credit_notes;
      ALTER TABLE credit_notes ADD COLUMN corner_store_id uuid;
      UPDATE credit_notes note SET corner_store_id = t.corner_store_id
        FROM transactions t WHERE t.id = note.transaction_id;
      ALTER TABLE credit_notes ALTER COLUMN corner_store_id SET NOT NULL;
    `,
  ),
  // For the credit notes of a store's timeline, newest first.
  indexMigration('IndexCreditNotesOfStores1797300002000', {
    credit_notes_of_store: 'ON credit_notes (corner_store_id, created_at)',
  }),
  // Whose invoice it is, so that wholesalers take turns. Invoices of before that are final, and those of
  // processes of 1.0, name nobody: they take one turn together.
  migration(
    'NameWholesalersOfInvoices1797500009000',
    `
      ALTER TABLE invoices ADD COLUMN wholesaler_id uuid NOT NULL
        DEFAULT '00000000-0000-0000-0000-000000000000';
      UPDATE invoices SET wholesaler_id = t.wholesaler_id
        FROM transactions t WHERE t.id = transaction_id AND invoices.status = 'pending'`,
  ),
  // It takes the place of the index by time alone. Few invoices are pending.
  indexMigration(
    'IndexDueInvoices1797500009100',
    {
      invoices_due_of_wholesaler: `ON invoices (wholesaler_id, next_attempt_at, id)
       WHERE status = 'pending'`,
    },
    ['invoices_due'],
  ),
  // Null: the phone is known.
  migration(
    'MarkUnprovenPhones1799250000100',
    'ALTER TABLE credit_lines ADD COLUMN phone_unproven_by uuid',
  ),
  // A wholesaler's id of an order counts however it is spelled. Live orders whose ids are two spellings of
  // one stay as they are, marked.
  migration(
    'FoldKeys1797600000000',
    `
      ${CREATE_FOLD_KEY};
      ALTER TABLE transactions
        -- It was made while ids were compared byte for byte, and an earlier live one had its id.
        ADD COLUMN key_collides boolean`,
  ),
  foldedKeyMigration('FoldKeysOfOrders1797600000100', ORDER_KEY),
  // Receipts are cancelled with their orders. Those of before that bill too much are corrected, too.
  migration(
    'CorrectInvoices1799300000000',
    `
      ALTER TABLE invoices
        ADD COLUMN cancellation text NOT NULL DEFAULT 'none'
          CHECK (cancellation IN ('none', 'requested', 'accepted', 'rejected')),
        -- Whether the provider may have a pending one: the outcome of an attempt is unknown.
        ADD COLUMN may_exist boolean NOT NULL DEFAULT false;
      UPDATE invoices SET may_exist = true WHERE status = 'pending' AND attempts > 0;
      UPDATE invoices i SET cancellation = 'requested', next_attempt_at = now()
        FROM transactions t
       WHERE t.id = i.transaction_id AND i.status = 'issued'
         AND (t.status IN ('cancelled', 'expired')
              OR t.amount_cents
                 - (SELECT coalesce(sum(note.principal_cents), 0) FROM credit_notes note
                     WHERE note.transaction_id = t.id)
                 < CASE json_typeof(i.products) WHEN 'array' THEN
                     (SELECT sum(round((line -> 'product' ->> 'price')::numeric * 100) - 1)
                        FROM json_array_elements(i.products) line)
                   END - i.discount_cents)`,
  ),
  // It takes the place of the index of pending ones, which the release before reads by it, too.
  indexMigration(
    'IndexWaitingInvoices1799300000100',
    {
      invoices_waiting: `ON invoices (wholesaler_id, next_attempt_at, id)
       WHERE status = 'pending' OR status = 'issued' AND cancellation = 'requested'`,
    },
    ['invoices_due_of_wholesaler'],
  ),
  // Files of rows for people, which end with sums.
  migration('AddExportsForPeople1799500000000', ADD_EXPORTS_FOR_PEOPLE),
  // For the search of ops: a refused order by the id that its wholesaler gave it.
  indexMigration('IndexRefusedOrders1799501000000', {
    refusals_of_order: `ON refusals (fold_key(ids ->> 'wholesalerTransactionId'))
       WHERE fold_key(ids ->> 'wholesalerTransactionId') IS NOT NULL`,
  }),
  migration(
    'HoldUnprovenDeliveries1799501500000',
    `
      ALTER TABLE wholesalers
        ADD COLUMN batch_cents_per_day bigint NOT NULL DEFAULT 0,
        -- Cents of the accepted items on the day batch_items_on.
        ADD COLUMN batch_cents bigint NOT NULL DEFAULT 0,
        ADD COLUMN hold_unproven_days integer NOT NULL DEFAULT 0;
      ALTER TABLE transactions
        -- Null before the delivery, and for one that the release before reported.
        ADD COLUMN delivery_proof text,
        ADD CONSTRAINT transactions_delivery_proof_check
          CHECK (delivery_proof IN ('word', 'none')) NOT VALID;
      ALTER TABLE settlement_lines
        -- No statement that ends before it has the line. Null: as soon as it is recorded.
        ADD COLUMN payable_from timestamptz;
      GRANT INSERT (payable_from), UPDATE (payable_from) ON settlement_lines TO ${ROLE}`,
  ),
  // Reads all orders, and stops no writer meanwhile.
  migration(
    'ValidateDeliveryProofs1799501600000',
    'ALTER TABLE transactions VALIDATE CONSTRAINT transactions_delivery_proof_check',
  ),
  ...invoiceMigrations,
  ...taxDocumentMigrations,
  // Deliveries that their stores do not know.
  migration(
    'CreateDisputes1799531000000',
    `
      CREATE TABLE disputes (
        id              uuid PRIMARY KEY,
        transaction_id  uuid NOT NULL REFERENCES transactions,
        wholesaler_id   uuid NOT NULL,
        corner_store_id uuid NOT NULL,
        opened_by       text NOT NULL CHECK (opened_by IN ('sms', 'page', 'ops')),
        -- The person of ops; null where the store said it itself.
        opened_by_id    text,
        opened_at       timestamptz NOT NULL,
        status          text NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'kept', 'credited')),
        decided_by      text,
        decided_at      timestamptz,
        reason          text,
        -- What the wholesaler says to it.
        response        text,
        responded_at    timestamptz,
        CHECK ((opened_by = 'ops') = (opened_by_id IS NOT NULL)),
        CHECK ((status = 'open') = (decided_at IS NULL)),
        CHECK ((decided_at IS NULL) = (decided_by IS NULL))
      );
      CREATE UNIQUE INDEX disputes_open ON disputes (transaction_id) WHERE status = 'open';
      CREATE INDEX disputes_of_order ON disputes (transaction_id);
      CREATE INDEX disputes_of_store ON disputes (corner_store_id, opened_at);
      CREATE INDEX disputes_of_wholesaler ON disputes (wholesaler_id, opened_at);
      CREATE INDEX disputes_of_status ON disputes (status, id);
      REVOKE DELETE ON disputes FROM ${ROLE}`,
  ),
  // SMS in which stores deny orders, for two days.
  migration(
    'KeepDisputeWords1799531100000',
    `
      CREATE TABLE dispute_words (
        -- Of Twilio, which may send one twice.
        sms_id          text PRIMARY KEY,
        corner_store_id uuid NOT NULL,
        said_at         timestamptz NOT NULL DEFAULT now(),
        -- The orders among which the answer lets the store choose, by their numbers.
        asked           uuid[]
      );
      CREATE INDEX dispute_words_of_store ON dispute_words (corner_store_id, said_at);
      -- For their retention.
      CREATE INDEX dispute_words_by_time ON dispute_words (said_at)`,
  ),
  ...laterInvoiceMigrations,
  ...commissionMigrations,
  ...replacedInvoiceMigrations,
  // With a cost, so that a look-up by a folded key takes its index also in a small table.
  migration('PriceFoldKey1799570000000', FOLD_KEY_WITH_COST),
];

export const transactionsSchema: Schema = {
  name: 'transactions',
  entities: () => (require('./entities') as typeof import('./entities')).transactionsEntities,
  baseline: transactionsBaseline,
  migrations: transactionsMigrations,
  triggers: transactionsTriggers,
};
