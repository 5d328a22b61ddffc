import { endpoint } from '@fiado/chassis/http/endpoint';
import { ValidationError } from '@fiado/contracts/errors';
import { SCOPES_OF_KIND, type OpsScope } from '@fiado/contracts/scopes';
import * as t from '@fiado/chassis/openapi/json-schema';
import { IsIn, IsRFC3339 } from 'class-validator';
import { IsNonEmptyText } from '@fiado/contracts/decorators';
import type { Context } from '../context';
import { issueOpsKey } from '../use-cases/issue-ops-key';
import { exampleKey } from './examples';
import { exampleOpsKey, opsKeyFields, presentOpsKey } from './ops-key-answer';
import { futureMoment } from './request-fields';

const MAX_NAME = 100;
/** Longest life of an ops key, in days: a forgotten key expires within a year. */
const MAX_LIFE_DAYS = 366;
const DAY_MS = 24 * 60 * 60 * 1000;

class IssueOpsKeyBody {
  /** The person or the machine that will use it. */
  @IsNonEmptyText(MAX_NAME)
  name: string;

  /** Includes the scopes before it: viewer, operator, approver, admin. */
  @IsIn(SCOPES_OF_KIND.ops)
  scope: OpsScope;

  /** A moment with its offset, such as 2027-01-31T00:00:00Z, at most 366 days ahead. */
  @IsRFC3339()
  expiresAt: string;
}

export const issueOpsKeyEndpoint = endpoint({
  id: 'issueOpsKey',
  tag: 'Credentials',
  route: 'POST /v1/admin/ops-keys',
  scope: 'admin',
  summary: 'Issue a named ops key',
  description:
    'Shown once; a person’s request waits for a second person. A scope includes the previous ones: `viewer` reads without personal data, `operator` ' +
    'does daily work and reads personal data, `approver` grants credit and reverses money, ' +
    '`admin` manages wholesalers, payment providers and keys.',
  body: IssueOpsKeyBody,
  bodyExample: {
    name: exampleOpsKey.name,
    scope: exampleOpsKey.scope,
    expiresAt: '2027-06-30T00:00:00Z',
  },
  status: 201,
  mayWait: true,
  answer: t.object('IssuedOpsKey', { ...opsKeyFields, apiKey: t.text }),
  example: { ...exampleOpsKey, apiKey: exampleKey.apiKey },
  input: ({ body, caller: by }, { clock }: Context) => ({
    by,
    name: body.name,
    scope: body.scope,
    expiresAt: expiryOf(body.expiresAt, clock.now()),
  }),
  handle: issueOpsKey,
  present: ({ opsKey, apiKey }) => ({ ...presentOpsKey(opsKey), apiKey }),
});

/** @throws ValidationError for a moment that is past or too far ahead */
function expiryOf(expiresAt: string, now: Date): Date {
  const moment = futureMoment(expiresAt, now);
  if (moment.getTime() - now.getTime() > MAX_LIFE_DAYS * DAY_MS) {
    throw new ValidationError([`expiresAt must be at most ${MAX_LIFE_DAYS} days ahead`]);
  }
  return moment;
}
