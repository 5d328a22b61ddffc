import {
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  IsTimeZone,
  Max,
  Min,
  MinLength,
  ValidateIf,
} from 'class-validator';
import { ToNumber } from '@fiado/shared/chassis/config';
import {
  ServiceConfig,
  IsRateVariable,
  IsServiceUrl,
  IsServiceUrls,
  MIN_SECRET_LENGTH,
} from '@fiado/shared/chassis/service-config';

export class TransactionsConfig extends ServiceConfig {
  /** Port of this service. */
  @ToNumber()
  @IsInt()
  @Min(0)
  @Max(65_535)
  TRANSACTIONS_PORT = 3002;

  /** Where accounts answers. */
  @IsServiceUrls()
  ACCOUNTS_URL = 'http://127.0.0.1:3001';

  /** Base of links to the gateway's pages, as the outside sees it. */
  @IsServiceUrl()
  PUBLIC_URL = 'http://127.0.0.1:3000';

  /** Seals phones and delivery words; the same for accounts, transactions and notifier. */
  @MinLength(MIN_SECRET_LENGTH)
  ENCRYPTION_KEY: string;

  /** Without it the codes cannot be known from the database. */
  @MinLength(MIN_SECRET_LENGTH)
  CODE_PEPPER: string;

  /** Value-added tax on the interests: a decimal with at most 6 decimals. */
  @IsRateVariable()
  IVA_RATE = '0.16';

  /** Where days begin and end. */
  @IsTimeZone()
  TIME_ZONE = 'America/Mexico_City';

  /** Who issues invoices: local only keeps the record. */
  @IsIn(['local', 'facturapi'])
  INVOICE_PROVIDER: 'local' | 'facturapi' = 'local';

  @ValidateIf(usesFacturapi)
  @IsString()
  FACTURAPI_KEY?: string;

  /** Another host for Facturapi's SDK: a proxy, a stand-in. */
  @IsOptional()
  @IsServiceUrl()
  FACTURAPI_BASE_URL?: string;
}

function usesFacturapi({ INVOICE_PROVIDER }: TransactionsConfig): boolean {
  return INVOICE_PROVIDER === 'facturapi';
}
