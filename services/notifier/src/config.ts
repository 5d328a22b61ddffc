import {
  IsIn,
  IsISO31661Alpha2,
  IsNotEmpty,
  IsOptional,
  IsTimeZone,
  Matches,
  ValidateIf,
} from '@fiado/contracts/class-validator';
import {
  IsLenderName,
  IsPaymentPlaces,
  IsSupportPhone,
  SANDBOX_LENDER,
  IsServiceUrl,
  IsServiceUrls,
} from '@fiado/chassis/setting-rules';
import { ServiceConfig } from '@fiado/chassis/service-config';
import { IsPublicUrl, IsSecret } from '@fiado/chassis/weak-settings';
import { IsIntegerText, Obeys, Passes } from '@fiado/contracts/decorators';
import {
  MESSAGE_TEMPLATES,
  type MessageTemplate,
  WHATSAPP_TEMPLATES,
} from '@fiado/contracts/message-catalogue';
import { isNetwork } from './webhooks/address-guard';

function usesTwilio({ SMS_PROVIDER }: NotifierConfig): boolean {
  return SMS_PROVIDER === 'twilio';
}

/** Anybody who reads the console sees the codes, so only a sandbox may use it. */
function NotConsoleInProduction(): PropertyDecorator {
  return Obeys((value: unknown, { FIADO_MODE }: NotifierConfig) =>
    value === 'console' && FIADO_MODE === 'production'
      ? 'console is for the sandbox; production needs twilio'
      : undefined,
  );
}

function usesWhatsapp({ WHATSAPP_FROM, WHATSAPP_TEMPLATES }: NotifierConfig): boolean {
  return WHATSAPP_FROM !== undefined || WHATSAPP_TEMPLATES !== undefined;
}

/** Codes and the delivery word stay SMS: whoever reads them can buy in the store's name (docs/adr/0095-whatsapp-beside-sms.md). */
function namesTemplates(value: unknown): string | undefined {
  if (typeof value !== 'string') return 'must name templates, with WHATSAPP_FROM';
  const entries = value.split(',').map((entry) => entry.split(':'));
  for (const [name = '', sid = ''] of entries) {
    if (!MESSAGE_TEMPLATES.includes(name as MessageTemplate)) {
      return `names ${name}, and there is no such kind of message`;
    }
    if (!WHATSAPP_TEMPLATES.includes(name as MessageTemplate))
      return `names ${name}, which goes by SMS only`;
    if (!/^HX[0-9a-fA-F]{32}$/.test(sid))
      return `must have HX and 32 hexadecimal digits after ${name}:`;
  }
  return undefined;
}

function AreNetworks(): PropertyDecorator {
  return Passes(
    'areNetworks',
    'must be networks such as 10.1.0.0/16,fd00::/8',
    (value) => typeof value === 'string' && value.split(',').every(isNetwork),
  );
}

/** SMS to one phone in 24 hours: enough for a busy store's orders, too few for SMS pumping. */
const DEFAULT_PER_PHONE_PER_DAY = 20;
/** SMS of one wholesaler in a minute: a large batch takes some minutes, and a flood is stopped. */
const DEFAULT_PER_WHOLESALER_PER_MINUTE = 300;
/** More of either is a typing error. */
const MAX_CAP = 1_000_000;

/** Variables of the notifier. */
export class NotifierConfig extends ServiceConfig {
  /** Port to listen on; 0 takes a free one. */
  @IsIntegerText(0, 65_535)
  NOTIFIER_PORT = 3004;

  /** Called to relay its dead letters again when ops retries jobs, like the next two. */
  @IsServiceUrls()
  ACCOUNTS_URL = 'http://127.0.0.1:3001';

  @IsServiceUrls()
  TRANSACTIONS_URL = 'http://127.0.0.1:3002';

  @IsServiceUrls()
  PAYMENTS_URL = 'http://127.0.0.1:3003';

  /**
   * Unwraps the data keys that open what other services sealed; the same for all of them.
   * @secret
   */
  @IsSecret()
  ENCRYPTION_KEY: string;

  /**
   * The ENCRYPTION_KEY before or after this one, while it is exchanged: it unwraps data keys too.
   * @secret
   */
  @IsOptional()
  @IsSecret()
  ENCRYPTION_KEY_PREVIOUS?: string;

  /** Name of the lender, in every SMS. */
  @IsLenderName()
  LENDER_NAME = SANDBOX_LENDER.LENDER_NAME;

  /** The lender's telephone for corner stores: in every SMS. */
  @IsSupportPhone()
  SUPPORT_PHONE = SANDBOX_LENDER.SUPPORT_PHONE;

  /** Where stores pay: in the SMS about a delivery. Unset: none, or a place of the sandbox. */
  @IsOptional()
  @IsPaymentPlaces()
  PAYMENT_PLACES?: string;

  /** Country of phone numbers without a prefix. */
  @IsISO31661Alpha2()
  PHONE_REGION = 'MX';

