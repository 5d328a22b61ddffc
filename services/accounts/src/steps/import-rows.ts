import type { Transaction } from '@fiado/chassis/db/database';
import { query } from '@fiado/chassis/db/query';
import { appendToOutbox } from '@fiado/chassis/outbox/append';
import type { Sealer } from '@fiado/chassis/sealing';
import type { Caller } from '@fiado/contracts/caller';
import { AppError } from '@fiado/contracts/errors';
import { newId } from '@fiado/contracts/new-id';
import type { Context } from '../context';
import { recordAudit } from '../db/audit-log.repository';
import type { LockedChangeRequest } from '../db/change-requests.repository';
import { insertCustomers, linkCustomers, lockKnownCornerStores } from '../db/customers.repository';
import {
  planImport,
  type CustomerRow,
  type ImportedCustomer,
  type ImportPlan,
  type KnownCornerStore,
} from '../domain/import-plan';
import { PURPOSE } from '../domain/sealing-purposes';
import { cornerStoreEvents } from './announce-changes';
import { sealedCustomer } from './seal-customer';

export interface ImportRows {
  by: Pick<Caller, 'kind' | 'id'>;
  wholesalerId: string;
  rows: CustomerRow[];
  /** Further details for the audit log. */
  auditDetails?: object;
}

/**
 * Decides what an import does, with the wholesaler and its known stores locked.
 * @throws AppError WHOLESALER_NOT_FOUND, CUSTOMER_CONFLICT naming the row
 */
export async function lockedImportPlan(
  sealer: Sealer,
  tx: Transaction,
  { wholesalerId, rows }: Pick<ImportRows, 'wholesalerId' | 'rows'>,
): Promise<ImportPlan> {
  // Serialises the imports of a wholesaler, so that its customers stay unique by phone and by name.
  const [wholesaler] = await query(tx, 'SELECT FROM wholesalers WHERE id = $1 FOR NO KEY UPDATE', [
    wholesalerId,
  ]);
  if (wholesaler === undefined) throw new AppError('WHOLESALER_NOT_FOUND');
  return planImport(rows, await knownCornerStores(sealer, tx, wholesalerId, rows), newId);
}

/**
 * Makes corner stores a wholesaler's customers: all or none, and the same when repeated. Fails on
 * users_phone_index_key when another import adds the same phones meanwhile. The caller wakes the relay.
 * @throws AppError WHOLESALER_NOT_FOUND, CUSTOMER_CONFLICT naming the row
 */
export async function importRows(
  { sealer }: Context,
  tx: Transaction,
  { by, wholesalerId, rows, auditDetails = {} }: ImportRows,
): Promise<ImportedCustomer[]> {
  const plan = await lockedImportPlan(sealer, tx, { wholesalerId, rows });
  const { customers, created, linked } = plan;

  await insertCustomers(
    tx,
    wholesalerId,
    created.map((customer) => sealedCustomer(sealer, customer)),
  );
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
): Promise<KnownCornerStore[]> {
  const indexes = rows.map((row) => sealer.blindIndex(row.phone, PURPOSE.phone));
  const phoneByIndex = new Map(indexes.map((one, i) => [one.toString('hex'), rows[i]?.phone]));
  const found = await lockKnownCornerStores(tx, wholesalerId, {
    phoneIndexes: indexes,
    externalIds: rows.map((row) => row.externalId),
  });
  return found.map(({ phoneIndex, ...store }) => ({
    ...store,
    phone: phoneByIndex.get(phoneIndex.toString('hex')),
  }));
}
