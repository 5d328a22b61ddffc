import { listOf, object, oneOf, pesos, rate, text, uuid } from '@fiado/shared/openapi/json-schema';
import type { Operation } from '@fiado/shared/openapi/operation';
import { SHOWN_STATUSES } from '../../domain/corner-store';
import { FindCornerStoresBody } from '../find-corner-stores';
import { EXAMPLE_IDS } from './examples';

const fields = {
  userId: uuid,
  cornerStoreId: uuid,
  status: oneOf(SHOWN_STATUSES),
  creditLimitAvailable: pesos,
};

const example = {
  userId: EXAMPLE_IDS.userId,
  cornerStoreId: EXAMPLE_IDS.cornerStoreId,
  status: 'approved',
  creditLimitAvailable: 9500,
};

export const findCornerStore: Operation = {
  id: 'getCornerStore',
  tag: 'Corner stores',
  summary: 'Get a corner store by the wholesaler’s own id',
  answer: { status: 200, schema: object('CornerStore', fields), example },
  errors: ['CORNER_STORE_NOT_FOUND', 'USER_IS_IN_INTERNAL_VALIDATION'],
};

export const findCornerStores: Operation = {
  id: 'getCornerStores',
  tag: 'Corner stores',
  summary: 'Get several corner stores',
  description: 'In the order of the ids; those that are no customers are left out.',
  body: FindCornerStoresBody,
  bodyExample: { externalCornerStoreIds: ['tienda-001', 'tienda-002'], driverId: 'chofer-7' },
  answer: {
    status: 200,
    schema: object('CornerStores', {
      cornerStores: listOf(
        object('CornerStoreOfBatch', { ...fields, interestRate: rate, externalId: text }),
      ),
    }),
    example: { cornerStores: [{ ...example, interestRate: 0.05, externalId: 'tienda-001' }] },
  },
};
