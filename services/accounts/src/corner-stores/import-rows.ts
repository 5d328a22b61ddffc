import type { Db, Transaction } from '@fiado/chassis/db/database';
import { query } from '@fiado/chassis/db/query';
import type { Sealer } from '@fiado/chassis/keys/sealing';
import { appendToOutbox } from '@fiado/chassis/outbox/append';
import { AppError } from '@fiado/contracts/errors';
import { newId } from '@fiado/contracts/new-id';
import type { LockedChangeRequest } from '../approvals/change-requests.sql';
import { type AuditedBy, recordAudit } from '../audit/audit-log';
import type { Context } from '../context';
import { PURPOSE } from '../db/purposes';
import { cornerStoreEvents } from '../snapshots/snapshots.sql';
import { recordConsent } from '../privacy/consents';
import {
  type CustomerRow,
  type ImportedCustomer,
  type ImportPlan,
  type KnownCornerStore,
  type NewCustomer,
  planImport,
} from './import-plan.rules';
import type { CornerStoreRow } from './corner-store.entity';
import { UserRow } from './user.entity';

/** Rows that an error names, at most: it stays readable. */
const MAX_NAMED = 20;

/**
 * Decides what an import does, with the wholesaler and its known stores locked.
 * @throws AppError WHOLESALER_NOT_FOUND, CUSTOMER_CONFLICT naming the row, CUSTOMER_ERASED naming the rows
 */
export async function lockedImportPlan(
  sealer: Sealer,
  tx: Transaction,
  { wholesalerId, rows }: { wholesalerId: string; rows: CustomerRow[] },
): Promise<ImportPlan> {
  // Serialises the imports of a wholesaler, so that its customers stay unique by phone and by name.
  const [wholesaler] = await query(tx, 'SELECT FROM wholesalers WHERE id = $1 FOR NO KEY UPDATE', [
    wholesalerId,
  ]);
  if (wholesaler === undefined) throw new AppError('WHOLESALER_NOT_FOUND');
  const known = await knownCornerStores(sealer, tx, wholesalerId, rows);
  await refuseErased(sealer, tx, rows, known);
  return planImport(rows, known, newId);
}

/** @throws AppError CUSTOMER_ERASED naming the rows of owners who asked the lender to cancel their data */
async function refuseErased(
  sealer: Sealer,
  tx: Transaction,
  rows: CustomerRow[],
  known: Known[],
): Promise<void> {
  const places = await erasedPlaces(sealer, tx, rows, known);
  if (places.length === 0) return;
  const named = places.slice(0, MAX_NAMED).map((place) => `customers.${place}`);
  const more = places.length > MAX_NAMED ? ` and ${places.length - MAX_NAMED} more` : '';
  throw new AppError('CUSTOMER_ERASED', {
    message: `${named.join(', ')}${more}: the data were erased, or blocked, at the request of the owner`,
  });
}

/** The rows of an import without those of owners who asked the lender to cancel their data. */
export async function withoutErased(
  sealer: Sealer,
  tx: Transaction,
  { wholesalerId, rows }: { wholesalerId: string; rows: CustomerRow[] },
): Promise<CustomerRow[]> {
  const known = await knownCornerStores(sealer, tx, wholesalerId, rows);
  const places = new Set(await erasedPlaces(sealer, tx, rows, known));
  return rows.filter((_row, place) => !places.has(place));
}

async function erasedPlaces(
  sealer: Sealer,
  tx: Transaction,
  rows: CustomerRow[],
  known: Known[],
): Promise<number[]> {
  const indexes = rows.map((row) => sealer.blindIndex(row.phone, PURPOSE.phone));
  const found = await query<{ keyedHash: Buffer; at: Date }>(
    tx,
    'SELECT keyed_hash, at FROM erased_phones WHERE keyed_hash = ANY ($1)',
    [indexes],
  );
  const erased = new Map(found.map(({ keyedHash, at }) => [keyedHash.toString('hex'), at]));
  const blocked = known.filter(({ isBlocked }) => isBlocked);
  const phones = new Set(blocked.map(({ phone }) => phone));
  // Somebody else proved the number since, or the owner came back.
  const living = new Set(known.flatMap((one) => (one.isBlocked ? [] : [one.phone])));
  const names = new Set(blocked.map(({ externalId }) => externalId));
  return rows.flatMap((row, place) => {
    const erasedAt = erased.get(indexes[place]?.toString('hex') ?? '');
    const isErased =
      erasedAt !== undefined &&
      !living.has(row.phone) &&
      !(row.consent && new Date(row.consent.givenAt) > erasedAt);
    return isErased || phones.has(row.phone) || names.has(row.externalId) ? [place] : [];
  });
}

