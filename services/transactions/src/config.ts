import {
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  IsTimeZone,
  Max,
  Min,
  ValidateIf,
} from 'class-validator';
import { ToNumber } from '@fiado/shared/contracts/decorators';
import {
  ServiceConfig,
  IsRateVariable,
  IsServiceUrl,
  IsServiceUrls,
} from '@fiado/shared/chassis/service-config';
import { IsPublicUrl, IsSecret } from '@fiado/shared/chassis/weak-settings';

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
  @IsPublicUrl()
  PUBLIC_URL = 'http://127.0.0.1:3000';

  /** Called before a code or word is sent again, to check the SMS budgets. */
  @IsServiceUrls()
  NOTIFIER_URL = 'http://127.0.0.1:3004';

  /** Seals phones and delivery words; the same for accounts, transactions and notifier. */
  @IsSecret()
  ENCRYPTION_KEY: string;

  /**
   * Whether sealed values are bound to their rows. false seals as the previous release does, so
   * that its processes can read the values while a rollback must stay possible.
   */
  @IsIn(['true', 'false'])
  BIND_SEALED_VALUES: 'true' | 'false' = 'true';

  /** Without it, nobody can compute the codes from the database. */
  @IsSecret()
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
