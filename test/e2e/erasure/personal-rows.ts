import { PERSONAL_DATA as ACCOUNTS } from '@fiado/accounts/db/personal-data';
import {
  type PersonalData,
  personParameters,
  selectOfPerson,
} from '@fiado/chassis/db/personal-data';
import { PERSONAL_DATA as NOTIFIER } from '@fiado/notifier/db/personal-data';
import { PERSONAL_DATA as PAYMENTS } from '@fiado/payments/db/personal-data';
import { PERSONAL_DATA as TRANSACTIONS } from '@fiado/transactions/db/personal-data';
import type { Client } from 'pg';
import type { MarkedPerson } from '../support/marked-person';

const PERSONAL_DATA: Record<string, PersonalData> = {
  accounts: ACCOUNTS,
  transactions: TRANSACTIONS,
  payments: PAYMENTS,
  notifier: NOTIFIER,
};

/**
 * Rows that need a second person, a number of Mi cuenta, a request of a provider, an earlier release or time
 * that passes. $1: the store, $2: its owner.
 */
const RARE_ROWS = [
  `INSERT INTO accounts.change_requests
     (id, kind, target_id, payload, before, requested_by, status, decided_by, decided_at, expires_at)
   SELECT gen_random_uuid(), 'corner-store.terms', $1::uuid, '{"creditLimit": 12000}', '{"creditLimit": 10000}',
          'ops:1', 'executed', 'ops:2', now(), now() FROM accounts.users WHERE id = $2`,
  `INSERT INTO accounts.privacy_consents (verification_id, notice_version, notice_url)
   SELECT id, '1', 'https://lender.example/aviso' FROM accounts.verifications
    WHERE user_id = $2 AND $1::uuid IS NOT NULL LIMIT 1`,
  `INSERT INTO accounts.account_visits
     (id, token_hash, phone_index, phone_masked, address_index, code_salt, code_expires_at, expires_at)
   SELECT gen_random_uuid(), '\\x01', phone_index, '********1234', '\\x02', '\\x03', now(), now() + interval '1 hour'
     FROM accounts.users WHERE id = $2 AND $1::uuid IS NOT NULL`,
  // A trigger copies it to deposit_changes, and the next one to write_off_requests.
  `INSERT INTO payments.waiting_changes (target_id, change_request_id, kind, payload, requested_by)
   SELECT id, gen_random_uuid(), 'deposit.reverse', '{"reason": "x", "depositVersion": 1}', 'ops:1'
     FROM payments.deposits WHERE user_id = $2 AND $1::uuid IS NOT NULL LIMIT 1`,
  `INSERT INTO payments.reversal_requests (deposit_id, payment_provider_id, reason)
   SELECT id, payment_provider_id, 'x' FROM payments.deposits
    WHERE user_id = $2 AND $1::uuid IS NOT NULL LIMIT 1`,
  `INSERT INTO payments.payment_defaults
     (id, receivable_id, wholesaler_id, corner_store_id, user_id, external_id, amount_cents, as_of, paid_at)
   SELECT gen_random_uuid(), id, wholesaler_id, $1, $2, external_id, 100, now(), now()
     FROM payments.receivables WHERE user_id = $2`,
  `INSERT INTO payments.write_offs
     (receivable_id, principal_cents, interest_cents, iva_cents, receivable_version, reason, requested_by, created_at)
   SELECT id, e.principal_cents, e.interest_cents, e.iva_cents, e.version, 'x', 'ops:1', now()
     FROM payments.receivables JOIN payments.receivable_entries e ON e.receivable_id = id AND e.version = 1
    WHERE user_id = $2 AND $1::uuid IS NOT NULL LIMIT 1`,
  `INSERT INTO payments.waiting_changes (target_id, change_request_id, kind, payload, requested_by)
   SELECT id, gen_random_uuid(), 'receivable.write-off', '{"reason": "x"}', 'ops:1' FROM payments.receivables
    WHERE user_id = $2 AND $1::uuid IS NOT NULL LIMIT 1`,
  `INSERT INTO transactions.refused_credit_notes
     (change_request_id, transaction_id, principal_cents, reason, reference, status, requested_at)
   SELECT gen_random_uuid(), id, 100, 'return', 'x', 'rejected', now() FROM transactions.transactions
    WHERE corner_store_id = $1 AND user_id = $2`,
  `INSERT INTO notifier.numbers_without_whatsapp (phone_index)
   SELECT phone_index FROM accounts.users WHERE id = $2 AND $1::uuid IS NOT NULL`,
  `INSERT INTO transactions.disputes
     (id, transaction_id, wholesaler_id, corner_store_id, opened_by, opened_at, status, decided_by, decided_at,
      reason, response)
   SELECT gen_random_uuid(), id, wholesaler_id, corner_store_id, 'sms', now(), 'kept', 'ops:1', now(), 'x', 'x'
     FROM transactions.transactions
    WHERE corner_store_id = $1 AND user_id = $2 AND delivered_at IS NOT NULL LIMIT 1`,
  // As payments learns of it.
  `INSERT INTO payments.debt_disputes (dispute_id, transaction_id, opened_at, closed_at, days)
   SELECT id, transaction_id, opened_at, decided_at, 1 FROM transactions.disputes
    WHERE corner_store_id = $1 AND $2::uuid IS NOT NULL`,
  `INSERT INTO transactions.waiting_changes (target_id, change_request_id, kind, payload, requested_by)
   SELECT id, gen_random_uuid(), 'credit-note.create', jsonb_build_object('cornerStoreId', $1::uuid), 'ops:1'
     FROM transactions.transactions WHERE corner_store_id = $1 AND user_id = $2 LIMIT 1`,
];

