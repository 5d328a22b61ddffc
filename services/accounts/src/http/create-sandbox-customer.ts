import { endpoint } from '@fiado/chassis/http/endpoint';
import { requireSandbox } from '@fiado/chassis/require-sandbox';
import { IsNonEmptyText, IsNonNegativeAmount } from '@fiado/contracts/decorators';
import { centsOf } from '@fiado/contracts/money';
import { IsIn, IsOptional } from 'class-validator';
import type { Context } from '../context';
import { SHOWN_STATUSES, type ShownStatus } from '../domain/corner-store';
import { createSandboxCustomer } from '../use-cases/create-sandbox-customer';
import { exampleImportedCustomer, importedCustomer, MAX_TEXT } from './import-customers';
import { IsPhoneText, phoneOf } from './request-fields';

/** Pesos. */
const DEFAULT_CREDIT_LIMIT = 10_000;
const INTEREST_RATE = '0.05';

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
  tag: 'Sandbox',
  route: 'POST /v1/sandbox/customers',
  scope: 'accounts:write',
  summary: 'Create a customer in any status',
  description:
    'Approved, with a limit of 10,000 pesos, unless the body differs. One that is ' +
    '`in-payment-default` gets an order of the smallest amount, which is delivered and overdue within ' +
    'seconds: its default is in `getDefaultInformation`. Numbers `+52 55 0xxx xx01` have the code ' +
    '123456; of those that end with 02 the SMS fails, with 03 it is ten seconds late, and with 04 its ' +
    'budget is used up. In production this is a 404.',
  body: SandboxCustomerBody,
  bodyExample: { externalId: 'tienda-001', status: 'approved', creditLimit: 5000 },
  bodyOptional: true,
  errors: ['CUSTOMER_CONFLICT'],
  idempotent: true,
  status: 201,
  answer: importedCustomer,
  example: { ...exampleImportedCustomer, status: 'approved' },
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
