import { accountsService } from '../../../../services/accounts/src/service';
import { notifierService } from '../../../../services/notifier/src/service';
import { paymentsService } from '../../../../services/payments/src/service';
import { transactionsService } from '../../../../services/transactions/src/service';
import { asOwner } from '../src/testing/as-owner';
import { createTestDatabase } from '../src/testing/database';

/** A word of ours: the name of a state, a step, a key or a file. */
const OURS = 'ours';
/** Beside the folded index for one release, for the processes of the release before. */
const OLD = 'the index of before, byte for byte';
const FOLDED = 'fold_key';
/** Letters and digits alone, in capitals. */
const BANK_REFERENCE = 'bankReferenceKey';

const OF_SEALED = { data_keys_pkey: OURS, sealed_tables_pkey: OURS };
const OF_EXPORTS = { export_files_pkey: OURS, export_parts_storage_key_key: OURS };

/**
 * The unique indexes with a text, each with what makes two spellings of the text one. A new index with a text
 * fails the test until its line says so.
 */
const TEXTS_OF_UNIQUE_INDEXES: Record<string, Record<string, string>> = {
  accounts: {
    ...OF_SEALED,
    key_fingerprints_pkey: OURS,
    change_requests_open_target: OURS,
    consents_given: OURS,
    // A customer is its phone: a row with the same phone and another spelling is refused, and one with another
    // phone is another store, which ops approves. A spelling that nobody imported is not found.
    customers_external_id_key: 'names a store; no effect happens once by it',
    erasure_parts_pkey: OURS,
    erasures_request_id_phase_key: OURS,
    onboarding_documents_image_key: OURS,
    onboarding_documents_storage_key_key: OURS,
    payment_providers_name_key: 'names a provider; no effect happens once by it',
    privacy_consents_pkey: OURS,
    privacy_requests_open: OURS,
    staff_credentials_pkey: 'the id that a passkey has',
    staff_email_key: 'names a person; no effect happens once by it',
    staff_oidc_sub_key: 'the id that the identity provider gave',
  },
  transactions: {
    ...OF_SEALED,
    key_fingerprints_pkey: OURS,
    ...OF_EXPORTS,
    credit_notes_reference: 'fold_key, looked up under the lock of the order',
    customers_wholesaler_id_external_id_key: 'names a store; no effect happens once by it',
    dispute_words_pkey: 'the id that Twilio gave',
    settlement_lines_kind_source_id_key: OURS,
    statement_payments_reference: BANK_REFERENCE,
    transactions_live_order: OLD,
    transactions_live_order_folded: FOLDED,
  },
  payments: {
    key_fingerprints_pkey: OURS,
    ...OF_EXPORTS,
    credit_balances_numero_referencia_key: OURS,
    deposit_decisions_pkey: OURS,
    deposits_once: OLD,
    deposits_once_folded: FOLDED,
    notices_once_each: OURS,
    payouts_bank_reference: BANK_REFERENCE,
    portfolio_days_pkey: OURS,
    receivables_id_factura_key: OURS,
  },
  notifier: {
    ...OF_SEALED,
    key_fingerprints_pkey: OURS,
    messages_provider_sid_key: 'the id that Twilio gave',
    webhook_secrets_current: OURS,
  },
};

it.each([accountsService, transactionsService, paymentsService, notifierService])(
  'each text that makes an effect of $name happen once is known, with how its spellings are one',
  async ({ schema }) => {
    const database = await createTestDatabase(schema);
    let indexes: Array<{ name: string; isFolded: boolean }> = [];
    await asOwner(database.ownerUrl, async (owner) => {
      const { rows } = await owner.query(
        `SELECT c.relname AS name, pg_get_indexdef(c.oid) LIKE '%fold_key(%' AS "isFolded"
           FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
           JOIN pg_namespace n ON n.oid = c.relnamespace
          WHERE i.indisunique AND n.nspname = $1
            AND EXISTS (SELECT FROM pg_attribute a
                         WHERE a.attrelid = i.indexrelid AND a.atttypid = 'text'::regtype)
          ORDER BY 1`,
        [schema.name],
      );
      indexes = rows;
    });
    await database.drop();
    const known = TEXTS_OF_UNIQUE_INDEXES[schema.name] ?? {};
    expect(indexes.map(({ name }) => name)).toEqual(Object.keys(known).toSorted());
    expect(indexes.filter(({ isFolded }) => isFolded).map(({ name }) => name)).toEqual(
      Object.keys(known).filter((name) => known[name] === FOLDED),
    );
  },
);
