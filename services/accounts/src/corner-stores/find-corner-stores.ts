import { ArrayMaxSize, IsArray, IsString } from '@fiado/contracts/class-validator';
import { endpoint } from '@fiado/chassis/http/endpoint';
import * as fields from '@fiado/chassis/openapi/fields';
import * as t from '@fiado/chassis/openapi/json-schema';
import { About } from '@fiado/contracts/about';
import { BATCH_BODY_LIMIT } from '@fiado/contracts/body-limits';
import { creditUseCall, type CreditUseQuestion } from '@fiado/contracts/debts';
import { AppError } from '@fiado/contracts/errors';
import { amountOf } from '@fiado/contracts/money';
import type { Context } from '../context';
import {
  availableCents,
  SHOWN_STATUSES,
  shownStatus,
  type ShownStatus,
} from './corner-store.rules';
import { type CustomerRow, findCustomers } from './find-customers.sql';

export const cornerStoreFields = {
  userId: fields.userId,
  cornerStoreId: fields.cornerStoreId,
  status: t.field(
    t.oneOf(SHOWN_STATUSES),
    'State of the corner store; only an `approved` one can order',
  ),
  creditLimitAvailable: fields.creditLimitAvailable,
};

const cornerStoreAnswer = t.object('CornerStore', cornerStoreFields);

const exampleCornerStore = { status: 'approved' } as const;

export const findCornerStoreEndpoint = endpoint({
  id: 'getCornerStore',
  as: 'cornerStores.get',
  ignoresUnknown: true,
  tag: 'Corner stores',
  route: 'GET /v1/corner-store/external/:externalId',
  scope: 'corner-stores:read',
  names: { externalId: 'customer' },
  summary: 'Get a corner store by the wholesaler’s own id',
  errors: ['CORNER_STORE_NOT_FOUND', 'USER_IS_IN_INTERNAL_VALIDATION'],
  answer: cornerStoreAnswer,
  example: exampleCornerStore,
  input: ({ caller, text }) => ({ wholesalerId: caller.id, externalId: text('externalId') }),
  // A wholesaler's customer by its own name for it (getCornerStore).
  handle: async (context: Context, { wholesalerId, externalId }) => {
    const customer = await context.lanes.customers.add({ wholesalerId, externalId });
    if (customer === undefined) throw new AppError('CORNER_STORE_NOT_FOUND');
    if (customer.status === 'in-manual-validation') {
      throw new AppError('USER_IS_IN_INTERNAL_VALIDATION');
    }
    const [shown] = await showCredit(context, [customer]);
    return shown as CustomerCredit;
  },
  present: (customer: CustomerCredit) => ({
    userId: customer.userId,
    cornerStoreId: customer.cornerStoreId,
    status: customer.status,
    creditLimitAvailable: amountOf(customer.creditAvailableCents),
  }),
});

/** Names in one request: more than a truck visits in a day. */
const MAX_EXTERNAL_IDS = 500;

class FindCornerStoresBody {
  @About('The wholesaler’s own ids of customers, 1 to 500')
  @IsArray()
  @ArrayMaxSize(MAX_EXTERNAL_IDS)
  @IsString({ each: true })
  externalCornerStoreIds: string[];

  /** The person at the wholesaler; ignored. */
  @IsString()
  driverId: string;
}

export const findCornerStoresEndpoint = endpoint({
  id: 'getCornerStores',
  as: 'cornerStores.find',
  ignoresUnknown: true,
  tag: 'Corner stores',
  route: 'POST /v1/corner-store/external',
  scope: 'corner-stores:read',
  names: { externalId: 'customer' },
  bodyLimit: BATCH_BODY_LIMIT,
  summary: 'Get several corner stores',
  description: 'In the order of the requested ids; ids that belong to no customer are omitted.',
  body: FindCornerStoresBody,
  bodyExample: { externalCornerStoreIds: ['tienda-001', 'tienda-002'], driverId: 'chofer-7' },
  answer: t.object('CornerStoreList', {
    cornerStores: t.list(
      t.object('CornerStoreOfBatch', {
        ...cornerStoreFields,
        interestRate: fields.interestRate,
        externalId: fields.externalId,
      }),
      'Corner stores',
    ),
  }),
  example: { cornerStores: [exampleCornerStore] },
  input: ({ body, caller }) => ({
    wholesalerId: caller.id,
    externalIds: body.externalCornerStoreIds,
  }),
  // A wholesaler's customers by its own names for them, in the order asked (getCornerStores). Uses
  // one statement and one call to transactions; unknown names are left out.
  handle: async (context: Context, { wholesalerId, externalIds }) => {
    const asked = [...new Set(externalIds)];
    // Not in the lane of single ones, which would wait for 500 names.
    const customers = await findCustomers(
      context.db,
      asked.map((externalId) => ({ wholesalerId, externalId })),
    );
    const known = customers.filter((customer) => customer !== undefined);
    const shown = await showCredit(context, known);
    const byExternalId = new Map(shown.map((customer) => [customer.externalId, customer]));
    return asked.flatMap((externalId) => byExternalId.get(externalId) ?? []);
  },
  present: (customers) => ({
    // Field by field: with spread, 500 customers took 1.3 ms in place of 0.03.
    cornerStores: customers.map((customer) => ({
      userId: customer.userId,
      cornerStoreId: customer.cornerStoreId,
      status: customer.status,
      creditLimitAvailable: amountOf(customer.creditAvailableCents),
      interestRate: Number(customer.interestRate),
      externalId: customer.externalId,
    })),
  }),
});

/** A customer with what it may still buy for. */
interface CustomerCredit {
  externalId: string;
  cornerStoreId: string;
  userId: string;
  status: ShownStatus;
  creditAvailableCents: number;
  interestRate: string;
}

/**
 * Adds their available credit to customers, with one call to transactions.
 * @throws AppError SERVICE_UNAVAILABLE while transactions cannot be asked
 */
async function showCredit(
  { transactions }: Context,
  customers: CustomerRow[],
): Promise<CustomerCredit[]> {
  if (customers.length === 0) return [];
  const question: CreditUseQuestion = {
    cornerStoreIds: customers.map((customer) => customer.cornerStoreId),
  };
  const { lines } = await transactions.ask(creditUseCall, question);
  const usedCents = new Map(lines.map((line) => [line.cornerStoreId, line.usedCents]));

  // Field by field: with rest and spread, 500 customers took 1.6 ms in place of 0.04.
  return customers.map((customer) => ({
    externalId: customer.externalId,
    cornerStoreId: customer.cornerStoreId,
    userId: customer.userId,
    status: shownStatus(customer.status, customer.overdue),
    creditAvailableCents: availableCents(
      customer.creditLimitCents,
      usedCents.get(customer.cornerStoreId) ?? 0,
    ),
    interestRate: customer.interestRate,
  }));
}