  /** Where the dates of a query without a zone belong. */
  @IsTimeZone()
  TIME_ZONE = 'America/Mexico_City';

  /** Public URL for the provider's status callbacks; used only if it is https. */
  @IsPublicUrl()
  PUBLIC_URL?: string;

  /**
   * console or twilio: who carries the messages. Production needs twilio.
   * @production twilio
   */
  @IsIn(['console', 'twilio'])
  @NotConsoleInProduction()
  SMS_PROVIDER: 'console' | 'twilio' = 'console';

  /**
   * Twilio's account; needed with SMS_PROVIDER=twilio, like the next one.
   * @production
   */
  @ValidateIf(usesTwilio)
  @Matches(/^AC[0-9a-fA-F]{32}$/, { message: 'must be AC and 32 hexadecimal digits' })
  TWILIO_ACCOUNT_SID?: string;

  /**
   * Twilio's secret: calls and status callbacks are signed with it.
   * @secret
   * @production
   */
  @ValidateIf(usesTwilio)
  @IsNotEmpty()
  TWILIO_AUTH_TOKEN?: string;

  /**
   * The TWILIO_AUTH_TOKEN before or after this one, while it is exchanged: callbacks that are signed with it are taken.
   * @secret
   */
  @IsOptional()
  @IsNotEmpty()
  TWILIO_AUTH_TOKEN_PREVIOUS?: string;

  /**
   * Sending number, short code or name; not needed with a messaging service.
   * @production
   */
  @ValidateIf(
    (config: NotifierConfig) =>
      usesTwilio(config) && config.TWILIO_MESSAGING_SERVICE_SID === undefined,
  )
  @Matches(/^(\+?\d{3,15}|[A-Za-z0-9 ]{1,11})$/, {
    message:
      'must be a phone number, short code or sender name (or set TWILIO_MESSAGING_SERVICE_SID)',
  })
  TWILIO_FROM?: string;

  /**
   * Twilio's pool of senders; goes before TWILIO_FROM.
   * @production
   */
  @IsOptional()
  @Matches(/^MG[0-9a-fA-F]{32}$/, { message: 'must be MG and 32 hexadecimal digits' })
  TWILIO_MESSAGING_SERVICE_SID?: string;

  /** Another host in place of Twilio's API: a proxy, or a test's stand-in. */
  @IsOptional()
  @IsServiceUrl()
  TWILIO_API_BASE_URL?: string;

  /**
   * The sender of WhatsApp at Twilio: a number, or a messaging service. With WHATSAPP_TEMPLATES; unset, all messages are
   * SMS. Set both when all notifiers have this release (docs/whatsapp.md).
   * @productionOption +525512345678
   */
  @ValidateIf(usesWhatsapp)
  @Matches(/^(\+[1-9]\d{7,14}|MG[0-9a-fA-F]{32})$/, {
    message:
      'must be a phone number such as +525512345678 or the SID of a messaging service, with WHATSAPP_TEMPLATES',
  })
  WHATSAPP_FROM?: string;

  /** The messages that go by WhatsApp first, each with the SID of its template at Twilio: delivered:HX…,payment-due:HX… */
  @ValidateIf(usesWhatsapp)
  @Obeys(namesTemplates)
  WHATSAPP_TEMPLATES?: string;

  /** Budget of a phone for 24 hours: a message beyond it fails. Half is kept for order codes. */
  @IsIntegerText(1, MAX_CAP)
  SMS_PER_PHONE_PER_DAY = DEFAULT_PER_PHONE_PER_DAY;

  /** Part of that budget that one wholesaler may use; by default three quarters. */
  @IsOptional()
  @IsIntegerText(1, MAX_CAP)
  SMS_PER_PHONE_AND_WHOLESALER_PER_DAY?: number;

  /** Cap against floods: a message beyond it waits for the next minute. */
  @IsIntegerText(1, MAX_CAP)
  SMS_PER_WHOLESALER_PER_MINUTE = DEFAULT_PER_WHOLESALER_PER_MINUTE;

  /**
   * What this process does: sms, webhooks or both. Every process stores the jobs that it takes;
   * webhooks are best sent from a network that reaches the internet and the database alone.
   */
  @Matches(/^(sms|webhooks|sms,webhooks)$/, { message: 'must be sms, webhooks or sms,webhooks' })
  NOTIFIER_ROLES = 'sms,webhooks';

  /**
   * Networks such as 10.1.0.0/16, with commas between them, that webhooks may go to although they
   * are not public. A sandbox allows loopback besides.
   */
  @IsOptional()
  @AreNetworks()
  WEBHOOK_ALLOWED_NETWORKS?: string;

  /** A proxy that connects to endpoints in our place, and then guards the addresses. */
  @IsOptional()
  @IsServiceUrl()
  WEBHOOK_PROXY_URL?: string;

  /** Calling codes of the countries that messages may go to, with commas between them. */
  @Matches(/^[1-9]\d{0,2}(,[1-9]\d{0,2})*$/, { message: 'must be calling codes such as 52,57' })
  SMS_COUNTRIES = '52';
}
