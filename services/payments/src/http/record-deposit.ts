import { IsString, MinLength } from 'class-validator';
import { endpoint } from '@fiado/chassis/http/endpoint';
import { IsNonEmptyText, IsPositiveAmount, Passes } from '@fiado/contracts/decorators';
import { AppError } from '@fiado/contracts/errors';
import { centsOf } from '@fiado/contracts/money';
import * as t from '@fiado/chassis/openapi/json-schema';
import type { Context } from '../context';
import { isPaymentTime, paymentTimeOf } from '../domain/payment-time';
import { recordDeposit } from '../use-cases/record-deposit';
import { exampleNotice } from './deposit-answer';

/** Longest claveDePago in characters: the longest key that Mexican banks print has 40. */
const MAX_KEY_LENGTH = 64;

/**
 * A payer types both references, so any text is accepted: no, short or long. The limit of the
 * request's body bounds them.
 */
class DepositBody {
  @IsString()
  idFactura: string;

  @IsString()
  numeroReferencia: string;

  /** Pesos. */
  @IsPositiveAmount()
  valor: number;

  @IsPaymentTime()
  fechaPago: string;

  @IsNonEmptyText(MAX_KEY_LENGTH)
  claveDePago: string;
}

class DepositQuery {
  @IsString()
  @MinLength(1)
  paymentProviderName: string;
}

export const recordDepositEndpoint = endpoint({
  id: 'recordDeposit',
  ignoresUnknown: true,
  tag: 'Payments',
  route: 'POST /v1/customer-transaction/payment/deposit',
  scope: 'deposits:write',
  summary: 'Notify a deposit',
  description:
    'Answered as soon as the deposit is stored; it is applied a moment later. The same `claveDePago` with ' +
    'the same body gets the same answer; a different body is a conflict. ' +
    '`paymentProviderName` is the name of the key’s provider. Both references are free text: ' +
    'empty, long, without leading zeros or swapped, the deposit is accepted.',
  body: DepositBody,
  bodyExample: exampleNotice,
  query: DepositQuery,
  errors: ['DEPOSIT_CONFLICT', 'SIGNATURE_NOT_VALID'],
  idempotent: true,
  signed: true,
  answer: t.success,
  example: { success: true },
  input: (request, { config }: Context) => {
    const { id: paymentProviderId, name, timeZone = config.TIME_ZONE } = request.caller;
    if (request.query.paymentProviderName !== name) throw new AppError('FORBIDDEN');
    const { valor, fechaPago, ...notice } = request.body;
    return {
      ...notice,
      paymentProviderId,
      providerName: name,
      valorCents: centsOf(valor),
      fechaPago,
      paidAt: paymentTimeOf(fechaPago, timeZone),
      body: JSON.stringify(request.json),
    };
  },
  handle: recordDeposit,
  present: () => ({ success: true }),
});

function IsPaymentTime(): PropertyDecorator {
  return Passes(
    'isPaymentTime',
    '$property must be a real time in the format YYYY-MM-DD HH:MM:SS.SSS',
    (value) => typeof value === 'string' && isPaymentTime(value),
  );
}
