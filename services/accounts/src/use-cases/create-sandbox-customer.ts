import { storeAnswer, type StoreAnswer } from '@fiado/shared/chassis/idempotency';
import { appendToOutbox } from '@fiado/shared/chassis/outbox/append';
import { isUniqueViolation } from '@fiado/shared/chassis/db/query';
import { updateRow } from '@fiado/shared/chassis/db/rows';
import type { Caller } from '@fiado/shared/contracts/caller';
import type { CornerStoreStatus } from '@fiado/shared/contracts/corner-store';
import { AppError } from '@fiado/shared/contracts/errors';
import { drawSandboxPhone } from '@fiado/shared/contracts/sandbox-phones';
import { newId } from '@fiado/shared/new-id';
import type { EntityManager } from 'typeorm';
import type { Context } from '../context';
import { recordAudit } from '../db/audit-log.repository';
import { insertCustomers } from '../db/customers.repository';
import type { ImportedCustomer } from '../domain/import-plan';
import { cornerStoreEvents } from '../steps/announce-changes';
import { sealedCustomer } from '../steps/seal-customer';

/** Draws of a number that nobody has: of 100,000 numbers few are taken. */
const MAX_TRIES = 5;

export interface CreateSandboxCustomer {
  by: Caller;
  externalId: string | undefined;
  status: CornerStoreStatus;
  creditLimitCents: number;
  /** Decimal string. */
  interestRate: string;
  /** E.164; drawn if it is undefined. */
  phone: string | undefined;
}

/**
 * Creates a customer of the calling wholesaler in a status, in the sandbox. It never links a corner
 * store that exists: that may be another wholesaler's, whose status and limit are not the caller's
 * to set.
 * @throws AppError CUSTOMER_CONFLICT when the externalId or the phone is taken
 */
export async function createSandboxCustomer(
  context: Context,
  command: CreateSandboxCustomer,
  answerOf: StoreAnswer<ImportedCustomer>,
): Promise<ImportedCustomer> {
  for (let tries = 1; ; tries += 1) {
    try {
      const customer = await context.db.transaction((tx) => create(context, tx, command, answerOf));
      context.relay.wake();
      return customer;
    } catch (error) {
      const isPhoneTaken = isUniqueViolation(error, 'users_phone_index_key');
      if (isPhoneTaken && command.phone === undefined && tries < MAX_TRIES) continue;
      if (isPhoneTaken || isUniqueViolation(error, 'customers_external_id_key')) {
        throw new AppError('CUSTOMER_CONFLICT', { cause: error });
      }
      throw error;
    }
  }
}

async function create(
  { sealer }: Context,
  tx: EntityManager,
  command: CreateSandboxCustomer,
  answerOf: StoreAnswer<ImportedCustomer>,
): Promise<ImportedCustomer> {
  const { by, status, creditLimitCents, interestRate, phone = drawSandboxPhone() } = command;
  const [userId, cornerStoreId] = [newId(), newId()];
  const externalId = command.externalId ?? `sandbox-${cornerStoreId}`;
  const names = { firstName: 'Cliente', lastNames: 'De Prueba' };
  const customer = { ...names, userId, cornerStoreId, externalId, phone };
  await insertCustomers(tx, by.id, [
    sealedCustomer(sealer, { ...customer, creditLimitCents, interestRate }),
  ]);
  if (status !== 'pre-approved') await updateRow(tx, 'corner_stores', cornerStoreId, { status });
  await appendToOutbox(tx, await cornerStoreEvents(tx, [cornerStoreId]));
  await recordAudit(tx, {
    by,
    action: 'customers.imported',
    objectId: by.id,
    details: { rows: 1, created: 1, linked: 0 },
  });
  const created = { externalId, userId, cornerStoreId, status };
  await storeAnswer(tx, answerOf(created));
  return created;
}