/**
 * Makes corner stores a wholesaler's customers: all or none, and the same when repeated. Fails on
 * users_phone_index_key when another import adds the same phones meanwhile.
 * @throws AppError as lockedImportPlan
 */
export async function importRows(
  context: Context,
  tx: Transaction,
  {
    by,
    wholesalerId,
    rows,
    auditDetails = {},
  }: AuditedBy & { wholesalerId: string; rows: CustomerRow[] },
): Promise<ImportedCustomer[]> {
  const { sealer } = context;
  const plan = await lockedImportPlan(sealer, tx, { wholesalerId, rows });
  const { customers, created, linked } = plan;

  await insertCustomers(
    tx,
    wholesalerId,
    created.map((customer) => sealedCustomer(sealer, customer)),
  );
  await keepConsents(context, tx, created);
  await linkCustomers(tx, wholesalerId, linked);
  await appendToOutbox(
    tx,
    await cornerStoreEvents(
      tx,
      [...created, ...linked].map((customer) => customer.cornerStoreId),
    ),
  );
  const counts = { rows: rows.length, created: created.length, linked: linked.length };
  await recordAudit(tx, {
    by,
    action: 'customers.imported',
    objectId: wholesalerId,
    details: { ...counts, ...auditDetails },
  });
  return customers;
}

/** Consents of new users, to the notice and to WhatsApp. An erased phone is a new person's from then on. */
async function keepConsents(
  context: Context,
  tx: Transaction,
  created: NewCustomer[],
): Promise<void> {
  for (const { userId, phone, consent, whatsappConsent } of created) {
    if (whatsappConsent !== undefined) {
      const whatsappAgreedAt = new Date(whatsappConsent);
      await tx.manager.update(UserRow, userId, { whatsappAgreedAt, whatsappSource: 'import' });
    }
    if (consent === undefined) continue;
    const { givenAt, ...given } = consent;
    await recordConsent(context, tx, {
      ...given,
      userId,
      givenAt: new Date(givenAt),
      verificationId: null,
      noticeUrl: null,
      channel: 'ops',
    });
    await query(tx, 'DELETE FROM erased_phones WHERE keyed_hash = $1', [
      context.sealer.blindIndex(phone, PURPOSE.phone),
    ]);
  }
}

/** The rows of an import that waits for a second person, as its request keeps them. */
export function sealedRows(sealer: Sealer, rows: CustomerRow[], changeRequestId: string): Buffer {
  return sealer.seal(JSON.stringify(rows), PURPOSE.importRows, changeRequestId);
}

/** The rows of such a request. @throws Error when it has none, or as Sealer.open does */
export function openedRows(
  sealer: Sealer,
  { id, sealedPayload }: Pick<LockedChangeRequest, 'id' | 'sealedPayload'>,
): CustomerRow[] {
  if (sealedPayload === null) throw new Error(`The change request ${id} has lost its rows`);
  return JSON.parse(sealer.open(sealedPayload, PURPOSE.importRows, id)) as CustomerRow[];
}

async function knownCornerStores(
  sealer: Sealer,
  tx: Transaction,
  wholesalerId: string,
  rows: CustomerRow[],
): Promise<Known[]> {
  const indexes = rows.map((row) => sealer.blindIndex(row.phone, PURPOSE.phone));
  const phoneByIndex = new Map(indexes.map((one, i) => [one.toString('hex'), rows[i]?.phone]));
  // Locks and returns the stores that have one of the phones, or one of the wholesaler's names.
  const found = await query<KnownRow>(
    tx,
    `SELECT s.id AS "cornerStoreId", s.user_id, s.status, s.overdue,
            s.blocked_at IS NOT NULL AS is_blocked,
            u.phone_index, c.external_id
       FROM corner_stores s
       JOIN users u ON u.id = s.user_id
       LEFT JOIN customers c ON c.corner_store_id = s.id AND c.wholesaler_id = $1
      WHERE s.id IN (
        SELECT known.id FROM users JOIN corner_stores known ON known.user_id = users.id
         WHERE users.phone_index = ANY($2)
        UNION
        SELECT corner_store_id FROM customers WHERE wholesaler_id = $1 AND external_id = ANY($3))
      -- One order for all imports, so that two that share stores wait and do not deadlock.
      ORDER BY s.id FOR NO KEY UPDATE OF s`,
    [wholesalerId, indexes, rows.map((row) => row.externalId)],
  );
  return found.map(({ phoneIndex, ...store }) => ({
    ...store,
    phone: phoneByIndex.get(phoneIndex.toString('hex')),
  }));
}

