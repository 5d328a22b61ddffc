import { endpoint } from '@fiado/chassis/http/endpoint';
import { BATCH_MAX_VALUES, BATCH_BODY_LIMIT } from '@fiado/contracts/body-limits';
import { IsArrayOf, IsNonEmptyText, IsNonNegativeAmount } from '@fiado/contracts/decorators';
import { ValidationError } from '@fiado/contracts/errors';
import { centsOf } from '@fiado/contracts/money';
import * as t from '@fiado/chassis/openapi/json-schema';
import { normalizePhone } from '@fiado/contracts/phone';
import { IsOptional } from 'class-validator';
import type { Context } from '../context';
import { SHOWN_STATUSES } from '../domain/corner-store';
import type { CustomerRow } from '../domain/import-plan';
import { importCustomers } from '../use-cases/import-customers';
import { EXAMPLE_IDS, EXAMPLE_PHONE } from './examples';
import { INVALID_PHONE, IsPhoneText, IsRate, IsTimeZoneName, rateOf } from './request-fields';

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
}

class ImportCustomersBody {
  @IsArrayOf(() => CustomerBody, { max: MAX_CUSTOMERS })
  customers: CustomerBody[];
}

export const importedCustomer = t.object('ImportedCustomer', {
  externalId: t.text,
  userId: t.uuid,
  cornerStoreId: t.uuid,
  status: t.oneOf(SHOWN_STATUSES),
});

export const exampleImportedCustomer: t.AnswerOf<typeof importedCustomer> = {
  externalId: 'tienda-001',
  userId: EXAMPLE_IDS.userId,
  cornerStoreId: EXAMPLE_IDS.cornerStoreId,
  status: 'pre-approved',
};

export const importCustomersEndpoint = endpoint({
  id: 'importCustomers',
  tag: 'Ops: wholesalers',
  route: 'POST /v1/admin/wholesalers/:wholesalerId/customers',
  scope: 'approver',
  bodyLimit: BATCH_BODY_LIMIT,
  maxValues: BATCH_MAX_VALUES,
  summary: 'Import customers of a wholesaler',
  description:
    'Answers are in the order of the request. A known phone number ' +
    'links the existing user and corner store and changes neither limit, rate nor time zone.',
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
  errors: ['WHOLESALER_NOT_FOUND', 'CUSTOMER_CONFLICT'],
  status: 201,
  answer: t.object('ImportedCustomers', { customers: t.listOf(importedCustomer) }),
  example: { customers: [exampleImportedCustomer] },
  input: ({ body, id, caller: by }, { config }: Context) => ({
    by,
    rows: rowsOf(body, config.PHONE_REGION),
    wholesalerId: id('wholesalerId', 'WHOLESALER_NOT_FOUND'),
  }),
  handle: importCustomers,
  present: (customers) => ({ customers }),
});

/** @throws ValidationError with a text for each invalid phone number */
function rowsOf({ customers }: ImportCustomersBody, region: string): CustomerRow[] {
  const problems: string[] = [];
  const rows = customers.map((customer, index): CustomerRow => {
    const phone = normalizePhone(customer.phoneNumber, region);
    if (phone === undefined) problems.push(`customers.${index}.${INVALID_PHONE}`);
    return {
      externalId: customer.externalId,
      firstName: customer.firstName,
      lastNames: customer.lastNames,
      phone: phone ?? '',
      creditLimitCents: centsOf(customer.creditLimit),
      interestRate: rateOf(customer.interestRate),
      timeZone: customer.timeZone,
    };
  });
  if (problems.length > 0) throw new ValidationError(problems);
  return rows;
}
