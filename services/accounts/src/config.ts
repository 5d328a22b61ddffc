import {
  IsInt,
  IsISO31661Alpha2,
  IsString,
  Max,
  Min,
  MinLength,
  ValidateBy,
} from 'class-validator';
import { ToNumber } from '@fiado/shared/chassis/config';
import {
  IsServiceUrl,
  IsServiceUrls,
  MIN_SECRET_LENGTH,
  ServiceConfig,
} from '@fiado/shared/chassis/service-config';
import { signingKeysOf } from './domain/access-token';

/** A key that access tokens can be signed with; a bad one must end the start and not a call. */
function IsSigningKey(): PropertyDecorator {
  return ValidateBy({
    name: 'isSigningKey',
    validator: {
      validate: (value: unknown) => typeof value === 'string' && canSign(value),
      defaultMessage: () => 'must be the base64 of the PKCS8 PEM of an Ed25519 private key',
    },
  });
}

function canSign(encoded: string): boolean {
  try {
    signingKeysOf(encoded);
    return true;
  } catch {
    return false;
  }
}

/** Variables of the accounts service. */
export class AccountsConfig extends ServiceConfig {
  /** Port to listen on; 0 takes a free one. */
  @ToNumber()
  @IsInt()
  @Min(0)
  @Max(65_535)
  ACCOUNTS_PORT = 3001;

  /** Where transactions tells what of a credit line is used. */
  @IsServiceUrls()
  TRANSACTIONS_URL = 'http://127.0.0.1:3002';

  /** Seals names, phones, coordinates and contacts, and keys the index of phones. */
  @MinLength(MIN_SECRET_LENGTH)
  ENCRYPTION_KEY: string;

  /** Keys the codes of account verifications. */
  @MinLength(MIN_SECRET_LENGTH)
  CODE_PEPPER: string;

  /** The ops people's credential, taken as it is; a new value revokes the old one. */
  @MinLength(MIN_SECRET_LENGTH)
  OPS_API_KEY: string;

  /** Signs access tokens: an Ed25519 private key, base64 of its PKCS8 PEM. */
  @IsSigningKey()
  ACCESS_TOKEN_PRIVATE_KEY: string;

  /** Where the outside finds the gateway: base of the links that users open. */
  @IsServiceUrl()
  PUBLIC_URL = 'http://127.0.0.1:3000';

  /** Folder of what is no table; the images of onboardings rest in its folder uploads. */
  @IsString()
  DATA_DIR = '.data';

  /** Country of phone numbers that come without a prefix. */
  @IsISO31661Alpha2()
  PHONE_REGION = 'MX';
}
