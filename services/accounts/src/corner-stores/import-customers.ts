import { IsBoolean, IsOptional } from '@fiado/contracts/class-validator';
import type { Db, Transaction } from '@fiado/chassis/db/database';
import { isUniqueViolation } from '@fiado/chassis/db/errors';
import { queryRow } from '@fiado/chassis/db/query';
import { needsSecondPerson } from '@fiado/chassis/four-eyes';
import { endpoint } from '@fiado/chassis/http/endpoint';
import * as fields from '@fiado/chassis/openapi/fields';
import * as t from '@fiado/chassis/openapi/json-schema';
import { About } from '@fiado/contracts/about';
import { BATCH_BODY_LIMIT, BATCH_MAX_VALUES } from '@fiado/contracts/body-limits';
import type { Caller } from '@fiado/contracts/caller';
import { ChangeRequested } from '@fiado/contracts/change-requests';
import {
  IsArrayOf,
  IsNonEmptyText,
  IsNonNegativeAmount,
  IsText,
} from '@fiado/contracts/decorators';
import { AppError, ValidationError } from '@fiado/contracts/errors';
import { centsOf } from '@fiado/contracts/money';
import { newId } from '@fiado/contracts/new-id';
import { canGetSms, normalizePhone } from '@fiado/contracts/numbering-plan';
import type { NewChangeRequest } from '../approvals/change-requests.sql';
import { requestChange } from '../approvals/request-change';
import type { AccountsConfig } from '../config';
import type { Context } from '../context';
import { PURPOSE } from '../db/purposes';
import { EXAMPLE_PHONE } from '../examples';
import { INVALID_PHONE, IsPhoneText, IsRate, IsTimeZoneName, rateOf } from '../request-fields';
import {
  ConsentBody,
  consentOf,
  IsConsent,
  MAX_MOMENT_TEXT,
  pastMoment,
} from '../privacy/consents';
import { cornerStoreFields } from './find-corner-stores';
import type { CustomerRow, ImportedCustomer, RowConsent } from './import-plan.rules';
import { importRows, lockedImportPlan, sealedRows, withoutErased } from './import-rows';
import type { ChangeRequestRow } from '../approvals/change-request.entity';

/** Customers of one import: some 200 KB of body, half a second of work. */
const MAX_CUSTOMERS = 1000;

export const MAX_TEXT = 200;

class CustomerBody {
  @IsNonEmptyText(MAX_TEXT)
  externalId: string;

  @IsNonEmptyText(MAX_TEXT)
  firstName: string;

  @IsNonEmptyText(MAX_TEXT)
  lastNames: string;

  @IsPhoneText()
  phoneNumber: string;

  @IsNonNegativeAmount()
  creditLimit: number;

  @IsRate()
  interestRate: number;

  /** Without it, the installation's. */
  @IsOptional()
  @IsTimeZoneName()
  timeZone?: string;

  @About('Consent of a new owner to the privacy notice; after an erasure it must be newer')
  @IsConsent()
  consent?: ConsentBody;

  @About(
    'When a new owner agreed to messages by WhatsApp at this number, with an offset. Absent without consent',
    '2026-09-21T16:04:05Z',
  )
  @IsOptional()
  @IsText(MAX_MOMENT_TEXT)
  whatsappConsent?: string;
}

class ImportCustomersBody {
  @About('Customers')
  @IsArrayOf(() => CustomerBody, { max: MAX_CUSTOMERS })
  customers: CustomerBody[];

  @About('Leaves out rows of owners who asked the lender to cancel their data', false)
  @IsOptional()
  @IsBoolean()
  skipErased?: boolean;
}

export const importedCustomer = t.object('ImportedCustomer', {
  externalId: fields.externalId,
  userId: fields.userId,
  cornerStoreId: fields.cornerStoreId,
  status: cornerStoreFields.status,
});

export const importCustomersEndpoint = endpoint({
  id: 'importCustomers',
  as: 'wholesalers.importCustomers',
  tag: 'Ops: wholesalers',
  route: 'POST /v1/admin/wholesalers/:wholesalerId/customers',
  scope: 'approver',
  bodyLimit: BATCH_BODY_LIMIT,
  maxValues: BATCH_MAX_VALUES,
  summary: 'Import customers of a wholesaler',
  description:
    'Answers are in the order of the request. A known phone number ' +
    'links the existing user and corner store and changes neither limit, rate nor time zone. A row of an ' +
    'owner who asked the lender to cancel their data is refused with `CUSTOMER_ERASED`, which names all such ' +
    'rows; `skipErased` leaves them out, also of the answer. A row with a `consent` that the owner gave after ' +
    'the erasure makes a new user.',
  body: ImportCustomersBody,
  bodyExample: {
    customers: [
      {
        externalId: 'tienda-001',
        firstName: 'Lucía',
        lastNames: 'Ortega Ruiz',
        phoneNumber: EXAMPLE_PHONE,
        creditLimit: 10_000,
        interestRate: 0.05,
        timeZone: 'America/Tijuana',
      },
    ],
  },
  mayWait: true,
  errors: ['WHOLESALER_NOT_FOUND', 'CUSTOMER_CONFLICT', 'CUSTOMER_ERASED'],
  status: 201,
  answer: t.object('ImportedCustomers', {
    customers: t.list(importedCustomer, 'Customers'),
  }),
  input: ({ body, id, caller: by }, { config, clock }: Context) => ({
    by,
    rows: rowsOf(body, config, clock.now()),
    skipErased: body.skipErased ?? false,
    wholesalerId: id('wholesalerId', 'WHOLESALER_NOT_FOUND'),
  }),
  handle: importCustomers,
  present: (customers) => ({ customers }),
});

