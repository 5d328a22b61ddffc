import { IsOptional, IsString, IsTimeZone, IsUrl, Matches } from '@fiado/contracts/class-validator';
import { IsIntegerText } from '@fiado/contracts/decorators';
import { IsFourEyes, type FourEyes } from '@fiado/chassis/four-eyes';
import { ServiceConfig } from '@fiado/chassis/service-config';
import { IsNeededWith, IsS3Url, IsServiceUrls } from '@fiado/chassis/setting-rules';
import { HasStrongPassword, IsPublicUrl } from '@fiado/chassis/weak-settings';

/** More than any order of a corner store: a larger one is a mistake, or means no ceiling. */
const MAX_DEPOSIT_PESOS = 1_000_000_000;
const MAX_TIMES_OWED = 1_000;

/** Variables of the payments service. */
export class PaymentsConfig extends ServiceConfig {
  /** Port to listen on. */
  @IsIntegerText(1, 65_535)
  PAYMENTS_PORT = 3003;

  /**
   * A streaming replica of DATABASE_URL, for the books of a day: an owner's URL (the service's own role is
   * derived) or the role's own.
   * @secret
   */
  @IsOptional()
  @IsUrl({ require_tld: false, protocols: ['postgres', 'postgresql'], require_protocol: true })
  @HasStrongPassword()
  READ_DATABASE_URL?: string;

  /** Asked for the initial of a user, when a provider looks a reference up. */
  @IsServiceUrls()
  ACCOUNTS_URL = 'http://127.0.0.1:3001';

  /** Asked for a delivered transaction whose event has not come yet. */
  @IsServiceUrls()
  TRANSACTIONS_URL = 'http://127.0.0.1:3002';

  /** Where a provider's times without a zone belong, unless the provider has a zone of its own. */
  @IsTimeZone()
  TIME_ZONE = 'America/Mexico_City';

  /** Election days on which stores get no message about debts: `2027-06-06`, with commas between. */
  @IsOptional()
  @Matches(/^\d{4}-\d\d-\d\d(,\d{4}-\d\d-\d\d)*$/, { message: 'must be days such as 2027-06-06' })
  ELECTION_DAYS?: string;

  /**
   * Whose guarded changes (docs/security.md) wait for a second person: off (nobody's), staff (those of people; a key of ops
   * acts alone, except in what wholesalers are paid) or all (those of keys of ops too).
   */
  @IsFourEyes()
  FOUR_EYES: FourEyes = 'staff';

  /**
   * A deposit waits for ops when it is more than so many pesos and more than
   * DEPOSIT_CEILING_TIMES_OWED times what its user owes: a provider's mistake, or a stolen key.
   */
  @IsIntegerText(0, MAX_DEPOSIT_PESOS)
  DEPOSIT_CEILING_PESOS = 10_000;

  /** A deposit above DEPOSIT_CEILING_PESOS may be so many times what its user owes. */
  @IsIntegerText(1, MAX_TIMES_OWED)
  DEPOSIT_CEILING_TIMES_OWED = 3;

  /** Where the outside finds the gateway: base of the links to exported files. */
  @IsPublicUrl()
  PUBLIC_URL = 'http://127.0.0.1:3000';

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
