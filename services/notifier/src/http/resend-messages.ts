import { Equals, IsBoolean, IsOptional, IsUUID } from 'class-validator';
import { IsDateText } from '@fiado/contracts/decorators';
import { ValidationError } from '@fiado/contracts/errors';
import { startOfDateOrMoment } from '@fiado/contracts/request-dates';
import type { Context } from '../context';
import { endpoint } from '@fiado/chassis/http/endpoint';
import * as t from '@fiado/chassis/openapi/json-schema';
import { resendUnknown } from '../use-cases/resend-unknown';

class ResendMessagesBody {
  /** Only these can be sent again. */
  @Equals('unknown')
  status: 'unknown';

  @IsDateText()
  since: string;

  @IsOptional()
  @IsBoolean()
  dryRun?: boolean;

  @IsOptional()
  @IsUUID()
  cursor?: string;
}

export const resendMessagesEndpoint = endpoint({
  id: 'resendMessages',
  tag: 'Ops: operation',
  route: 'POST /v1/admin/messages/resend',
  scope: 'operator',
  summary: 'Send unknown messages again',
  description:
    'After an outage of the SMS provider: makes a new message of each one of which nobody knows whether it was ' +
    'sent, if its purpose is still alive (a code that is still waited for, a word of an order on hold, a debt that ' +
    'is not paid), it is not expired, and no newer one was asked for. Some stores may get the SMS twice. ' +
    'With `dryRun` it only counts. Repeat the call with `cursor` while there is a `nextCursor`.',
  body: ResendMessagesBody,
  bodyExample: { status: 'unknown', since: '2026-09-21T16:00:00Z', dryRun: true },
  answer: t.object('ResentMessages', {
    unknown: t.count,
    resent: t.count,
    nextCursor: t.nullable(t.uuid),
  }),
  example: { unknown: 248, resent: 231, nextCursor: null },
  input: ({ body: { since, dryRun, cursor }, caller: by }, { config }: Context) => ({
    by,
    since: momentOf(since, config.TIME_ZONE),
    dryRun: dryRun ?? false,
    cursor,
  }),
  handle: resendUnknown,
  present: (resent) => resent,
});

/** @throws ValidationError for a text that is no date */
function momentOf(since: string, timeZone: string): Date {
  const moment = startOfDateOrMoment(since, timeZone);
  if (moment !== undefined) return moment;
  throw new ValidationError(['since must be a real ISO 8601 date or timestamp']);
}
