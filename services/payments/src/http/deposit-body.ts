import { IsString, MaxLength, MinLength, ValidateBy } from 'class-validator';
import { IsPositiveAmount } from '@fiado/shared/contracts/decorators';
import { isPaymentTime } from '../domain/payment-time';

/** Longest claveDePago in characters: the longest key that Mexican banks print has 40. */
const MAX_KEY_LENGTH = 64;

/**
 * Body of `recordDeposit`. A payer types both references, so any text is accepted: no, short or long.
 * The limit of the request's body bounds them.
 */
export class DepositBody {
  @IsString()
  idFactura: string;

  @IsString()
  numeroReferencia: string;

  /** Pesos. */
  @IsPositiveAmount()
  valor: number;

  @IsPaymentTime()
  fechaPago: string;

  @IsString()
  @MinLength(1)
  @MaxLength(MAX_KEY_LENGTH)
  claveDePago: string;
}

/** Query of e18. */
export class DepositQuery {
  @IsString()
  @MinLength(1)
  paymentProviderName: string;
}

function IsPaymentTime(): PropertyDecorator {
  return ValidateBy({
    name: 'isPaymentTime',
    validator: {
      validate: (value) => typeof value === 'string' && isPaymentTime(value),
      defaultMessage: () => '$property must be a real time in the format YYYY-MM-DD HH:MM:SS.SSS',
    },
  });
}
