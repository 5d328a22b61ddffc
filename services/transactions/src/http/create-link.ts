import { IsObject, IsOptional, IsString, ValidateNested } from 'class-validator';
import { Type } from 'class-transformer';
import { endpoint } from '@fiado/chassis/http/endpoint';
import { IsMetadata } from '@fiado/contracts/decorators';
import { EXAMPLE_IDS } from '@fiado/contracts/event-examples';
import * as t from '@fiado/chassis/openapi/json-schema';
import type { Context } from '../context';
import { ORDER_REASONS } from '../domain/rejection-reasons';
import { countRefusal } from '../metrics';
import { createLink } from '../use-cases/create-link';
import { exampleOrder, OrderBody, orderOf } from './order-body';

class LinkedOrderBody extends OrderBody {
  @IsOptional()
  @IsString()
  cornerStoreId?: string;

  @IsOptional()
  @IsMetadata()
  metadata?: object;
}

class CreateLinkBody {
  @IsObject()
  @ValidateNested()
  @Type(() => LinkedOrderBody)
  transaction: LinkedOrderBody;
}

const { transactionId } = EXAMPLE_IDS;

export const createLinkEndpoint = endpoint({
  id: 'createTransactionLink',
  ignoresUnknown: true,
  tag: 'Transactions',
  route: 'POST /v1/link/external/:externalId',
  scope: 'transactions:write',
  summary: 'Create a transaction through a link',
  description:
    'The customer opens the link within 24 hours and enters the code that is then sent by SMS. ' +
    '`cornerStoreId` is optional: `externalId` identifies the customer.',
  body: CreateLinkBody,
  bodyExample: { transaction: exampleOrder },
  errors: ORDER_REASONS,
  idempotent: true,
  status: 201,
  answer: t.object('TransactionLink', { link: t.uri, transactionId: t.uuid }),
  example: { link: `https://fiado.example/pedido/${transactionId}`, transactionId },
  input: ({ body: { transaction }, caller, text }, { config }: Context) => ({
    ...orderOf(transaction, config.TIME_ZONE),
    wholesalerId: caller.id,
    externalId: text('externalId'),
    cornerStoreId: transaction.cornerStoreId?.toLowerCase(),
  }),
  handle: createLink,
  onError: countRefusal('link'),
  present: (created, { config }) => ({
    link: `${config.PUBLIC_URL}/pedido/${created.transactionId}`,
    transactionId: created.transactionId,
  }),
});
