import type { Transaction } from '@fiado/shared/chassis/db/database';
import { isUniqueViolation, query } from '@fiado/shared/chassis/db/query';
import type { Caller } from '@fiado/shared/contracts/caller';
import { appendToOutbox } from '@fiado/shared/chassis/outbox/append';
import type { Sealer } from '@fiado/shared/chassis/sealing';
import { AppError } from '@fiado/shared/contracts/errors';
import { newId } from '@fiado/shared/new-id';
import type { Context } from '../context';
import { recordAudit } from '../db/audit-log.repository';
import { insertCustomers, linkCustomers, lockKnownCornerStores } from '../db/customers.repository';
import {
  planImport,
  type CustomerRow,
  type ImportedCustomer,
  type KnownCornerStore,
} from '../domain/import-plan';
import { PURPOSE } from '../domain/sealing-purposes';
import { cornerStoreEvents } from '../steps/announce-changes';
import { sealedCustomer } from '../steps/seal-customer';

export interface ImportCustomers {
  by: Caller;
  wholesalerId: string;
  rows: CustomerRow[];
}

/** Attempts of an import that conflicts with a concurrent import of the same phones. */
const MAX_TRIES = 3;

/**
 * Makes corner stores a wholesaler's customers: all or none, and the same when repeated.
 * @throws AppError WHOLESALER_NOT_FOUND, CUSTOMER_CONFLICT naming the row
 */
export async function importCustomers(
  context: Context,
  command: ImportCustomers,
): Promise<ImportedCustomer[]> {
  for (let tries = 1; ; tries += 1) {
    try {
      const customers = await context.db.transaction((tx) => importOnce(context, tx, command));
      context.relay.wake();
      return customers;
    } catch (error) {
      if (!isUniqueViolation(error, 'users_phone_index_key')) throw error;
      if (tries === MAX_TRIES) throw new AppError('SERVICE_UNAVAILABLE', { cause: error });
    }
  }
}

async function importOnce(
  { sealer }: Context,
  tx: Transaction,
  { by, wholesalerId, rows }: ImportCustomers,
): Promise<ImportedCustomer[]> {
  // Serialises the imports of a wholesaler, so that its customers stay unique by phone and by name.
  const [wholesaler] = await query(tx, 'SELECT FROM wholesalers WHERE id = $1 FOR NO KEY UPDATE', [
    wholesalerId,
  ]);
  if (wholesaler === undefined) throw new AppError('WHOLESALER_NOT_FOUND');

  const known = await knownCornerStores(sealer, tx, wholesalerId, rows);
  const { customers, created, linked } = planImport(rows, known, newId);

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
  await recordAudit(tx, {
    by,
    action: 'customers.imported',
    objectId: wholesalerId,
    details: { rows: rows.length, created: created.length, linked: linked.length },
  });
  return customers;
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