const NO_SMS = 'phoneNumber must be a number that can get an SMS';

/** @throws ValidationError with a text for each phone number that is invalid or can get no SMS */
function rowsOf(
  { customers }: ImportCustomersBody,
  { PHONE_REGION, SMS_COUNTRIES }: AccountsConfig,
  now: Date,
): CustomerRow[] {
  const problems: string[] = [];
  const rows = customers.map((customer, index): CustomerRow => {
    const phone = normalizePhone(customer.phoneNumber, PHONE_REGION);
    if (phone === undefined) problems.push(`customers.${index}.${INVALID_PHONE}`);
    else if (!canGetSms(phone, SMS_COUNTRIES.split(',')))
      problems.push(`customers.${index}.${NO_SMS}`);
    return {
      externalId: customer.externalId,
      firstName: customer.firstName,
      lastNames: customer.lastNames,
      phone: phone ?? '',
      creditLimitCents: centsOf(customer.creditLimit),
      interestRate: rateOf(customer.interestRate),
      timeZone: customer.timeZone,
      consent: customer.consent && rowConsentOf(customer.consent, now),
      whatsappConsent:
        customer.whatsappConsent === undefined
          ? undefined
          : pastMoment(
              customer.whatsappConsent,
              now,
              `customers.${index}.whatsappConsent`,
            ).toISOString(),
    };
  });
  if (problems.length > 0) throw new ValidationError(problems);
  return rows;
}

function rowConsentOf(body: ConsentBody, now: Date): RowConsent {
  const { givenAt, ...consent } = consentOf(body, now);
  return { ...consent, givenAt: givenAt.toISOString() };
}

interface ImportCustomers {
  by: Caller;
  wholesalerId: string;
  rows: CustomerRow[];
  /** Whether rows of erased owners are left out. */
  skipErased?: boolean;
}

/** Attempts of an import that conflicts with a concurrent import of the same phones. */
const MAX_TRIES = 3;

/**
 * Makes corner stores a wholesaler's customers: all or none, and the same when repeated. An import by a
 * person waits for a second person, unless it changes nothing.
 * @throws AppError as lockedImportPlan
 */
export async function importCustomers(
  context: Context,
  command: ImportCustomers,
): Promise<ImportedCustomer[] | ChangeRequested> {
  const work = needsSecondPerson(context.config.FOUR_EYES, command.by) ? requestImport : importRows;
  for (let tries = 1; ; tries += 1) {
    try {
      return await context.db.transaction(async (tx) => {
        const { skipErased = false, ...wanted } = command;
        const rows = skipErased ? await withoutErased(context.sealer, tx, wanted) : wanted.rows;
        return work(context, tx, { ...wanted, rows });
      });
    } catch (error) {
      if (!isUniqueViolation(error, 'users_phone_index_key')) throw error;
      if (tries === MAX_TRIES) throw new AppError('SERVICE_UNAVAILABLE', { cause: error });
    }
  }
}

/**
 * One request for all rows. The rows are sealed, because they name people. The second person sees sums and
 * extremes of all rows. Rows with a known phone are included: it may be unknown when they are imported.
 */
async function requestImport(
  { sealer }: Context,
  tx: Transaction,
  { by, wholesalerId, rows }: ImportCustomers,
): Promise<ImportedCustomer[] | ChangeRequested> {
  const plan = await lockedImportPlan(sealer, tx, { wholesalerId, rows });
  if (plan.created.length + plan.linked.length === 0) return plan.customers;

  const limits = rows.map((row) => row.creditLimitCents);
  const rates = rows.map((row) => row.interestRate).toSorted((a, b) => Number(a) - Number(b));
  const change = {
    kind: 'customers.import',
    targetId: wholesalerId,
    targetVersion: null,
    payload: {
      rows: rows.length,
      created: plan.created.length,
      linked: plan.linked.length,
      sumOfLimitsCents: limits.reduce((sum, limit) => sum + limit, 0),
      highestLimitCents: Math.max(...limits),
      lowestRate: rates[0],
      highestRate: rates.at(-1),
      digest: sealer.blindIndex(JSON.stringify(rows), PURPOSE.importRows).toString('hex'),
    },
    before: {},
    reason: null,
  } as const;
  const same = await findSameChange(tx, { ...change, requestedBy: by.id });
  if (same !== undefined) return new ChangeRequested(same);
  const id = newId();
  return requestChange(tx, { ...change, by, id, sealedPayload: sealedRows(sealer, rows, id) });
}

/** The same undecided change, whose target has no version, by the same person. @returns its id */
async function findSameChange(
  db: Db,
  { kind, targetId, payload, requestedBy }: Omit<NewChangeRequest, 'id'>,
): Promise<string | undefined> {
  const found = await queryRow<Pick<ChangeRequestRow, 'id'>>(
    db,
    `SELECT id FROM change_requests
      WHERE kind = $1 AND target_id = $2 AND payload = $3::jsonb AND requested_by = $4
        AND status = 'pending' AND expires_at > now()
      ORDER BY id LIMIT 1`,
    [kind, targetId, payload, requestedBy],
  );
  return found?.id;
}
