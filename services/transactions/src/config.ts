import {
  IsIn,
  IsOptional,
  IsString,
  IsTimeZone,
  Matches,
  ValidateIf,
} from '@fiado/contracts/class-validator';
import { IsIntegerText } from '@fiado/contracts/decorators';
import { COMMISSION_IVA, type CommissionIva } from './statements/settlement.rules';
import { NETTED_FORM } from './tax-documents/tax-choices.rules';
import { type FourEyes, IsFourEyes } from '@fiado/chassis/four-eyes';
import { CodeServiceConfig } from '@fiado/chassis/service-config';
import {
  IsNeededWith,
  IsRateVariable,
  IsS3Url,
  IsServiceUrl,
  IsServiceUrls,
} from '@fiado/chassis/setting-rules';

export class TransactionsConfig extends CodeServiceConfig {
  /** Port of this service. */
  @IsIntegerText(0, 65_535)
  TRANSACTIONS_PORT = 3002;

  /** Where accounts answers. */
  @IsServiceUrls()
  ACCOUNTS_URL = 'http://127.0.0.1:3001';

  /** Value-added tax on the interests and on commissions: a decimal with at most 6 decimals. */
  @IsRateVariable()
  IVA_RATE = '0.16';

  /** Whether IVA is added to the commission of a wholesaler, or included in its rate. */
  @IsIn(COMMISSION_IVA)
  COMMISSION_IVA: CommissionIva = 'added';

  /**
   * Whose guarded changes (docs/security.md) wait for a second person: off (nobody's), staff (those of people; a key of ops
   * acts alone, except in what wholesalers are paid) or all (those of keys of ops too).
   */
  @IsFourEyes()
  FOUR_EYES: FourEyes = 'staff';

  /** Where days begin and end. */
  @IsTimeZone()
  TIME_ZONE = 'America/Mexico_City';

  /**
   * Who issues the invoices of wholesalers without an issuer of their own: none (createInvoice is refused), local, which
   * only keeps a simulated one, for sandboxes, or facturapi, under one tax id for all, until the next release. Unset: none
   * in production, local in a sandbox. The next release refuses local in production.
   * @productionOption facturapi
   */
  @IsOptional()
  @IsIn(['none', 'local', 'facturapi'])
  INVOICE_PROVIDER?: 'none' | 'local' | 'facturapi';

  /**
   * Key of Facturapi of the lender: of its commission invoices and, until the next release, of wholesalers without an issuer; needed
   * with INVOICE_PROVIDER=facturapi.
   * @secret
   */
  @ValidateIf(usesFacturapi)
  @IsString()
  FACTURAPI_KEY?: string;

  /** Another host for Facturapi's SDK: a proxy, a stand-in. */
  @IsOptional()
  @IsServiceUrl()
  FACTURAPI_BASE_URL?: string;

  /**
   * How payment complements say that a part of an invoice was paid that was not transferred, as the commission: a key of the
   * catalogue c_FormaPago of the tax authority.
   */
  @Matches(/^\d{2}$/)
  NETTED_PAYMENT_FORM = NETTED_FORM;

  /** How commission invoices say that they are paid: a key of that catalogue. */
  @Matches(/^\d{2}$/)
  COMMISSION_PAYMENT_FORM = NETTED_FORM;

  /**
   * The S3 store of files that ops exports: s3://bucket/prefix?region=us-east-1, elsewhere than at Amazon
   * with an endpoint. Unset: they are in the database for 72 hours.
   * @productionOption s3://fiado-exports/files?region=us-east-1
   */
  @IsOptional()
  @IsS3Url()
  EXPORTS_URL?: string;

  /**
   * A key of that store; unset: the SDK looks for a role of the machine or the pod.
   * @productionOption
   */
  @IsOptional()
  @IsString()
  EXPORTS_ACCESS_KEY_ID?: string;

  /**
   * The secret of that key.
   * @secret
   * @productionOption
   */
  @IsNeededWith('EXPORTS_ACCESS_KEY_ID')
  EXPORTS_SECRET_ACCESS_KEY?: string;
}

function usesFacturapi({ INVOICE_PROVIDER }: TransactionsConfig): boolean {
  return INVOICE_PROVIDER === 'facturapi';
}
