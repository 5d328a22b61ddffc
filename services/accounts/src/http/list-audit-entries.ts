import { requireCursor } from '@fiado/chassis/db/require-cursor';
import { endpoint } from '@fiado/chassis/http/endpoint';
import { IsNonEmptyText, IsText } from '@fiado/contracts/decorators';
import { PageQuery, pageOf } from '@fiado/contracts/page';
import * as t from '@fiado/chassis/openapi/json-schema';
import { readDate } from '@fiado/contracts/request-dates';
import { IsOptional, IsUUID } from 'class-validator';
import type { Context } from '../context';
import { findAuditEntries } from '../db/audit-entries.repository';
import { EXAMPLE_IDS } from './examples';

/** Longer than the name of any action and the id of any actor, in characters. */
const MAX_NAME = 100;
/** Longer than an ISO 8601 timestamp, in characters. */
const MAX_MOMENT = 40;

class ListAuditEntriesQuery extends PageQuery {
  /** Id of the key, person, wholesaler or service that did it. */
  @IsOptional()
  @IsNonEmptyText(MAX_NAME)
  actor?: string;

  @IsOptional()
  @IsNonEmptyText(MAX_NAME)
  action?: string;

  @IsOptional()
  @IsUUID()
  objectId?: string;

  /** First day or moment. */
  @IsOptional()
  @IsText(MAX_MOMENT)
  from?: string;

  /** Day or moment before which they are. */
  @IsOptional()
  @IsText(MAX_MOMENT)
  to?: string;
}

export const listAuditEntriesEndpoint = endpoint({
  id: 'listAuditEntries',
  tag: 'Ops: operation',
  route: 'GET /v1/admin/audit',
  scope: 'viewer',
  summary: 'List the audit log, newest first',
  description:
    'Who did what to which object, and who looked at personal data. `from` is included, `to` is not; ' +
    'a date means the start of that day in the time zone of the lender.',
  query: ListAuditEntriesQuery,
  answer: t.page('AuditPage', {
    entries: t.listOf(
      t.object('AuditEntry', {
        auditEntryId: t.uuid,
        occurredAt: t.timestamp,
        actorKind: t.text,
        actorId: t.text,
        actorName: t.nullable(t.text),
        action: t.text,
        objectId: t.nullable(t.uuid),
        details: t.freeForm,
      }),
    ),
  }),
  example: {
    entries: [
      {
        auditEntryId: 'c7d4f0a2-3c1e-4f8b-9a6d-5e2c7f801b34',
        occurredAt: '2026-09-21T16:04:05.678Z',
        actorKind: 'ops',
        actorId: 'b7d4f0a2-3c1e-4f8b-9a6d-5e2c7f801b34',
        actorName: 'Ana Torres',
        action: 'corner-store.approved',
        objectId: EXAMPLE_IDS.cornerStoreId,
        details: {},
      },
    ],
    nextCursor: null,
  },
  input: ({ query }, { config: { TIME_ZONE } }: Context) => ({
    cursor: query.cursor,
    limit: query.limit,
    filter: {
      actorId: query.actor,
      action: query.action,
      objectId: query.objectId,
      from: readDate('from', query.from, TIME_ZONE),
      to: readDate('to', query.to, TIME_ZONE),
    },
  }),
  handle: async ({ db }: Context, { cursor, limit, filter }) => {
    await requireCursor(db, cursor, 'audit_log');
    return pageOf(
      await findAuditEntries(db, { ...filter, cursor, limit: limit + 1 }),
      limit,
      ({ id }) => id,
    );
  },
  present: ({ page, nextCursor }) => ({
    entries: page.map(({ id, occurredAt, ...entry }) => ({
      auditEntryId: id,
      occurredAt: occurredAt.toISOString(),
      actorKind: entry.actorKind,
      actorId: entry.actorId,
      actorName: entry.actorName,
      action: entry.action,
      objectId: entry.objectId,
      details: entry.details,
    })),
    nextCursor,
  }),
});
