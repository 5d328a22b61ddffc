import { IsIn, IsRFC3339 } from '@fiado/contracts/class-validator';
import type { Transaction } from '@fiado/chassis/db/database';
import { queryOne } from '@fiado/chassis/db/query';
import { needsSecondPerson } from '@fiado/chassis/four-eyes';
import { endpoint } from '@fiado/chassis/http/endpoint';
import * as fields from '@fiado/chassis/openapi/fields';
import * as t from '@fiado/chassis/openapi/json-schema';
import { DescribedAs } from '@fiado/contracts/about';
import { type Caller, type OpsScope, SCOPES_OF_KIND } from '@fiado/contracts/caller';
import { IsNonEmptyText } from '@fiado/contracts/decorators';
import { ValidationError } from '@fiado/contracts/errors';
import { newId } from '@fiado/contracts/new-id';
import { AskedReasonBody } from '@fiado/contracts/reason-body';
import { requestChange } from '../approvals/request-change';
import { recordAudit } from '../audit/audit-log';
import type { AccountsConfig } from '../config';
import type { Context } from '../context';
import { futureMoment } from '../request-fields';
import { exampleOpsKey, OPS_KEY, type OpsKey, opsKeyFields, presentOpsKey } from './list-ops-keys';
import { newApiKey } from './secrets';

const MAX_NAME = 100;
/** Longest life of an ops key, in days: a forgotten key expires within a year. */
const MAX_LIFE_DAYS = 366;
const DAY_MS = 24 * 60 * 60 * 1000;

@DescribedAs(opsKeyFields)
class IssueOpsKeyBody extends AskedReasonBody {
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
  as: 'opsKeys.issue',
  once: true,
  shownOnce: ['apiKey'],
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
    name: 'Ana, back office',
    scope: 'operator',
    expiresAt: '2027-06-30T00:00:00Z',
  },
  status: 201,
  mayWait: true,
  answer: t.object('IssuedOpsKey', { ...opsKeyFields, apiKey: fields.apiKey }),
  example: exampleOpsKey,
  input: ({ body, caller: by }, { clock }: Context) => ({
    by,
    name: body.name,
    scope: body.scope,
    expiresAt: expiryOf(body.expiresAt, clock.now()),
    reason: body.reason ?? null,
  }),
  // A new credential of ops; `apiKey` is shown once, only its hash is kept. A person's request
  // waits for a second one.
  handle: async ({ db, config }: Context, { by, reason, ...terms }) =>
    db.transaction(async (tx) => {
      if (!needsSecondPerson(config.FOUR_EYES, by)) return addOpsKey(tx, config, { by, terms });
      const { scope, expiresAt } = terms;
      return requestChange(tx, {
        by,
        kind: 'ops-key.issue',
        payload: terms,
        audited: { scope, expiresAt },
        reason,
      });
    }),
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

export interface OpsKeyTerms {
  /** The person or the machine that will use it. */
  name: string;
  scope: OpsScope;
  expiresAt: Date;
}

/** Inserts a new ops key and audits it. */
export async function addOpsKey(
  tx: Transaction,
  { FIADO_MODE }: Pick<AccountsConfig, 'FIADO_MODE'>,
  { by, terms, auditDetails = {} }: { by: Caller; terms: OpsKeyTerms; auditDetails?: object },
): Promise<{ opsKey: OpsKey; apiKey: string }> {
  const { apiKey, keyHash } = newApiKey(FIADO_MODE);
  const id = newId();
  const { name, scope, expiresAt } = terms;
  const opsKey = await queryOne<OpsKey>(
    tx,
    `INSERT INTO ops_keys (id, name, scope, key_hash, expires_at, issued_by)
     VALUES ($1, $2, $3, $4, $5, $6) RETURNING ${OPS_KEY}`,
    [id, name, scope, keyHash, expiresAt, by.id],
  );
  await recordAudit(tx, {
    by,
    action: 'ops-key.issued',
    objectId: id,
    details: { scope, expiresAt, ...auditDetails },
  });
  return { opsKey, apiKey };
}
