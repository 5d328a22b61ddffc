import {
  IsISO31661Alpha2,
  IsOptional,
  IsString,
  IsTimeZone,
  Matches,
} from '@fiado/contracts/class-validator';
import { IsFourEyes, type FourEyes } from '@fiado/chassis/four-eyes';
import { CodeServiceConfig } from '@fiado/chassis/service-config';
import {
  IsConsoleUrl,
  IsIssuerUrl,
  IsNeededWith,
  IsS3Url,
  IsServiceUrls,
  IsSigningKey,
} from '@fiado/chassis/setting-rules';
import { IsSecret } from '@fiado/chassis/weak-settings';
import { allOf, IsIntegerText, IsNonEmptyText, Obeys, Passes } from '@fiado/contracts/decorators';
import { MAX_NOTICE_VERSION } from '@fiado/contracts/kyc-link';
import { parseProviderRoles } from './staff/provider-roles.rules';

/**
 * SMS in 24 hours to numbers of no customer: enough for a busy sales team, too few for SMS pumping.
 */
const DEFAULT_TO_UNKNOWN_PER_DAY = 1_000;
/** No installation needs more; a typing error might. */
const MAX_TO_UNKNOWN_PER_DAY = 1_000_000;
/** Each upload counts all of its wholesaler in the day. */
const MAX_IMAGES_PER_DAY = 100_000;
const MAX_IMAGE_MB_PER_DAY = 1_000_000;

/** A term is extended once by as much; half a year of business days together. */
const MAX_TERM_DAYS = 60;

/** More than any corner store's: a larger one means no ceiling. */
const MAX_CEILING_PESOS = 1_000_000_000;

/** Names of claims are words, or URLs at some providers; in characters. */
const MAX_CLAIM_NAME = 200;

function IsProviderRoles(): PropertyDecorator {
  return Passes(
    'isProviderRoles',
    'must be like fiado-admins=admin,fiado-support=operator',
    (value) =>
      value === undefined || (typeof value === 'string' && parseProviderRoles(value) !== undefined),
  );
}

/** Longer than any law asks for: a typing error. */
const MAX_RETENTION_YEARS = 50;
/** The term of the Código Fiscal de la Federación. */
const MIN_RETENTION_YEARS = 5;

function IsRetentionYears(): PropertyDecorator {
  return allOf(IsIntegerText(0, MAX_RETENTION_YEARS), Obeys(isLongEnough));
}

function isLongEnough(
  years: number,
  { FIADO_MODE }: { FIADO_MODE?: string },
  property: string,
): string | undefined {
  if (years >= MIN_RETENTION_YEARS || (years === 0 && FIADO_MODE === 'sandbox')) return undefined;
  return `${property} must be at least ${MIN_RETENTION_YEARS}; in a sandbox it may be 0`;
}

/** Variables of the accounts service. */
export class AccountsConfig extends CodeServiceConfig {
  /** Port to listen on; 0 takes a free one. */
  @IsIntegerText(0, 65_535)
  ACCOUNTS_PORT = 3001;

  /** URL of transactions, which returns the used credit of lines. */
  @IsServiceUrls()
  TRANSACTIONS_URL = 'http://127.0.0.1:3002';

  /** URL of payments, which returns the debts of a corner store. */
  @IsServiceUrls()
  PAYMENTS_URL = 'http://127.0.0.1:3003';

  /** Time zone of the lender: of dates without a time. */
  @IsTimeZone()
  TIME_ZONE = 'America/Mexico_City';

  /**
   * Years that a blocked person's data are kept after their last debt closed or deposit came (LFPIORPI, art.
   * 18; at least the five of the Código Fiscal, art. 30). 0 in a sandbox only. To be confirmed by the lender's
   * lawyer.
   */
  @IsRetentionYears()
  RETENTION_YEARS = 10;

  /**
   * The credential of the first admin; a new value revokes the old one.
   * @secret
   */
  @IsSecret()
  OPS_API_KEY: string;

  /**
   * Signs access tokens: an Ed25519 private key, base64 of its PKCS8 PEM.
   * @secret
   */
  @IsSigningKey()
  ACCESS_TOKEN_PRIVATE_KEY: string;

  /**
   * The ACCESS_TOKEN_PRIVATE_KEY before or after this one, while it is exchanged: it verifies too.
   * @secret
   * @productionOption
   */
  @IsOptional()
  @IsSigningKey()
  ACCESS_TOKEN_PRIVATE_KEY_PREVIOUS?: string;

  /**
   * Where people open the console: passkeys and invitations are for this address alone. http only
   * for localhost.
   * @production https://console.fiado.example.com
   */
  @IsConsoleUrl()
  CONSOLE_URL = 'http://localhost:3010';

  /**
   * The identity provider (OpenID Connect) that people sign in at; unset: passkeys only.
   * @productionOption https://login.example.com
   */
  @IsOptional()
  @IsIssuerUrl()
  OIDC_ISSUER?: string;

