import { endpoint } from '@fiado/chassis/http/endpoint';
import { IsIntegerText } from '@fiado/contracts/decorators';
import { ValidationError } from '@fiado/contracts/errors';
import * as t from '@fiado/chassis/openapi/json-schema';
import { IsOptional, IsString, isUUID } from 'class-validator';
import type { Context } from '../context';
import { BREAK_KINDS } from '../domain/audit-chain';
import { CHECK_START, verifyAuditChain, type CheckCursor } from '../use-cases/verify-audit-chain';

class VerifyAuditChainQuery {
  /** The nextCursor of the page before. */
  @IsOptional()
  @IsString()
  cursor?: string;

  /** The page ends at this position at the latest. */
  @IsOptional()
  @IsIntegerText(1, Number.MAX_SAFE_INTEGER)
  until?: number;
}

export const verifyAuditChainEndpoint = endpoint({
  id: 'verifyAuditChain',
  tag: 'Ops: operation',
  route: 'GET /v1/admin/audit/verify',
  scope: 'viewer',
  summary: 'Check a page of the audit chain',
  description:
    'First the links of the chain in their order, each against the one before it, against its entry and ' +
    'against the anchors; then each entry of the log, whether the chain has it. It ends at the first ' +
    '`break`, or with `nextCursor` null.',
  query: VerifyAuditChainQuery,
  answer: t.object('AuditChainPage', {
    checked: t.count,
    position: t.nullable(t.count),
    hash: t.nullable(t.text),
    break: t.nullable(
      t.object('AuditChainBreak', {
        kind: t.oneOf(BREAK_KINDS),
        position: t.nullable(t.count),
        auditEntryId: t.nullable(t.uuid),
        description: t.text,
      }),
    ),
    nextCursor: t.nullable(t.text),
  }),
  example: {
    checked: 1000,
    position: 1000,
    hash: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    break: null,
    nextCursor: 'MTAwMC45Zjg2ZDA4MTg4NGM3ZDY1OWEyZmVhYTBjNTVhZDAxNWEzYmY0ZjFiMmIwYjgyMmNkMTVkNmMx',
  },
  input: ({ query: { cursor, until } }) => ({
    cursor: cursor === undefined ? CHECK_START : readCursor(cursor),
    until,
  }),
  handle: (context: Context, input) => verifyAuditChain(context, input),
  present: ({ checked, point, broken, next }) => ({
    checked,
    position: point?.position ?? null,
    hash: point?.hash.toString('hex') ?? null,
    break:
      broken === undefined
        ? null
        : {
            kind: broken.kind,
            position: broken.position,
            auditEntryId: broken.entryId,
            description: broken.description,
          },
    nextCursor: next === undefined ? null : writeCursor(next),
  }),
});

/** The hash comes back with the caller, so that no page trusts a row that an earlier one has checked. */
function writeCursor(cursor: CheckCursor): string {
  const text =
    cursor.part === 'links'
      ? `${cursor.point.position}.${cursor.point.hash.toString('hex')}`
      : cursor.after;
  return Buffer.from(text).toString('base64url');
}

function readCursor(cursor: string): CheckCursor {
  const text = Buffer.from(cursor, 'base64url').toString();
  if (isUUID(text)) return { part: 'entries', after: text };
  const [, position, hash] = /^(\d{1,15})\.([\da-f]{64})$/.exec(text) ?? [];
  if (position === undefined || hash === undefined) {
    throw new ValidationError(['cursor must be the nextCursor of a page']);
  }
  return { part: 'links', point: { position: Number(position), hash: Buffer.from(hash, 'hex') } };
}