/** A new customer as its rows hold it: what is personal is sealed. */
export function sealedCustomer(sealer: Sealer, customer: NewCustomer): NewCustomerRow {
  const { phone, firstName, lastNames, ...plain } = customer;
  return {
    ...plain,
    firstName: sealer.seal(firstName, PURPOSE.firstName, plain.userId),
    lastNames: sealer.seal(lastNames, PURPOSE.lastNames, plain.userId),
    phone: sealer.seal(phone, PURPOSE.phone, plain.cornerStoreId),
    phoneIndex: sealer.blindIndex(phone, PURPOSE.phone),
  };
}

interface Known extends KnownCornerStore {
  isBlocked: boolean;
}

interface KnownRow
  extends Pick<CornerStoreRow, 'userId' | 'status' | 'overdue'>, Pick<UserRow, 'phoneIndex'> {
  isBlocked: boolean;
  cornerStoreId: CornerStoreRow['id'];
  externalId: string | null;
}

/** A new user with its corner store, sealed where it is personal. */
interface NewCustomerRow {
  userId: string;
  cornerStoreId: string;
  firstName: Buffer;
  lastNames: Buffer;
  phone: Buffer;
  phoneIndex: Buffer;
  creditLimitCents: number;
  interestRate: string;
  externalId: string;
  timeZone?: string | undefined;
}

/** Users, stores and links of an import's unknown phones. Fails on users_phone_index_key. */
export async function insertCustomers(
  tx: Db,
  wholesalerId: string,
  rows: NewCustomerRow[],
): Promise<void> {
  if (rows.length === 0) return;
  await query(
    tx,
    `WITH new AS (
       SELECT * FROM unnest($2::uuid[], $3::uuid[], $4::bytea[], $5::bytea[], $6::bytea[],
                            $7::bytea[], $8::bigint[], $9::numeric[], $10::text[], $11::text[])
         AS new (user_id, corner_store_id, first_name, last_names, phone,
                 phone_index, credit_limit_cents, interest_rate, external_id, time_zone)
     ), new_users AS (
       INSERT INTO users (id, first_name, last_names, phone, phone_index)
       SELECT user_id, first_name, last_names, phone, phone_index FROM new
       -- In one order, as above: the index makes parallel imports of one phone wait.
       ORDER BY phone_index
     ), new_stores AS (
       INSERT INTO corner_stores (id, user_id, credit_limit_cents, interest_rate, time_zone)
       SELECT corner_store_id, user_id, credit_limit_cents, interest_rate, time_zone FROM new
     )
     INSERT INTO customers (wholesaler_id, corner_store_id, external_id)
     SELECT $1, corner_store_id, external_id FROM new`,
    [
      wholesalerId,
      rows.map((row) => row.userId),
      rows.map((row) => row.cornerStoreId),
      rows.map((row) => row.firstName),
      rows.map((row) => row.lastNames),
      rows.map((row) => row.phone),
      rows.map((row) => row.phoneIndex),
      rows.map((row) => row.creditLimitCents),
      rows.map((row) => row.interestRate),
      rows.map((row) => row.externalId),
      rows.map((row) => row.timeZone ?? null),
    ],
  );
}

/** Makes locked stores the wholesaler's customers and raises their versions. */
async function linkCustomers(
  tx: Db,
  wholesalerId: string,
  links: Array<{ cornerStoreId: string; externalId: string }>,
): Promise<void> {
  if (links.length === 0) return;
  await query(
    tx,
    `WITH link AS (
       SELECT * FROM unnest($2::uuid[], $3::text[]) AS link (corner_store_id, external_id)
     ), raised AS (
       UPDATE corner_stores SET version = version + 1, updated_at = now()
        WHERE id IN (SELECT corner_store_id FROM link)
     )
     INSERT INTO customers (wholesaler_id, corner_store_id, external_id)
     SELECT $1, corner_store_id, external_id FROM link`,
    [wholesalerId, links.map((link) => link.cornerStoreId), links.map((link) => link.externalId)],
  );
}
