import { IsString, MaxLength, MinLength, ValidateBy } from 'class-validator';
import { IsPositiveAmount } from '@fiado/shared/contracts/decorators';
import { isPaymentTime } from '../domain/payment-time';

/** Longest reference or key: the longest that Mexican banks print is 40 characters. */
const MAX_TEXT_LENGTH = 64;

/** Body of e18. Both references are free text: what a payer typed must not get money refused. */
export class DepositBody {
  @IsString()
  @MinLength(1)
  @MaxLength(MAX_TEXT_LENGTH)
  idFactura: string;

  @IsString()
  @MinLength(1)
  @MaxLength(MAX_TEXT_LENGTH)
  numeroReferencia: string;

  /** Pesos. */
  @IsPositiveAmount()
  valor: number;

  @IsPaymentTime()
  fechaPago: string;

  @IsString()
  @MinLength(1)
  @MaxLength(MAX_TEXT_LENGTH)
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