/** The ids of the person's rows, by the name of a parameter. $1: the store, $2: its owner. */
const IDS: Record<string, string> = {
  cornerStoreId: 'SELECT $1::uuid',
  userId: 'SELECT $2::uuid',
  externalId: 'SELECT external_id FROM accounts.customers WHERE corner_store_id = $1',
  verificationId: 'SELECT id FROM accounts.verifications WHERE user_id = $2',
  documentId: 'SELECT id FROM accounts.onboarding_documents WHERE corner_store_id = $1',
  changeRequestId: 'SELECT id FROM accounts.change_requests WHERE target_id IN ($1, $2)',
  privacyRequestId: 'SELECT id FROM accounts.privacy_requests WHERE user_id = $2',
  transactionId: 'SELECT id FROM transactions.transactions WHERE corner_store_id = $1',
  disputeId: 'SELECT id FROM transactions.disputes WHERE corner_store_id = $1',
  wholesalerTransactionId: `SELECT wholesaler_transaction_id FROM transactions.transactions
                             WHERE corner_store_id = $1`,
  statementId: `SELECT statement_id FROM transactions.settlement_lines line
                  JOIN transactions.transactions o ON o.id = transaction_id
                 WHERE corner_store_id = $1 AND statement_id IS NOT NULL`,
  receivableId: 'SELECT id FROM payments.receivables WHERE user_id = $2',
  reference: 'SELECT numero_referencia FROM payments.credit_balances WHERE user_id = $2',
  depositId: 'SELECT id FROM payments.deposits WHERE user_id = $2',
  payoutId: 'SELECT id FROM payments.payouts WHERE user_id = $2',
  wholesalerId: 'SELECT wholesaler_id FROM accounts.customers WHERE corner_store_id = $1',
  paymentProviderId: 'SELECT payment_provider_id FROM payments.deposits WHERE user_id = $2',
};

/** Adds to a person's story the rows that it does not make. */
export async function insertRareRows(owner: Client, person: MarkedPerson): Promise<void> {
  const { cornerStoreId, userId } = person;
  for (const text of RARE_ROWS) await owner.query(text, [cornerStoreId, userId]);
}

/** @returns the tables of personal data that have no row of the person, with their schema */
export async function tablesWithoutRow(owner: Client, person: MarkedPerson): Promise<string[]> {
  const { rows } = await owner.query<{ index: Buffer }>(
    `SELECT phone_index AS index FROM accounts.users WHERE id = $1
      UNION SELECT phone_index FROM accounts.verifications WHERE user_id = $1`,
    [person.userId],
  );
  const objects = await owner.query<{ id: string }>(
    `SELECT id FROM transactions.transactions WHERE corner_store_id = $1
      UNION SELECT id FROM payments.receivables WHERE corner_store_id = $1
      UNION SELECT id FROM payments.deposits WHERE user_id = $2
      UNION SELECT id FROM payments.payouts WHERE user_id = $2`,
    [person.cornerStoreId, person.userId],
  );
  const parameters = personParameters({
    userId: person.userId,
    cornerStoreId: person.cornerStoreId,
    phoneIndexes: rows.map(({ index }) => index),
    objectIds: objects.rows.map(({ id }) => id),
  });
  const empty: string[] = [];
  for (const [schema, { tables }] of Object.entries(PERSONAL_DATA)) {
    await owner.query(`SET search_path TO ${schema}`);
    for (const { find, ...table } of tables) {
      if (find === undefined) continue;
      const text = selectOfPerson({ ...table, find }, '1');
      const { rowCount } = await owner.query(`${text} LIMIT 1`, parameters);
      if (rowCount === 0) empty.push(`${schema}.${table.table}`);
    }
  }
  await owner.query('RESET search_path');
  return empty.toSorted();
}

/** @returns the ids of the person's rows, by the name of a parameter */
export async function idsOf(
  owner: Client,
  person: MarkedPerson,
): Promise<Record<string, string[]>> {
  const ids: Record<string, string[]> = {};
  for (const [name, text] of Object.entries(IDS)) {
    const { rows } = await owner.query<unknown[]>({
      text: `SELECT DISTINCT id::text FROM (${text}) AS found (id), (SELECT $1::uuid, $2::uuid) AS of_person`,
      values: [person.cornerStoreId, person.userId],
      rowMode: 'array',
    });
    ids[name] = rows.flat().map(String);
  }
  return ids;
}
