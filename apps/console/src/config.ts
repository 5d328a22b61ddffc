import { IsIn, IsOptional, IsString, IsTimeZone } from '@fiado/contracts/class-validator';
import { IsConsoleUrl, IsServiceUrl } from '@fiado/chassis/setting-rules';
import { MAX_PROXY_HOPS } from '@fiado/chassis/service-config';
import { IsIntegerText } from '@fiado/contracts/decorators';
import { SIGN_INS_PER_SECOND } from '@fiado/contracts/staff-sign-in';

/** sandbox or production. */
export class ConsoleConfig {
  @IsIn(['sandbox', 'production'])
  FIADO_MODE: 'sandbox' | 'production' = 'sandbox';

  /** held where the installation sends no SMS, webhook or invoice: each page says so. */
  @IsIn(['on', 'held'])
  OUTGOING: 'on' | 'held' = 'on';

  /** Address that the console listens on. Beyond this machine only behind TLS. */
  @IsString()
  CONSOLE_HOST = '127.0.0.1';

  /** Port of the console; 0 takes a free one. */
  @IsIntegerText(0, 65_535)
  CONSOLE_PORT = 3010;

  /** Port of the console's /metrics, on INTERNAL_HOST. Unset: they are served nowhere. */
  @IsOptional()
  @IsIntegerText(0, 65_535)
  CONSOLE_METRICS_PORT?: number;

  /** Address that CONSOLE_METRICS_PORT listens on, which only Prometheus should reach. */
  @IsString()
  INTERNAL_HOST = '127.0.0.1';

  /** Where people open it: the only origin that its forms may come from. */
  @IsConsoleUrl()
  CONSOLE_URL = 'http://localhost:3010';

  /**
   * Proxies that people come through: their X-Forwarded-For decides whose limit a request counts
   * against, and is the address in a person's list of sessions.
   * @production 1
   */
  @IsIntegerText(0, MAX_PROXY_HOPS)
  CONSOLE_TRUSTED_PROXY_HOPS = 0;

  /**
   * Requests of one address in a second, in the long run; twice as many at once. 0 is off. A page
   * with the documents of a store makes some ten.
   */
  @IsIntegerText(0, SIGN_INS_PER_SECOND)
  CONSOLE_RATE_LIMIT_PER_SECOND = SIGN_INS_PER_SECOND / 4;

  /** The gateway, whose API the console uses. */
  @IsServiceUrl()
  GATEWAY_URL = 'http://127.0.0.1:3000';

  /** Time zone of the lender, in which pages show days and hours. */
  @IsTimeZone()
  TIME_ZONE = 'America/Mexico_City';

  /** fatal, error, warn, info, debug, trace or silent. */
  @IsString()
  LOG_LEVEL = 'info';
}
