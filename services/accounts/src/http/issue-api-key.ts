import type { RequestHandler } from 'express';
import { validInstance } from '@fiado/shared/chassis/http/validation';
import { callerOf } from '@fiado/shared/chassis/http/caller';
import { idParam } from '@fiado/shared/chassis/http/params';
import { ValidationError } from '@fiado/shared/contracts/errors';
import { SCOPES_OF_KIND, type Scope } from '@fiado/shared/contracts/scopes';
import { momentWithOffset } from '@fiado/shared/request-dates';
import {
  ArrayNotEmpty,
  ArrayUnique,
  IsArray,
  IsOptional,
  IsRFC3339,
  IsString,
} from 'class-validator';
import type { Context } from '../context';
import { issueApiKey } from '../use-cases/issue-api-key';

export class IssueApiKeyBody {
  /** What the key allows; left out, all that keys of its kind may. */
  @IsOptional()
  @IsArray()
  @ArrayNotEmpty()
  @ArrayUnique()
  @IsString({ each: true })
  scopes?: string[];

  /** A moment with its offset, such as 2027-01-31T00:00:00Z. */
  @IsOptional()
  @IsRFC3339()
  expiresAt?: string;
}

/** Kinds of party that have keys, and how a path names one. */
const OWNERS = {
  wholesaler: { param: 'wholesalerId', notFound: 'WHOLESALER_NOT_FOUND' },
  provider: { param: 'paymentProviderId', notFound: 'PROVIDER_NOT_FOUND' },
} as const;

/** POST /v1/admin/{wholesalers|payment-providers}/:id/api-keys; its body may be left out. */
export function handleIssueApiKey(context: Context, kind: keyof typeof OWNERS): RequestHandler {
  return async (req, res) => {
    const body = validInstance(IssueApiKeyBody, req.body ?? {}, 'refuse');
    const terms = {
      scopes: scopesOf(body, kind),
      expiresAt: expiryOf(body, context.clock.now()),
    };
    const { param, notFound } = OWNERS[kind];
    const key = await issueApiKey(context, {
      by: callerOf(req),
      owner: { kind, id: idParam(req, param, notFound) },
      terms,
    });
    res.status(201).json({ apiKeyId: key.apiKeyId, apiKey: key.apiKey });
  };
}

/** @throws ValidationError for a scope that keys of this kind cannot have */
function scopesOf({ scopes }: IssueApiKeyBody, kind: keyof typeof OWNERS): Scope[] | null {
  const allowed: readonly Scope[] = SCOPES_OF_KIND[kind];
  const known = scopes?.filter((scope): scope is Scope => allowed.some((one) => one === scope));
  if (known?.length !== scopes?.length) {
    throw new ValidationError([`each value in scopes must be one of ${allowed.join(', ')}`]);
  }
  return known ?? null;
}

/** @throws ValidationError for a day that no calendar has, and for a moment that is past */
function expiryOf({ expiresAt }: IssueApiKeyBody, now: Date): Date | null {
  if (expiresAt === undefined) return null;
  const moment = momentWithOffset(expiresAt.replace(' ', 'T').toUpperCase());
  if (moment === undefined || moment <= now) {
    throw new ValidationError(['expiresAt must be a moment in the future']);
  }
  return moment;
}
