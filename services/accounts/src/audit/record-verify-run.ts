import { IsInt, IsOptional, Max, Min } from '@fiado/contracts/class-validator';
import { endpoint } from '@fiado/chassis/http/endpoint';
import * as t from '@fiado/chassis/openapi/json-schema';
import { About } from '@fiado/contracts/about';
import { IsDateText } from '@fiado/contracts/decorators';
import type { Context } from '../context';
import { recordAudit } from './audit-log';

/** Far more checks than there are. */
const MAX_CHECKS = 10_000;

class VerifyRunBody {
  @About('Checks that were made', 64)
  @IsInt()
  @Min(1)
  @Max(MAX_CHECKS)
  checks: number;

  @About('Checks that found a difference', 0)
  @IsInt()
  @Min(0)
  @Max(MAX_CHECKS)
  failed: number;

  @About(
    'Rows that ended before were not checked; absent where all were',
    '2026-10-25T06:00:00.000Z',
  )
  @IsOptional()
  @IsDateText()
  since?: string;
}

export const recordVerifyRunEndpoint = endpoint({
  id: 'recordVerifyRun',
  as: 'auditEntries.recordVerifyRun',
  tag: 'Ops: operation',
  route: 'POST /v1/admin/audit/verify-runs',
  scope: 'viewer',
  summary: 'Record the result of fiado verify',
  description:
    '`fiado verify` records it at its end, as the audit entry `verify.recorded`. The console shows the newest one, with who ran it.',
  body: VerifyRunBody,
  answer: t.noContent,
  input: ({ body: { checks, failed, since }, caller: by }) => ({
    by,
    details: { checks, failed, ...(since !== undefined && { since }) },
  }),
  handle: ({ db }: Context, { by, details }) =>
    recordAudit(db, { by, action: 'verify.recorded', objectId: null, details }),
  present: () => undefined,
});
