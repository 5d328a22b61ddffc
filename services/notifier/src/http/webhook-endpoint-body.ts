import {
  ArrayContains,
  ArrayMaxSize,
  ArrayMinSize,
  ArrayUnique,
  IsArray,
  IsBoolean,
  IsIn,
  IsOptional,
  IsString,
  MaxLength,
  MinLength,
} from 'class-validator';
import { IsText } from '@fiado/contracts/decorators';
import { EVENT_PATTERNS } from '../domain/event-pattern';
import { MAX_URL_LENGTH } from '../domain/webhook-url';
import { SIGNATURE_KINDS, type SignatureKind } from '../domain/webhook-signature';

/** Longest description, in characters. */
const MAX_DESCRIPTION_LENGTH = 200;

/** What an owner may set besides the URL. */
class WebhookEndpointSettings {
  /** Types, groups such as `transaction.*`, or `*`; all without it. */
  @IsOptional()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(EVENT_PATTERNS.length)
  @ArrayUnique()
  @IsIn(EVENT_PATTERNS, { each: true })
  events?: string[];

  @IsOptional()
  @IsText(MAX_DESCRIPTION_LENGTH)
  description?: string;

  /** Sends the events of one object one after another; a failed one is waited for. */
  @IsOptional()
  @IsBoolean()
  ordered?: boolean;

  /** `v1` (HMAC-SHA256) always, `v1a` (Ed25519) besides where it is named. */
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(SIGNATURE_KINDS.length)
  @ArrayUnique()
  @IsIn(SIGNATURE_KINDS, { each: true })
  @ArrayContains(['v1'])
  signatures?: SignatureKind[];
}

export class CreateWebhookEndpointBody extends WebhookEndpointSettings {
  /** https, with a host name. */
  @IsString()
  @MinLength(1)
  @MaxLength(MAX_URL_LENGTH)
  url: string;
}

/** What is absent stays as it is. */
export class UpdateWebhookEndpointBody extends WebhookEndpointSettings {
  @IsOptional()
  @IsString()
  @MinLength(1)
  @MaxLength(MAX_URL_LENGTH)
  url?: string;

  @IsOptional()
  @IsIn(['enabled', 'paused'])
  state?: 'enabled' | 'paused';
}
