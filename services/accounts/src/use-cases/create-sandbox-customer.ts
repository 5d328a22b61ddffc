import type { Transaction } from '@fiado/chassis/db/database';
import { answerInTransaction, type StoreAnswer } from '@fiado/chassis/idempotency';
import { appendToOutbox, outboxRows, type OutboxRow } from '@fiado/chassis/outbox/append';
import { isUniqueViolation } from '@fiado/chassis/db/query';
import { updateRow } from '@fiado/chassis/db/rows';
import type { Caller } from '@fiado/contracts/caller';
import { openSandboxDefault } from '@fiado/contracts/jobs/open-sandbox-default';
import { AppError, ValidationError } from '@fiado/contracts/errors';
import { drawSandboxPhone } from '@fiado/contracts/sandbox-phones';
import { amountOf } from '@fiado/contracts/money';
import { newId } from '@fiado/contracts/new-id';
import type { Context } from '../context';
import { recordAudit } from '../db/audit-log.repository';
import { insertCustomers } from '../db/customers.repository';
import { wholesalerSnapshot } from '../db/snapshots.repository';
import type { ShownStatus } from '../domain/corner-store';
import type { ImportedCustomer } from '../domain/import-plan';
import { cornerStoreEvents } from '../steps/announce-changes';
import { sealedCustomer } from '../steps/seal-customer';

/** The debt of a customer in default, where the wholesaler has no smallest order. */
const MIN_DEBT_CENTS = 10_000;
/** Draws of a number that nobody has: of 100,000 numbers few are taken. */
const MAX_TRIES = 5;

export interface CreateSandboxCustomer {
  by: Caller;
  externalId: string | undefined;
  status: ShownStatus;
  creditLimitCents: number;
  /** Decimal string. */
  interestRate: string;
  /** E.164; drawn if it is undefined. */
  phone: string | undefined;
}

/**
 * Creates a customer of the calling wholesaler in a status, in the sandbox. It never links a corner
 * store that exists: that may be another wholesaler's, whose status and limit are not the caller's
 * to set. One in default is created as approved, with the job that puts it into default.
 * @throws AppError CUSTOMER_CONFLICT when the externalId or the phone is taken
 * @throws ValidationError when the limit has no room for the order of a customer in default
 */
export async function createSandboxCustomer(
  context: Context,
  command: CreateSandboxCustomer,
  answerOf: StoreAnswer<ImportedCustomer>,
): Promise<ImportedCustomer> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await answerInTransaction(context, answerOf, (tx) => create(context, tx, command));
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
  tx: Transaction,
  command: CreateSandboxCustomer,
): Promise<ImportedCustomer> {
  const { by, status, creditLimitCents, interestRate, phone = drawSandboxPhone() } = command;
  const [userId, cornerStoreId] = [newId(), newId()];
  const externalId = command.externalId ?? `sandbox-${cornerStoreId}`;
  const names = { firstName: 'Cliente', lastNames: 'De Prueba' };
  const customer = { ...names, userId, cornerStoreId, externalId, phone };
  await insertCustomers(tx, by.id, [
    sealedCustomer(sealer, { ...customer, creditLimitCents, interestRate }),
  ]);
  if (status !== 'pre-approved') {
    const stored = status === 'in-payment-default' ? 'approved' : status;
    await updateRow(tx, 'corner_stores', cornerStoreId, { status: stored });
  }
  await appendToOutbox(tx, [
    ...(await cornerStoreEvents(tx, [cornerStoreId])),
    ...(status === 'in-payment-default' ? await defaultOf(tx, command, cornerStoreId) : []),
  ]);
  await recordAudit(tx, {
    by,
    action: 'customers.imported',
    objectId: by.id,
    details: { rows: 1, created: 1, linked: 0 },
  });
  return { externalId, userId, cornerStoreId, status };
}

/** The job that puts a new customer into default, with an order of the smallest amount. */
async function defaultOf(
  tx: Transaction,
  { by: { id: wholesalerId }, creditLimitCents }: CreateSandboxCustomer,
  cornerStoreId: string,
): Promise<OutboxRow[]> {
  const settings = await wholesalerSnapshot(tx, wholesalerId);
  const amountCents = Math.max(settings?.snapshot.minimumTransactionCents ?? 0, MIN_DEBT_CENTS);
  if (creditLimitCents < amountCents) {
    throw new ValidationError([
      `creditLimit must be at least ${amountOf(amountCents)} for a customer in default`,
    ]);
  }
  const customer = { id: cornerStoreId, version: 1 };
  return outboxRows(openSandboxDefault, customer, { wholesalerId, cornerStoreId, amountCents });
}
