import { Type } from 'class-transformer';
import { IsObject, IsOptional, IsString, ValidateNested } from '@fiado/contracts/class-validator';
import { endpoint } from '@fiado/chassis/http/endpoint';
import type { StoreAnswer } from '@fiado/chassis/idempotency';
import * as fields from '@fiado/chassis/openapi/fields';
import * as t from '@fiado/chassis/openapi/json-schema';
import { About } from '@fiado/contracts/about';
import { IsMetadata } from '@fiado/contracts/decorators';
import { AppError } from '@fiado/contracts/errors';
import type { Context } from '../context';
import { refreshCreditTerms } from '../credit-lines/corner-store-copy';
import { countRefusal } from '../metrics';
import { type CreatedOrder, createOrder, type CreateOrder } from '../orders/create-order';
import { exampleOrder, OrderBody, orderOf } from '../orders/order-body';
import { ORDER_REASONS } from '../orders/refusal.rules';

class LinkedOrderBody extends OrderBody {
  @IsOptional()
  @IsString()
  cornerStoreId?: string;

  @IsOptional()
  @IsMetadata()
  metadata?: object;
}

class CreateLinkBody {
  @About('The order that the user confirms on the page of the link')
  @IsObject()
  @ValidateNested()
  @Type(() => LinkedOrderBody)
  transaction: LinkedOrderBody;
}

export const createLinkEndpoint = endpoint({
  id: 'createTransactionLink',
  as: 'transactions.createLink',
  ignoresUnknown: true,
  tag: 'Transactions',
  route: 'POST /v1/link/external/:externalId',
  scope: 'transactions:write',
  names: { externalId: 'customer', cornerStoreId: 'corner-store' },
  summary: 'Create a transaction with a link to its page',
  description:
    'The user opens the link within 24 hours and enters the code that is then sent by SMS, which confirms ' +
    'the transaction. `cornerStoreId` is optional: `externalId` identifies the corner store.',
  body: CreateLinkBody,
  bodyExample: { transaction: exampleOrder },
  errors: ORDER_REASONS,
  idempotent: true,
  status: 201,
  answer: t.object('TransactionLink', {
    link: t.field(
      t.uri,
      'Address of the page on which the user confirms the order',
      'https://fiado.example/pedido/0b0c6f3e-5a0f-4a71-9f0a-3d4f6f7a1c11',
    ),
    transactionId: fields.transactionId,
  }),
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

interface CreateLink extends Omit<CreateOrder, 'cornerStoreId' | 'sendCode'> {
  /** The wholesaler's own name for the corner store. */
  externalId: string;
  /** If given, it must be the same corner store. */
  cornerStoreId: string | undefined;
}

/**
 * An order that the store confirms on a page behind a link (createTransactionLink). It holds the
 * credit as createTransaction does; its code is sent when the page is opened.
 * @throws AppError as createTransaction; CORNER_STORE_NOT_FOUND also for a corner store that is not
 *   the one of that externalId
 */
export async function createLink(
  context: Context,
  { externalId, cornerStoreId, ...command }: CreateLink,
  answerOf: StoreAnswer<CreatedOrder>,
): Promise<CreatedOrder> {
  const { wholesalerId } = command;
  let found = await context.lanes.names.add({ wholesalerId, externalId });
  if (found === undefined) {
    await refreshCreditTerms(context, { wholesalerId, cornerStoreIds: [], externalId });
    found = await context.lanes.names.add({ wholesalerId, externalId });
  }
  if (found === undefined) throw new AppError('CORNER_STORE_NOT_FOUND');
  if (cornerStoreId !== undefined && cornerStoreId !== found) {
    throw new AppError('CORNER_STORE_NOT_FOUND');
  }
  return createOrder(
    context,
    { ...command, cornerStoreId: found, sendCode: 'when-opened' },
    answerOf,
  );
}
