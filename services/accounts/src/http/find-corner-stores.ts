import { endpoint } from '@fiado/chassis/http/endpoint';
import { BATCH_BODY_LIMIT } from '@fiado/contracts/body-limits';
import { amountOf } from '@fiado/contracts/money';
import * as t from '@fiado/chassis/openapi/json-schema';
import { ArrayMaxSize, IsArray, IsString } from 'class-validator';
import { findCornerStores } from '../use-cases/find-corner-stores';
import { cornerStoreFields, exampleCornerStore } from './find-corner-store';

/** Names in one request: more than a truck visits in a day. */
const MAX_EXTERNAL_IDS = 500;

class FindCornerStoresBody {
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
  ignoresUnknown: true,
  tag: 'Corner stores',
  route: 'POST /v1/corner-store/external',
  scope: 'corner-stores:read',
  bodyLimit: BATCH_BODY_LIMIT,
  summary: 'Get several corner stores',
  description: 'In the order of the requested ids; ids that belong to no customer are omitted.',
  body: FindCornerStoresBody,
  bodyExample: { externalCornerStoreIds: ['tienda-001', 'tienda-002'], driverId: 'chofer-7' },
  answer: t.object('CornerStores', {
    cornerStores: t.listOf(
      t.object('CornerStoreOfBatch', {
        ...cornerStoreFields,
        interestRate: t.rate,
        externalId: t.text,
      }),
    ),
  }),
  example: {
    cornerStores: [{ ...exampleCornerStore, interestRate: 0.05, externalId: 'tienda-001' }],
  },
  input: ({ body, caller }) => ({
    wholesalerId: caller.id,
    externalIds: body.externalCornerStoreIds,
  }),
  handle: findCornerStores,
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
