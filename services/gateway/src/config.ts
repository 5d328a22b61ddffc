import { IsISO31661Alpha2, IsOptional, IsString } from '@fiado/contracts/class-validator';
import {
  IsLenderName,
  IsPaymentPlaces,
  IsPrivacyUrl,
  IsSupportPhone,
  SANDBOX_LENDER,
  IsServiceUrls,
} from '@fiado/chassis/setting-rules';
import { MAX_PROXY_HOPS, ProcessConfig } from '@fiado/chassis/service-config';
import { IsIntegerText, IsNonEmptyText, IsShareText } from '@fiado/contracts/decorators';
import { MAX_NOTICE_VERSION } from '@fiado/contracts/kyc-link';

const MAX_PORT = 65_535;

export class GatewayConfig extends ProcessConfig {
  /** Address that the API listens on. */
  @IsString()
  HOST = '127.0.0.1';

  /** Port of the API; 0 takes a free one. */
  @IsIntegerText(0, MAX_PORT)
  PORT = 3000;

  /** Where accounts answers: a name that has the addresses of its instances, or URLs with commas between them. Unset: from its port. */
  @IsServiceUrls()
  ACCOUNTS_URL = 'http://127.0.0.1:3001';

  /** Where transactions answers: a name that has the addresses of its instances, or URLs with commas between them. Unset: from its port. */
  @IsServiceUrls()
  TRANSACTIONS_URL = 'http://127.0.0.1:3002';

  /** Where payments answers: a name that has the addresses of its instances, or URLs with commas between them. Unset: from its port. */
  @IsServiceUrls()
  PAYMENTS_URL = 'http://127.0.0.1:3003';

  /** Where notifier answers: a name that has the addresses of its instances, or URLs with commas between them. Unset: from its port. */
  @IsServiceUrls()
  NOTIFIER_URL = 'http://127.0.0.1:3004';

  /** Requests of one credential in a second, in the long run; twice as many at once. 0 is off. */
  @IsIntegerText(0)
  RATE_LIMIT_PER_SECOND = 300;

  /**
   * This gateway's part of each limit of requests in a second: 0.25 for each of four gateways behind
   * a load balancer that spreads requests evenly.
   * @productionOption 0.5
   */
  @IsShareText()
  RATE_LIMIT_SHARE = 1;

  /**
   * Port of /metrics, on INTERNAL_HOST. Unset: a sandbox that only this machine reaches shows it
   * beside the API, any other process nowhere.
   */
  @IsOptional()
  @IsIntegerText(0, MAX_PORT)
  METRICS_PORT?: number;

  /**
   * Proxies that callers come through: their X-Forwarded-For decides whose limits a request counts
   * against.
   * @production 1
   */
  @IsIntegerText(0, MAX_PROXY_HOPS)
  TRUSTED_PROXY_HOPS = 0;

  /**
   * Who gives the credit, as corner stores know it: on pages and in SMS.
   * @production
   */
  @IsLenderName()
  LENDER_NAME = SANDBOX_LENDER.LENDER_NAME;

  /**
   * The lender's telephone for corner stores, as people dial it: on pages and in SMS.
   * @production
   */
  @IsSupportPhone()
  SUPPORT_PHONE = SANDBOX_LENDER.SUPPORT_PHONE;

  /**
   * Where stores pay: places with ; between them, each its name, how to pay there and the agreement
   * or account, with | between them. One of each payment provider, as a rule. On
   * every page with a debt, and in the SMS about a delivery. Unset: neither names any; a sandbox names
   * a place of its own.
   * @productionOption OXXO | En la caja | Convenio 12345
   */
  @IsOptional()
  @IsPaymentPlaces()
  PAYMENT_PLACES?: string;

  /**
   * The lender's privacy notice: on pages only.
   * @production
   */
  @IsPrivacyUrl()
  PRIVACY_URL = SANDBOX_LENDER.PRIVACY_URL;

  /**
   * Version of the privacy notice. A new one asks stores for their consent again.
   * @production 1
   */
  @IsNonEmptyText(MAX_NOTICE_VERSION)
  PRIVACY_VERSION = '1';

  /** Country of a SUPPORT_PHONE without a prefix. */
  @IsISO31661Alpha2()
  PHONE_REGION = 'MX';
}