  /**
   * Fiado's id at the identity provider.
   * @productionOption
   */
  @IsNeededWith('OIDC_ISSUER')
  OIDC_CLIENT_ID?: string;

  /**
   * Fiado's secret at the identity provider.
   * @secret
   * @productionOption
   */
  @IsNeededWith('OIDC_ISSUER')
  OIDC_CLIENT_SECRET?: string;

  /**
   * Claim of the ID token that decides the role at each sign-in; unset: the invitation does.
   * @productionOption groups
   */
  @IsOptional()
  @IsNonEmptyText(MAX_CLAIM_NAME)
  OIDC_ROLE_CLAIM?: string;

  /**
   * What its values stand for, such as fiado-admins=admin,fiado-support=operator.
   * @productionOption fiado-admins=admin,fiado-support=operator
   */
  @IsNeededWith('OIDC_ROLE_CLAIM')
  @IsProviderRoles()
  OIDC_ROLES?: string;

  /** Folder for files; without UPLOADS_URL onboarding images are in its subfolder uploads. */
  @IsString()
  DATA_DIR = '.data';

  /**
   * The S3 store of onboarding images: s3://bucket/prefix?region=us-east-1, elsewhere than at Amazon
   * with an endpoint. Several machines need it, or a folder that they share.
   * @productionOption s3://fiado-uploads/images?region=us-east-1
   */
  @IsOptional()
  @IsS3Url()
  UPLOADS_URL?: string;

  /**
   * A key of that store; unset: the SDK looks for a role of the machine or the pod.
   * @productionOption
   */
  @IsOptional()
  @IsString()
  UPLOADS_ACCESS_KEY_ID?: string;

  /**
   * The secret of that key.
   * @secret
   * @productionOption
   */
  @IsNeededWith('UPLOADS_ACCESS_KEY_ID')
  UPLOADS_SECRET_ACCESS_KEY?: string;

  /** Limit of one wholesaler against SMS pumping; ops raises it for one by its settings. */
  @IsIntegerText(0, MAX_TO_UNKNOWN_PER_DAY)
  SMS_TO_UNKNOWN_PER_DAY = DEFAULT_TO_UNKNOWN_PER_DAY;

  /**
   * Images of onboardings that one wholesaler may upload in 24 hours: 400 stores with five each.
   */
  @IsIntegerText(1, MAX_IMAGES_PER_DAY)
  IMAGES_PER_WHOLESALER_PER_DAY = 2_000;

  /** Megabytes of images, as they are kept, that one wholesaler may upload in 24 hours. */
  @IsIntegerText(1, MAX_IMAGE_MB_PER_DAY)
  IMAGE_MB_PER_WHOLESALER_PER_DAY = 1_000;

  /**
   * Whose guarded changes (docs/security.md) wait for a second person: off (nobody's), staff (those of people; a key of ops
   * acts alone, except in what wholesalers are paid and in invitations) or all (those of keys of ops too).
   */
  @IsFourEyes()
  FOUR_EYES: FourEyes = 'staff';

  /** A person confirms a credit limit above so many pesos. */
  @IsIntegerText(0, MAX_CEILING_PESOS)
  CREDIT_LIMIT_CEILING = 100_000;

  /** Version of the privacy notice. A new one asks stores for their consent again. */
  @IsNonEmptyText(MAX_NOTICE_VERSION)
  PRIVACY_VERSION = '1';

  /**
   * File with the text of that version of the privacy notice: its SHA-256 is kept with each consent.
   * @productionOption
   */
  @IsOptional()
  @IsString()
  PRIVACY_NOTICE_FILE?: string;

  /**
   * Business days to answer what a person asks about their data (LFPDPPP of 2025; art. 32 of the text of
   * 2010). To be confirmed by the lender's lawyer.
   */
  @IsIntegerText(1, MAX_TERM_DAYS)
  PRIVACY_ANSWER_DAYS = 20;

  /**
   * Business days to do what was granted, from the answer on (the same article). To be confirmed by the
   * lender's lawyer.
   */
  @IsIntegerText(1, MAX_TERM_DAYS)
  PRIVACY_EXECUTION_DAYS = 15;

  /** Country of phone numbers that come without a prefix. */
  @IsISO31661Alpha2()
  PHONE_REGION = 'MX';

  /**
   * Calling codes of the countries that messages may go to, with commas between them. An import refuses other
   * numbers: their codes would never arrive.
   */
  @Matches(/^[1-9]\d{0,2}(,[1-9]\d{0,2})*$/, { message: 'must be calling codes such as 52,57' })
  SMS_COUNTRIES = '52';

  /** With it, stores can agree to WhatsApp on the page "Mi cuenta". */
  @IsOptional()
  @IsString()
  WHATSAPP_FROM?: string;
}
