import type { InternalClient } from '@fiado/chassis/clients/internal-client';
import type { Db } from '@fiado/chassis/db/database';
import { query } from '@fiado/chassis/db/query';
import {
  cornerStoreSumsEndpoint,
  invariantsEndpoint,
  sumsFields,
} from '@fiado/chassis/invariants/endpoints';
import { everyRow, OUTBOX_SCAN, type Scan } from '@fiado/chassis/invariants/scans';
import type { Sealer } from '@fiado/chassis/keys/sealing';
import * as t from '@fiado/chassis/openapi/json-schema';
import { type AccountsSums, CUSTOMERS_DIGEST, SETTINGS_DIGEST } from '@fiado/contracts/invariants';
import {
  afterBlockCall,
  type BlockedPerson,
  MAX_BLOCKED_QUESTION,
} from '@fiado/contracts/personal-data';
import type { Context } from '../context';
import { PURPOSE } from '../db/purposes';
import { PHONE_CHANGES } from '../snapshots/snapshots.sql';
import type { CornerStoreRow } from '../corner-stores/corner-store.entity';
import type { UserRow } from '../corner-stores/user.entity';

export const checkInvariantsEndpoint = invariantsEndpoint<Context>('accounts', scansOf);

export const listCornerStoreSumsEndpoint = cornerStoreSumsEndpoint<Context, AccountsSums>(
  'accounts',
  {
    userId: sumsFields.userId,
    version: t.field(t.count, 'Version of the corner store', 3),
    phoneDigest: sumsFields.phoneDigest,
    creditLimitCents: t.field(t.cents, 'Credit limit in cents', 1_000_000),
    interestRate: sumsFields.interestRate,
    status: sumsFields.status,
    overdue: sumsFields.overdue,
    overdueVersion: sumsFields.overdueVersion,
    customersDigest: sumsFields.customersDigest,
    settingsDigest: sumsFields.settingsDigest,
  },
  (db, page) =>
    query<AccountsSums>(
      db,
      `WITH store AS (
         SELECT * FROM corner_stores WHERE $1::uuid IS NULL OR id > $1 ORDER BY id LIMIT $2
       )
       SELECT store.id AS "cornerStoreId", store.user_id, store.version,
              coalesce(CASE WHEN person.phone IS NOT NULL THEN md5(person.phone_index) END, '')
                AS "phoneDigest", store.credit_limit_cents,
              trim_scale(store.interest_rate)::text AS "interestRate", store.status, store.overdue,
              store.overdue_version, links.customers AS "customersDigest", links.settings AS "settingsDigest"
         FROM store
         LEFT JOIN users person ON person.id = store.user_id
         CROSS JOIN LATERAL (
           SELECT ${CUSTOMERS_DIGEST} AS customers, ${SETTINGS_DIGEST} AS settings
             FROM (SELECT c.*, change.changes AS phone_changes,
                          change.held_until AS phone_held_until
                     FROM customers c CROSS JOIN LATERAL (${PHONE_CHANGES}) change
                    WHERE c.corner_store_id = store.id) customer
             JOIN wholesalers wholesaler ON wholesaler.id = customer.wholesaler_id) links
        ORDER BY store.id`,
      [page.cursor, page.limit],
    ),
);

/** The invariants of accounts, true whenever no database transaction is open. */
function scansOf(context: Context): Scan[] {
  const { sealer } = context;
  return [
    {
      name: 'users',
      rows: everyRow('users'),
      checks: [
        {
          name: 'every user has one corner store',
          violations: `
            SELECT u.id AS "userId" FROM users u
             WHERE u.id = ANY($1) AND NOT EXISTS (SELECT FROM corner_stores s WHERE s.user_id = u.id)`,
        },
      ],
    },
    {
      name: 'corner-stores',
      rows: everyRow('corner_stores'),
      checks: [
        ...CHECKS_OF_STORES,
        {
          name: 'the phone number of each user is the one that it is found by',
          violations: (db, ids) => wronglyFound(db, sealer, ids),
        },
        {
          name: 'a blocked corner store got no order and no message since its block',
          violations: (db, ids) => findAfterBlock(context, db, ids),
        },
      ],
    },
    {
      name: 'verifications',
      rows: everyRow('verifications'),
      checks: [
        {
          name: 'each verification belongs to a customer of its wholesaler',
          violations: `
            SELECT v.id AS "verificationId" FROM verifications v
             WHERE v.id = ANY($1) AND NOT EXISTS (
               SELECT FROM customers c JOIN corner_stores s ON s.id = c.corner_store_id
                WHERE s.user_id = v.user_id AND c.wholesaler_id = v.wholesaler_id)`,
        },
        {
          name: 'each verification is approved if, and only if, it has a time of approval',
          violations: `
            SELECT id AS "verificationId", status, approved_at FROM verifications
             WHERE id = ANY($1) AND (status = 'approved') <> (approved_at IS NOT NULL)`,
        },
      ],
    },
    PRIVACY_REQUESTS,
    OUTBOX_SCAN,
  ];
}

