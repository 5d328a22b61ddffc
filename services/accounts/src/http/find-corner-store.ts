import { endpoint } from '@fiado/chassis/http/endpoint';
import { amountOf } from '@fiado/contracts/money';
import * as t from '@fiado/chassis/openapi/json-schema';
import { SHOWN_STATUSES } from '../domain/corner-store';
import { findCornerStore } from '../use-cases/find-corner-store';
import type { CustomerCredit } from '../steps/show-credit';
import { EXAMPLE_IDS } from './examples';

export const cornerStoreFields = {
  userId: t.uuid,
  cornerStoreId: t.uuid,
  status: t.oneOf(SHOWN_STATUSES),
  creditLimitAvailable: t.pesos,
};

const cornerStoreAnswer = t.object('CornerStore', cornerStoreFields);

export const exampleCornerStore: t.AnswerOf<typeof cornerStoreAnswer> = {
  userId: EXAMPLE_IDS.userId,
  cornerStoreId: EXAMPLE_IDS.cornerStoreId,
  status: 'approved',
  creditLimitAvailable: 9500,
};

export const findCornerStoreEndpoint = endpoint({
  id: 'getCornerStore',
  ignoresUnknown: true,
  tag: 'Corner stores',
  route: 'GET /v1/corner-store/external/:externalId',
  scope: 'corner-stores:read',
  summary: 'Get a corner store by the wholesaler’s own id',
  errors: ['CORNER_STORE_NOT_FOUND', 'USER_IS_IN_INTERNAL_VALIDATION'],
  answer: cornerStoreAnswer,
  example: exampleCornerStore,
  input: ({ caller, text }) => ({ wholesalerId: caller.id, externalId: text('externalId') }),
  handle: findCornerStore,
  present: presentCornerStore,
});

export function presentCornerStore(customer: CustomerCredit): t.AnswerOf<typeof cornerStoreAnswer> {
  return {
    userId: customer.userId,
    cornerStoreId: customer.cornerStoreId,
    status: customer.status,
    creditLimitAvailable: amountOf(customer.creditAvailableCents),
  };
}
