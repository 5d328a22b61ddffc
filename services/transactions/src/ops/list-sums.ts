import { createHash } from 'node:crypto';
import type { Db } from '@fiado/chassis/db/database';
import { query } from '@fiado/chassis/db/query';
import {
  cornerStoreSumsEndpoint,
  debtsEndpoint,
  sumsFields,
} from '@fiado/chassis/invariants/endpoints';
import * as t from '@fiado/chassis/openapi/json-schema';
import {
  CUSTOMERS_DIGEST,
  DEBTS_DIGEST,
  SETTINGS_DIGEST,
  type SumsPage,
  type TransactionsSums,
} from '@fiado/contracts/invariants';
import { MAX_LATER_DAYS } from '@fiado/contracts/jobs/disputes';
import { PHONE_PURPOSE } from '@fiado/contracts/jobs/send-message';
import type { Context } from '../context';
import { DAYS } from '../disputes/close-dispute';

export const listDebtsEndpoint = debtsEndpoint('transactions', debtsOf);

export const listCornerStoreSumsEndpoint = cornerStoreSumsEndpoint<Context, TransactionsSums>(
  'transactions',
  {
    userId: sumsFields.userId,
    version: t.field(t.count, 'Version of its copy', 3),
    phoneDigest: sumsFields.phoneDigest,
    limitCents: t.field(t.cents, 'Credit limit in cents', 1_000_000),
    interestRate: sumsFields.interestRate,
    status: sumsFields.status,
    overdue: sumsFields.overdue,
    overdueVersion: sumsFields.overdueVersion,
    usedCents: t.field(t.cents, 'Credit in use, in cents', 50_000),
    heldCents: t.field(t.cents, 'Credit that open orders hold, in cents', 50_000),
    debts: t.field(t.count, 'Number of delivered orders', 0),
    debtsDigest: sumsFields.debtsDigest,
    customersDigest: sumsFields.customersDigest,
    settingsDigest: sumsFields.settingsDigest,
  },
  listCornerStoreSums,
);

/**
 * The sums of each credit line, ordered by id, after a cursor. The phone number comes as a digest that
 * accounts can compare.
 */
async function listCornerStoreSums(
  db: Db,
  { cursor, limit, since }: SumsPage,
  context: Context,
): Promise<TransactionsSums[]> {
  const rows = await query<Omit<TransactionsSums, 'phoneDigest'> & { phoneSealed: Buffer | null }>(
    db,
    `WITH line AS (
       SELECT * FROM credit_lines WHERE $1::uuid IS NULL OR corner_store_id > $1
        ORDER BY corner_store_id LIMIT $2
     )
     SELECT line.corner_store_id, line.user_id, line.version, line.phone_sealed, line.limit_cents,
            trim_scale(line.interest_rate)::text AS "interestRate", line.status, line.overdue,
            line.overdue_version,
            line.used_cents, held.cents AS "heldCents", delivered.count AS debts,
            delivered.digest AS "debtsDigest", links.customers AS "customersDigest",
            links.settings AS "settingsDigest"
       FROM line
       CROSS JOIN LATERAL (
         SELECT coalesce(sum(amount_cents), 0)::bigint AS cents FROM transactions t
          WHERE t.corner_store_id = line.corner_store_id
            AND t.status IN ('pending-verification', 'on-hold')) held
       CROSS JOIN LATERAL (
         SELECT count(*), ${DEBTS_DIGEST} AS digest
           FROM ${debtsOf('line.corner_store_id', '$3::timestamptz')}) delivered
       CROSS JOIN LATERAL (
         SELECT ${CUSTOMERS_DIGEST} AS customers, ${SETTINGS_DIGEST} AS settings
           FROM customers customer LEFT JOIN wholesalers wholesaler USING (wholesaler_id)
          WHERE customer.corner_store_id = line.corner_store_id) links
      ORDER BY line.corner_store_id`,
    [cursor, limit, since],
  );
  return rows.map(({ phoneSealed, ...sums }) => ({
    ...sums,
    phoneDigest: phoneDigestOf(context, sums.cornerStoreId, phoneSealed),
  }));
}

/** Of the blind index, which accounts stores. Empty for one that is erased or does not open. */
function phoneDigestOf(
  { sealer }: Context,
  cornerStoreId: string,
  phoneSealed: Buffer | null,
): string {
  if (phoneSealed === null) return '';
  try {
    const index = sealer.blindIndex(
      sealer.open(phoneSealed, PHONE_PURPOSE, cornerStoreId),
      PHONE_PURPOSE,
    );
    return createHash('md5').update(index).digest('hex');
  } catch {
    return '';
  }
}

/** The statuses of a delivered order, whose debt was booked. */
export const DELIVERED = `status IN ('delivery', 'in-payment-default', 'paid')`;

/**
 * SQL of the delivered orders of a corner store as rows `debt`.
 * @param cornerStoreId an expression
 * @param since an expression: only debts due since then, and those that are not paid; null for all
 */
function debtsOf(cornerStoreId: string, since: string): string {
  return `
    (SELECT t.id AS transaction_id, t.wholesaler_id, t.user_id, customer.external_id,
            t.amount_cents AS principal_cents, t.interest_cents, t.iva_cents,
            t.payment_due_at AS due_at, t.paid, t.in_default, t.owed_cents AS owed_principal_cents,
            (SELECT coalesce(sum(principal_cents + interest_cents + iva_cents), 0)::bigint
               FROM credit_notes note WHERE note.transaction_id = t.id) AS credited_cents,
            -- The statement of the note, or a later one, was closed at 0 or more.
            (SELECT count(*) FROM credit_notes note
               JOIN settlement_lines line ON line.kind = 'credit-note' AND line.source_id = note.id
               JOIN statements s ON s.id = line.statement_id
              WHERE note.transaction_id = t.id
                AND EXISTS (SELECT FROM statements later
                             WHERE later.wholesaler_id = s.wholesaler_id
                               AND later.number >= s.number AND later.net_cents >= 0))
              AS settled_notes,
            dispute.is_open AS disputed, dispute.days AS later_days,
            -- A receivable is opened with version 1, of which no event comes back.
            greatest(t.receivable_version, 1) AS version
       FROM transactions t
       LEFT JOIN customers customer
         ON customer.wholesaler_id = t.wholesaler_id AND customer.corner_store_id = t.corner_store_id
       CROSS JOIN LATERAL (
         SELECT coalesce(bool_or(status = 'open'), false) AS is_open,
                coalesce(sum(CASE status WHEN 'open' THEN ${MAX_LATER_DAYS} ELSE ${DAYS} END), 0)::int AS days
           FROM disputes WHERE transaction_id = t.id) dispute
      WHERE t.corner_store_id = ${cornerStoreId} AND t.${DELIVERED}
        AND (${since} IS NULL OR t.payment_due_at >= ${since} OR NOT t.paid)) debt`;
}