/** The index of open requests finds them: there are few. */
const PRIVACY_REQUESTS: Scan = {
  name: 'privacy-requests',
  checks: [
    {
      name: 'each open request of a person is answered, and done, before its day is over',
      violations: `
        SELECT id AS "privacyRequestId", kind, status FROM privacy_requests
         WHERE status = 'open' AND answer_due_at < now()
            OR status = 'executing' AND execution_due_at < now()`,
    },
    {
      // They are never deleted: a request is the proof of what a person asked for.
      name: 'each request of a person that the audit log opened is kept',
      violations: `
        SELECT opened.details->>'privacyRequestId' AS "privacyRequestId", opened.occurred_at
          FROM audit_log opened
         WHERE opened.action = 'privacy-request.opened' AND NOT EXISTS (
           SELECT FROM privacy_requests r
            WHERE r.id = (opened.details->>'privacyRequestId')::uuid)`,
    },
  ],
};

const CHECKS_OF_STORES: Scan['checks'] = [
  {
    name: 'an erased corner store has no sealed value, and its erasure has four parts and its report',
    violations: `
      SELECT s.id AS "cornerStoreId"
        FROM corner_stores s JOIN users u ON u.id = s.user_id
       WHERE s.id = ANY($1) AND s.erased_at IS NOT NULL
         AND (num_nonnulls(s.name, s.information, u.first_name, u.last_names, u.phone, u.latitude,
                           u.longitude, u.contacts, u.metadata) > 0
              OR EXISTS (SELECT FROM verifications v WHERE v.user_id = s.user_id AND v.phone IS NOT NULL)
              OR u.phone_index IN (SELECT keyed_hash FROM erased_phones)
              OR EXISTS (SELECT FROM onboarding_documents d WHERE d.corner_store_id = s.id)
              OR NOT EXISTS (
                SELECT FROM erasures e
                 WHERE e.corner_store_id = s.id AND e.phase = 'suppress'
                   -- After a restore the data are gone first, and the report follows.
                   AND (e.state <> 'done'
                        OR (SELECT count(*) FROM erasure_parts p WHERE p.erasure_id = e.id) = 4
                           AND e.report_sha256 = sha256(convert_to(e.report, 'UTF8')))))`,
  },
  {
    // The audit log is chained and anchored: a report whose hash is there was not changed since.
    name: 'each report of an erasure has the hash that its entry in the audit log has',
    violations: `
      SELECT e.id AS "erasureId", e.phase
        FROM corner_stores s JOIN erasures e ON e.user_id = s.user_id
       WHERE s.id = ANY($1) AND e.state = 'done'
         AND NOT EXISTS (
           SELECT FROM audit_log a
            WHERE a.object_id = e.user_id AND a.action IN ('person.blocked', 'person.erased')
              AND a.details ->> 'erasureId' = e.id::text
              AND a.details ->> 'sha256' = encode(sha256(convert_to(e.report, 'UTF8')), 'hex'))`,
  },
  {
    name: 'a blocked corner store has no credit, no open code and no link',
    violations: `
      SELECT s.id AS "cornerStoreId" FROM corner_stores s
       WHERE s.id = ANY($1) AND s.blocked_at IS NOT NULL
         AND (s.status <> 'pre-approved' OR s.credit_limit_cents <> 0
              OR EXISTS (SELECT FROM verifications v
                          WHERE v.user_id = s.user_id AND v.status = 'pending'))`,
  },
  {
    name: 'every corner store is the customer of a wholesaler',
    violations: `
      SELECT s.id AS "cornerStoreId" FROM corner_stores s
       WHERE s.id = ANY($1)
         AND NOT EXISTS (SELECT FROM customers c WHERE c.corner_store_id = s.id)`,
  },
  {
    name: 'a wholesaler has at most one pending verification for a user',
    violations: `
      SELECT v.user_id, v.wholesaler_id, count(*) AS pending
        FROM corner_stores s JOIN verifications v USING (user_id)
       WHERE s.id = ANY($1) AND v.status = 'pending'
       GROUP BY v.user_id, v.wholesaler_id HAVING count(*) > 1`,
  },
  {
    name: 'each completed image step has an image, and no other step has one',
    violations: `
      SELECT s.id AS "cornerStoreId", steps.taken, steps.shown
        FROM corner_stores s,
             LATERAL (SELECT
               ARRAY(SELECT step FROM unnest(s.onboarding_steps) step
                      WHERE step LIKE '%\\_IMAGE' OR step LIKE '%\\_IMAGE\\_%' ORDER BY step) AS taken,
               ARRAY(SELECT DISTINCT step FROM onboarding_documents d
                      WHERE d.corner_store_id = s.id ORDER BY step) AS shown) steps
       WHERE s.id = ANY($1) AND steps.taken <> steps.shown`,
  },
  {
    name: 'each completed information step has its information, and no other has one',
    violations: `
      SELECT id AS "cornerStoreId" FROM corner_stores
       WHERE id = ANY($1)
         AND (information IS NOT NULL) <> ('CORNER_STORE_INFORMATION' = ANY(onboarding_steps))`,
  },
  {
    name: 'each corner store in manual validation has completed its onboarding',
    violations: `
      SELECT id AS "cornerStoreId" FROM corner_stores
       WHERE id = ANY($1) AND status = 'in-manual-validation'
         AND NOT 'COMPLETED' = ANY(onboarding_steps) AND pause IS NULL`,
  },
  {
    name: 'each paused corner store is in manual validation, so that it cannot order',
    violations: `
      SELECT id AS "cornerStoreId" FROM corner_stores
       WHERE id = ANY($1) AND pause IS NOT NULL AND status <> 'in-manual-validation'`,
  },
];

