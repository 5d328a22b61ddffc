import { setTimeout as sleep } from 'node:timers/promises';
import { IsIn, IsOptional } from '@fiado/contracts/class-validator';
import type { Transaction } from '@fiado/chassis/db/database';
import { isUniqueViolation } from '@fiado/chassis/db/errors';
import { endpoint } from '@fiado/chassis/http/endpoint';
import { answerInTransaction, type StoreAnswer } from '@fiado/chassis/idempotency';
import { appendToOutbox, type OutboxRow, outboxRows } from '@fiado/chassis/outbox/append';
import { requireSandbox } from '@fiado/chassis/service-config';
import { DescribedAs } from '@fiado/contracts/about';
import type { Caller } from '@fiado/contracts/caller';
import { IsNonEmptyText, IsNonNegativeAmount } from '@fiado/contracts/decorators';
import { AppError, ValidationError } from '@fiado/contracts/errors';
import { openSandboxDefault } from '@fiado/contracts/jobs/debts';
import { amountOf, centsOf } from '@fiado/contracts/money';
import { newId } from '@fiado/contracts/new-id';
import { drawSandboxPhone } from '@fiado/contracts/phone';
import { recordAudit } from '../audit/audit-log';
import type { Context } from '../context';
import { IsPhoneText, phoneOf } from '../request-fields';
import { cornerStoreEvents, wholesalerSnapshot } from '../snapshots/snapshots.sql';
import { SHOWN_STATUSES, type ShownStatus } from './corner-store.rules';
import { cornerStoreFields } from './find-corner-stores';
import { importedCustomer, MAX_TEXT } from './import-customers';
import type { ImportedCustomer } from './import-plan.rules';
import { insertCustomers, sealedCustomer } from './import-rows';
import { CornerStoreRow } from './corner-store.entity';

/** Pesos. */
const DEFAULT_CREDIT_LIMIT = 10_000;

const INTEREST_RATE = '0.05';

@DescribedAs(cornerStoreFields)
class SandboxCustomerBody {
  /** Drawn without one. */
  @IsOptional()
  @IsNonEmptyText(MAX_TEXT)
  externalId?: string;

  @IsOptional()
  @IsIn(SHOWN_STATUSES)
  status?: ShownStatus;

  /** Pesos. */
  @IsOptional()
  @IsNonNegativeAmount()
  creditLimit?: number;

  /** Without one, a number that nobody has and whose code is 123456. */
  @IsOptional()
  @IsPhoneText()
  phoneNumber?: string;
}

export const createSandboxCustomerEndpoint = endpoint({
  id: 'createSandboxCustomer',
  as: 'sandbox.createCustomer',
  tag: 'Sandbox',
  route: 'POST /v1/sandbox/customers',
  scope: 'accounts:write',
  names: {},
  summary: 'Create a customer in any status',
  description:
    'Approved, with a limit of 10,000 pesos, unless the body differs. One that is ' +
    '`in-payment-default` gets an order of the smallest amount, which is delivered and overdue: the ' +
    'answer comes when its default is in `getDefaultInformation`, or is 503 after eight seconds, and ' +
    'the default follows. Numbers `+52 55 0xxx xx01` have the code ' +
    '123456; of those that end with 02 the SMS fails, with 03 it is ten seconds late, and with 04 its ' +
    'budget is used up. In production this is a 404.',
  body: SandboxCustomerBody,
  bodyExample: { externalId: 'tienda-001', status: 'approved', creditLimit: 5000 },
  bodyOptional: true,
  errors: ['CUSTOMER_CONFLICT'],
  idempotent: true,
  status: 201,
  answer: importedCustomer,
  example: { status: 'approved' },
  input: (request, context: Context) => {
    requireSandbox(context.config);
    const { externalId, status = 'approved', creditLimit, phoneNumber } = request.body;
    return {
      by: request.caller,
      externalId,
      status,
      creditLimitCents: centsOf(creditLimit ?? DEFAULT_CREDIT_LIMIT),
      interestRate: INTEREST_RATE,
      phone: phoneNumber === undefined ? undefined : phoneOf(context, phoneNumber),
    };
  },
  handle: createSandboxCustomer,
  present: (customer) => customer,
});

interface CreateSandboxCustomer {
  by: Caller;
  externalId: string | undefined;
  status: ShownStatus;
  creditLimitCents: number;
  /** Decimal string. */
  interestRate: string;
  /** E.164; drawn if it is undefined. */
  phone: string | undefined;
}

/** Draws of a number that nobody has: of 100,000 numbers few are taken. */
const MAX_TRIES = 5;

/**
 * Creates a customer of the calling wholesaler in a status, in the sandbox. It never links a corner
 * store that exists: that may be another wholesaler's, whose status and limit are not the caller's
 * to set. One in default is created as approved, with the job that puts it into default, which is waited for.
 * @throws AppError CUSTOMER_CONFLICT when the externalId or the phone is taken; SERVICE_UNAVAILABLE when a customer
 *   was created and its default has not come in time
 * @throws ValidationError when the limit has no room for the order of a customer in default
 */
async function createSandboxCustomer(
  context: Context,
  command: CreateSandboxCustomer,
  answerOf: StoreAnswer<ImportedCustomer>,
): Promise<ImportedCustomer> {
  for (let tries = 1; ; tries += 1) {
    try {
      const made = await answerInTransaction(context, answerOf, (tx) =>
        create(context, tx, command),
      );
      if (made.status === 'in-payment-default') await untilOverdue(context, made.cornerStoreId);
      return made;
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

/** Below the deadline of the gateway, which is 10 s. */
const MAX_WAIT_MS = 8_000;
const LOOK_EVERY_MS = 100;

/** Waits for the default, which payments reports. */
async function untilOverdue({ db }: Context, cornerStoreId: string): Promise<void> {
  const deadline = performance.now() + MAX_WAIT_MS;
  while (!(await db.manager.existsBy(CornerStoreRow, { id: cornerStoreId, overdue: true }))) {
    if (performance.now() > deadline) throw new AppError('SERVICE_UNAVAILABLE');
    await sleep(LOOK_EVERY_MS);
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
    await tx.manager.update(CornerStoreRow, cornerStoreId, { status: stored });
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

/** The debt of a customer in default, where the wholesaler has no smallest order. */
const MIN_DEBT_CENTS = 10_000;

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
