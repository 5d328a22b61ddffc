import { IsInt, IsTimeZone, Max, Min } from 'class-validator';
import { ToNumber } from '@fiado/shared/chassis/config';
import { IsServiceUrls, ServiceConfig } from '@fiado/shared/chassis/service-config';

/** Variables of the payments service. */
export class PaymentsConfig extends ServiceConfig {
  /** Port to listen on. */
  @ToNumber()
  @IsInt()
  @Min(1)
  @Max(65_535)
  PAYMENTS_PORT = 3003;

  /** Asked for a delivered transaction whose event has not come yet. */
  @IsServiceUrls()
  TRANSACTIONS_URL = 'http://127.0.0.1:3002';

  /** Where a provider's times without a zone belong, unless the provider has a zone of its own. */
  @IsTimeZone()
  TIME_ZONE = 'America/Mexico_City';
}
