import { IsIn, IsOptional, IsUUID } from '@fiado/contracts/class-validator';
import type { Transaction } from '@fiado/chassis/db/database';
import { timeOf } from '@fiado/chassis/db/query';
import { endpoint } from '@fiado/chassis/http/endpoint';
import * as fields from '@fiado/chassis/openapi/fields';
import * as t from '@fiado/chassis/openapi/json-schema';
import { About, DescribedAs } from '@fiado/contracts/about';
import { IsText } from '@fiado/contracts/decorators';
import { AppError, ValidationError } from '@fiado/contracts/errors';
import { newId } from '@fiado/contracts/new-id';
import {
  IDENTITY_PROOFS,
  type IdentityProof,
  PRIVACY_CHANNELS,
  PRIVACY_REQUEST_KINDS,
  type PrivacyChannel,
  type PrivacyRequestKind,
} from '@fiado/contracts/privacy';
import { momentWithOffset } from '@fiado/contracts/request-dates';
import { type AuditedBy, recordAudit } from '../audit/audit-log';
import type { Context } from '../context';
import { EXAMPLE_IDS } from '@fiado/contracts/event-examples';
import {
  examplePrivacyRequest,
  presentPrivacyRequest,
  privacyRequestAnswer,
  privacyRequestFields,
} from './privacy-request';
import { dueAt } from './privacy-request.rules';
import {
  findOpenRequest,
  findPrivacyRequest,
  lockPerson,
  type ShownPrivacyRequest,
} from './privacy-requests.sql';
import { PrivacyRequestRow } from './privacy-request.entity';

/** Longer than any timestamp. */
const MAX_MOMENT_TEXT = 40;

@DescribedAs(privacyRequestFields)
class OpenPrivacyRequestBody {
  @IsUUID()
  userId: string;

  @IsIn(PRIVACY_REQUEST_KINDS)
  kind: PrivacyRequestKind;

  @IsIn(PRIVACY_CHANNELS)
  channel: PrivacyChannel;

  @IsIn(IDENTITY_PROOFS)
  identityProof: IdentityProof;

  @About('When it reached the lender, with an offset; now without it', '2026-11-24T10:05:00-06:00')
  @IsOptional()
  @IsText(MAX_MOMENT_TEXT)
  receivedAt?: string;
}

export const alreadyOpenRequest = t.object('OpenPrivacyRequest', {
  privacyRequestId: fields.privacyRequestId,
});

export const openPrivacyRequestEndpoint = endpoint({
  id: 'openPrivacyRequest',
  as: 'privacyRequests.open',
  once: true,
  tag: 'Ops: privacy',
  route: 'POST /v1/admin/privacy-requests',
  scope: 'operator',
  summary: 'Record what a person asked about their own data',
  description:
    'Starts the clock of the answer: `PRIVACY_ANSWER_DAYS` (20) business days, without the holidays of ' +
    'article 74 of the Ley Federal del Trabajo, to the end of the last day in `TIME_ZONE`. The day of ' +
    '`receivedAt` is day 0. A person has one open request of each kind.',
  body: OpenPrivacyRequestBody,
  bodyExample: {
    userId: EXAMPLE_IDS.userId,
    kind: 'rectification',
    channel: 'email',
    identityProof: 'official-id',
    receivedAt: '2026-11-24T10:05:00-06:00',
  },
  errors: ['USER_NOT_FOUND', 'PRIVACY_REQUEST_ALREADY_OPEN'],
  errorFields: { PRIVACY_REQUEST_ALREADY_OPEN: alreadyOpenRequest },
  status: 201,
  answer: privacyRequestAnswer,
  example: examplePrivacyRequest,
  input: ({ body: { receivedAt, ...body }, caller: by }, { clock }: Context) => ({
    ...body,
    by,
    receivedAt: receivedAt === undefined ? undefined : pastMoment(receivedAt, clock.now()),
  }),
  handle: async (context: Context, command): Promise<ShownPrivacyRequest> =>
    context.db.transaction(async (tx) => {
      const person = await lockPerson(tx, command.userId);
      if (person === null || person.erasedAt !== null) {
        throw new AppError('USER_NOT_FOUND');
      }
      const open = await findOpenRequest(tx, command);
      if (open !== null) {
        throw new AppError('PRIVACY_REQUEST_ALREADY_OPEN', {
          fields: { privacyRequestId: open.id },
        });
      }
      const id = await insertPrivacyRequest(context, tx, {
        ...command,
        receivedAt: command.receivedAt ?? (await timeOf(tx)),
      });
      const opened = await findPrivacyRequest(tx, id);
      if (opened === undefined) throw new Error('The request of a locked person is gone');
      return opened;
    }),
  present: presentPrivacyRequest,
});

/** @throws ValidationError for a text without an offset, and for a moment that is not past */
function pastMoment(text: string, now: Date): Date {
  const moment = momentWithOffset(text);
  if (moment === undefined || moment > now) {
    throw new ValidationError(['receivedAt must be a past moment with an offset']);
  }
  return moment;
}

interface NewRequest extends AuditedBy {
  userId: string;
  kind: PrivacyRequestKind;
  channel: PrivacyChannel;
  identityProof: IdentityProof;
  receivedAt: Date;
}

/** Stores a request of a locked person, who has none of that kind open, and audits it. @returns its id */
export async function insertPrivacyRequest(
  { config }: Context,
  tx: Transaction,
  { by, ...request }: NewRequest,
): Promise<string> {
  const id = newId();
  const terms = { days: config.PRIVACY_ANSWER_DAYS, timeZone: config.TIME_ZONE };
  const answerDueAt = dueAt(request.receivedAt, false, terms);
  await tx.manager.insert(PrivacyRequestRow, { id, ...request, answerDueAt, openedBy: by.id });
  const { kind, channel, identityProof } = request;
  await recordAudit(tx, {
    by,
    action: 'privacy-request.opened',
    objectId: request.userId,
    details: { privacyRequestId: id, kind, channel, identityProof },
  });
  return id;
}