async function wronglyFound(
  db: Db,
  sealer: Sealer,
  ids: string[],
): Promise<{ cornerStoreId: string; userId: string }[]> {
  const rows = await query<PhoneRow>(
    db,
    `SELECT s.id AS "cornerStoreId", s.user_id, u.phone, u.phone_index
       FROM corner_stores s JOIN users u ON u.id = s.user_id
      WHERE s.id = ANY($1) AND s.erased_at IS NULL`,
    [ids],
  );
  return rows
    .filter((row) => !(indexOf(sealer, row)?.equals(row.phoneIndex) ?? false))
    .map(({ cornerStoreId, userId }) => ({ cornerStoreId, userId }));
}

interface PhoneRow extends Pick<CornerStoreRow, 'userId'>, Pick<UserRow, 'phoneIndex'> {
  cornerStoreId: CornerStoreRow['id'];
  phone: NonNullable<UserRow['phone']>;
}

/** @returns undefined for a phone that does not open: it was changed, or is another row's */
function indexOf(sealer: Sealer, { cornerStoreId, phone }: PhoneRow): Buffer | undefined {
  try {
    return sealer.blindIndex(sealer.open(phone, PURPOSE.phone, cornerStoreId), PURPOSE.phone);
  } catch {
    return undefined;
  }
}

/** An order or an SMS that was under way at the block may still come: retries of a job last some minutes. */
const UNDER_WAY = '1 hour';

/** A blocked corner store that got an order or a message. */
interface AfterBlock {
  cornerStoreId: string;
  got: 'order' | 'message';
}

/**
 * The blocked stores among these that got an order or a message since their block. Blocks are stored in accounts,
 * orders and messages in other services, which are called.
 * @throws AppError SERVICE_UNAVAILABLE
 */
async function findAfterBlock(
  { transactions, messages }: Pick<Context, 'transactions' | 'messages'>,
  db: Db,
  ids: string[],
): Promise<AfterBlock[]> {
  const blocked = await query<Omit<BlockedPerson, 'since'> & { since: Date }>(
    db,
    `SELECT s.id AS "cornerStoreId", encode(u.phone_index, 'base64') AS "phoneIndex",
            s.blocked_at + interval '${UNDER_WAY}' AS since
       FROM corner_stores s JOIN users u ON u.id = s.user_id
      WHERE s.id = ANY($1) AND s.blocked_at IS NOT NULL`,
    [ids],
  );
  const found: AfterBlock[] = [];
  for (let at = 0; at < blocked.length; at += MAX_BLOCKED_QUESTION) {
    const persons = blocked
      .slice(at, at + MAX_BLOCKED_QUESTION)
      .map((person) => ({ ...person, since: person.since.toISOString() }));
    const ask = async (client: InternalClient, got: AfterBlock['got']): Promise<AfterBlock[]> =>
      (await client.ask(afterBlockCall, { persons })).cornerStoreIds.map((cornerStoreId) => ({
        cornerStoreId,
        got,
      }));
    found.push(...(await ask(transactions, 'order')), ...(await ask(messages, 'message')));
  }
  return found;
}
