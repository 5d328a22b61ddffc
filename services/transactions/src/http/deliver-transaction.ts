import { Equals, IsLatitude, IsLongitude, IsNumber, IsOptional } from 'class-validator';
import { endpoint } from '@fiado/chassis/http/endpoint';
import { IsPositiveAmount, IsText } from '@fiado/contracts/decorators';
import { AppError } from '@fiado/contracts/errors';
import { centsOf } from '@fiado/contracts/money';
import * as t from '@fiado/chassis/openapi/json-schema';
import { deliverTransaction, type Delivery } from '../use-cases/deliver-transaction';

class DeliverTransactionBody {
  @Equals('delivery', { message: 'status must be delivery' })
  status: string;

  @IsPositiveAmount()
  transactionAmount: number;

  @IsOptional()
  @IsText(50)
  deliveryWord?: string;

  @IsOptional()
  @IsNumber()
  @IsLatitude()
  latitude?: number;

  @IsOptional()
  @IsNumber()
  @IsLongitude()
  longitude?: number;

  @IsOptional()
  @IsText(500)
  description?: string;
}

export const deliverTransactionEndpoint = endpoint({
  id: 'deliverTransaction',
  ignoresUnknown: true,
  tag: 'Transactions',
  route: 'PUT /v1/transaction/:transactionId',
  scope: 'transactions:write',
  summary: 'Notify the delivery',
  description:
    'Books the debt on `transactionAmount`: commission, interest and IVA are calculated from it. It may exceed the confirmed amount ' +
    'by at most the overage rate that the order was made with, and only while the corner store may buy. Checks, in this order: the transaction exists, is ' +
    '`on-hold`, the amount is present, then all others. Every fifth ' +
    'wrong `deliveryWord` replaces the word and sends the new one to the customer; after twenty wrong ones ' +
    'the answer is `TOO_MANY_ATTEMPTS` until the lender resets them.',
  body: DeliverTransactionBody,
  bodyExample: { status: 'delivery', transactionAmount: 480.5, deliveryWord: 'LimonTambor' },
  errors: [
    'TRANSACTION_NOT_FOUND',
    'TRANSACTION_IS_NOT_IN_HOLD',
    'TRANSACTION_AMOUNT_NOT_FOUND',
    'TRANSACTION_AMOUNT_NOT_ALLOWED',
    'CREDIT_LIMIT_EXCEEDED',
    'DELIVERY_WORD_NOT_VALID',
    'TOO_MANY_ATTEMPTS',
  ],
  idempotent: true,
  answer: t.success,
  example: { success: true },
  input: (request) => ({
    wholesalerId: request.caller.id,
    transactionId: request.id('transactionId', 'TRANSACTION_NOT_FOUND'),
    readDelivery: () => {
      requireAmount(request.json);
      return deliveryOf(request.body);
    },
  }),
  handle: deliverTransaction,
  present: () => ({ success: true }),
});

function requireAmount(json: unknown): void {
  const amount =
    typeof json === 'object' && json !== null && 'transactionAmount' in json
      ? json.transactionAmount
      : undefined;
  if (amount === undefined || amount === null) throw new AppError('TRANSACTION_AMOUNT_NOT_FOUND');
}

function deliveryOf({
  transactionAmount,
  deliveryWord,
  latitude,
  longitude,
  description,
}: DeliverTransactionBody): Delivery {
  const location = {
    ...(latitude === undefined ? {} : { latitude }),
    ...(longitude === undefined ? {} : { longitude }),
    ...(description === undefined ? {} : { description }),
  };
  return {
    amountCents: centsOf(transactionAmount),
    deliveryWord,
    location: Object.keys(location).length === 0 ? undefined : location,
  };
}
