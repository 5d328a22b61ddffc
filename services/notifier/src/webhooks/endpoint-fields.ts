import {
  ArrayContains,
  ArrayMaxSize,
  ArrayMinSize,
  ArrayUnique,
  IsArray,
  IsBoolean,
  IsIn,
  IsOptional,
} from '@fiado/contracts/class-validator';
import * as fields from '@fiado/chassis/openapi/fields';
import * as t from '@fiado/chassis/openapi/json-schema';
import { DescribedAs } from '@fiado/contracts/about';
import { IsText } from '@fiado/contracts/decorators';
import { EVENT_PATTERNS } from '../events/event-patterns.rules';
import { DISABLED_REASONS, ENDPOINT_STATES, type WebhookEndpoint } from './endpoints.sql';
import { SIGNATURE_KINDS, type SignatureKind } from './secrets';

/** Longest description, in characters. */
const MAX_DESCRIPTION_LENGTH = 200;

export const webhookEndpointFields = {
  webhookEndpointId: fields.webhookEndpointId,
  url: t.field(
    t.uri,
    'Address that events are sent to: https, and public',
    'https://example.com/fiado',
  ),
  events: t.list(t.text, 'Types that are sent: types, groups such as `transaction.*`, or `*`'),
  description: t.textOrNull('A note of the owner', 'ERP'),
  ordered: t.field(t.flag, 'Sends the events of one object one after another'),
  signatures: t.list(
    t.oneOf(SIGNATURE_KINDS),
    'Kinds of signature in the header: `v1` is HMAC-SHA256, `v1a` is Ed25519',
  ),
  publicKey: t.textOrNull(
    'Public key of the endpoint. `whpk_…`: verifies `v1a` signatures',
    'whpk_5P0rO0cYyZ6dpoxYvKpTt0PMgGx6vZlr6o6l2wB3E1A=',
  ),
  state: t.field(t.oneOf(ENDPOINT_STATES), 'Whether events are sent to the endpoint'),
  disabledReason: t.field(
    t.nullable(t.oneOf(DISABLED_REASONS)),
    'Why the endpoint was disabled. `failing` for days, `gone` (410), or `asked` by the header ' +
      '`webhook-delivery: disable`',
  ),
  createdAt: fields.createdAt,
};

/** The settings of an endpoint besides its URL. */
@DescribedAs(webhookEndpointFields)
export class WebhookEndpointSettings {
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

export const webhookEndpointAnswer = t.object('WebhookEndpoint', webhookEndpointFields);

export const exampleEndpoint: t.ExampleOf<typeof webhookEndpointAnswer> = {
  events: ['transaction.*', 'payment.applied'],
  ordered: false,
  publicKey: null,
};

export function presentEndpoint(
  endpoint: WebhookEndpoint,
): t.AnswerOf<typeof webhookEndpointAnswer> {
  return t.presentRow(webhookEndpointAnswer, endpoint, { webhookEndpointId: endpoint.id });
}
