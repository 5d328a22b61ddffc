import {
  ArrayContains,
  ArrayMaxSize,
  ArrayMinSize,
  ArrayUnique,
  IsArray,
  IsBoolean,
  IsIn,
  IsOptional,
} from 'class-validator';
import * as t from '@fiado/chassis/openapi/json-schema';
import { IsText } from '@fiado/contracts/decorators';
import { EVENT_PATTERNS } from '../events/event-patterns.rules';
import { DISABLED_REASONS, ENDPOINT_STATES, type WebhookEndpoint } from './endpoints.sql';
import { SIGNATURE_KINDS, type SignatureKind } from './secrets';

/** Longest description, in characters. */
const MAX_DESCRIPTION_LENGTH = 200;

/** What an owner may set besides the URL. */
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

export const webhookEndpointFields = {
  webhookEndpointId: t.uuid,
  url: t.uri,
  events: { ...t.listOf(t.text), description: 'Types, groups such as `transaction.*`, or `*`' },
  description: t.nullable(t.text),
  ordered: {
    ...t.flag,
    description: 'Whether the events of one object are sent one after another',
  },
  signatures: t.listOf(t.oneOf(SIGNATURE_KINDS)),
  publicKey: { ...t.nullable(t.text), description: '`whpk_…`: verifies `v1a` signatures' },
  state: t.oneOf(ENDPOINT_STATES),
  disabledReason: {
    ...t.nullable(t.oneOf(DISABLED_REASONS)),
    description:
      '`failing` for days, `gone` (410), or `asked` by the header `webhook-delivery: disable`',
  },
  createdAt: t.timestamp,
};

export const webhookEndpointAnswer = t.object('WebhookEndpoint', webhookEndpointFields);

export const exampleEndpoint: t.AnswerOf<typeof webhookEndpointAnswer> = {
  webhookEndpointId: '0199e2c4-5f1a-7b2c-9d8e-7f6a5b4c3d2e',
  url: 'https://example.com/fiado',
  events: ['transaction.*', 'payment.applied'],
  description: 'ERP',
  ordered: false,
  signatures: ['v1'],
  publicKey: null,
  state: 'enabled',
  disabledReason: null,
  createdAt: '2026-09-21T16:04:05.678Z',
};

export function presentEndpoint(
  endpoint: WebhookEndpoint,
): t.AnswerOf<typeof webhookEndpointAnswer> {
  return t.presentRow(webhookEndpointAnswer, endpoint, { webhookEndpointId: endpoint.id });
}
