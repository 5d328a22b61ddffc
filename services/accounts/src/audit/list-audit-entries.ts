import { IsIn, IsOptional, IsUUID } from '@fiado/contracts/class-validator';
import { pageOfRows } from '@fiado/chassis/db/page-of-rows';
import { query } from '@fiado/chassis/db/query';
import { internalEndpoint } from '@fiado/chassis/http/endpoint';
import { listEndpoint } from '@fiado/chassis/http/list-endpoint';
import * as t from '@fiado/chassis/openapi/json-schema';
import { About } from '@fiado/contracts/about';
import { actorNamesCall } from '@fiado/contracts/actor-names';
import { IsNonEmptyText, IsText } from '@fiado/contracts/decorators';
import { PageQuery } from '@fiado/contracts/page';
import { readDate } from '@fiado/contracts/request-dates';
import type { Context } from '../context';
import type { ChangeRequestRow } from '../approvals/change-request.entity';
import { READS_PERSONAL_DATA } from '../corner-stores/corner-store-details';
import { IS_CHANGE } from '../db/schema';
import type { AuditEntryRow } from './audit-entry.entity';
import type { StaffRow } from '../staff/staff.entity';

/** Longer than the name of any action and the id of any actor, in characters. */
const MAX_NAME = 100;
/** Longer than an ISO 8601 timestamp, in characters. */
const MAX_MOMENT = 40;

class ListAuditEntriesQuery extends PageQuery {
  /** Id of the key, person, wholesaler or service that did it. */
  @About(
    'Only entries of this actor: the id of a key or a party',
    'b7d4f0a2-3c1e-4f8b-9a6d-5e2c7f801b34',
  )
  @IsOptional()
  @IsNonEmptyText(MAX_NAME)
  actor?: string;

  @About('Only entries of this action', 'corner-store.approved')
  @IsOptional()
  @IsNonEmptyText(MAX_NAME)
  action?: string;

  @About('Only entries about this object', '0b0c6f3e-5a0f-4a71-9f0a-3d4f6f7a1c11')
  @IsOptional()
  @IsUUID()
  objectId?: string;

  @About('`true`: only what changed something, and no looks, sign-ins or downloads')
  @IsOptional()
  @IsIn(['true', 'false'])
  changesOnly?: 'true' | 'false';

  /** First day or moment. */
  @IsOptional()
  @IsText(MAX_MOMENT)
  from?: string;

  /** Day or moment before which they are. */
  @IsOptional()
  @IsText(MAX_MOMENT)
  to?: string;
}

const auditEntryAnswer = t.object('AuditEntry', {
  auditEntryId: t.id('Id of the entry', 'c7d4f0a2-3c1e-4f8b-9a6d-5e2c7f801b34'),
  occurredAt: t.time('Time at which it happened', '2026-11-22T16:05:00.000Z'),
  actorKind: t.field(
    t.text,
    'Kind of the actor: ops, wholesaler, provider, service or address',
    'ops',
  ),
  actorId: t.field(
    t.text,
    'Id of the key or party that did it; `ops` is `OPS_API_KEY`',
    'b7d4f0a2-3c1e-4f8b-9a6d-5e2c7f801b34',
  ),
  actorName: t.textOrNull('Name of the person or of the ops key; null for others', 'Ana Torres'),
  action: t.field(t.text, 'What was done', 'corner-store.approved'),
  objectId: t.idOrNull(
    'Id of what it was done to; null if it concerns several objects or none',
    '5d1e0a52-6b3f-4f0e-9a4d-2f1c7b8e3d33',
  ),
  objectName: t.textOrNull(
    'Name of the person, ops key, wholesaler or payment provider that it was done to; of a change, that it is about; ' +
      'null for others',
    'Carla Ruiz',
  ),
  details: t.field(t.freeForm, 'Ids, numbers and states; never personal data'),
  requestedByName: t.textOrNull(
    'Name of the person or of the ops key that asked for the change; null where one was enough',
    'Ana Torres',
  ),
  approvedByName: t.textOrNull(
    'Name of the second person who approved the change; null where one was enough',
    'Luis Vega',
  ),
  reason: t.textOrNull(
    'Why the change was asked for, where two people made it; null for a viewer',
    'Pays on time for a year',
  ),
});

export const listAuditEntriesEndpoint = listEndpoint({
  id: 'listAuditEntries',
  as: 'auditEntries.list',
  columns: ['occurredAt', 'actorKind', 'actorId', 'actorName', 'action', 'objectId', 'details'],
  tag: 'Ops: operation',
  route: 'GET /v1/admin/audit',
  scope: 'viewer',
  summary: 'List the audit log, newest first',
  description:
    'Who did what to which object, and who looked at personal data. `from` is included, `to` is not; ' +
    'a date means the start of that day in the time zone of the lender.',
  query: ListAuditEntriesQuery,
  page: 'AuditPage',
  items: { entries: t.field(auditEntryAnswer, 'Entries, newest first') },
  example: {
    occurredAt: '2026-09-21T16:04:05.678Z',
    objectName: null,
    requestedByName: null,
    approvedByName: null,
    reason: null,
  },
  input: ({ query: { from, to, ...query }, caller }, { config: { TIME_ZONE } }: Context) => ({
    ...query,
    readsReasons: caller.scopes.includes(READS_PERSONAL_DATA),
    from: readDate('from', from, TIME_ZONE),
    to: readDate('to', to, TIME_ZONE),
  }),
  // Staff and ops keys are few, so the names of actors need no index.
  find: async (
    { db }: Context,
    { actor, action, objectId, changesOnly, from, to, readsReasons, ...asked },
  ) => {
    const page = await pageOfRows<AuditEntry>(db, asked, {
      select:
        'SELECT id, occurred_at, actor_kind, actor_id, action, object_id, details FROM audit_log',
      from: 'audit_log',
      where: {
        'actor_id = $': actor,
        'action = $': action,
        'object_id = $': objectId,
        [IS_CHANGE]: changesOnly === 'true' ? true : undefined,
        'occurred_at >= $': from,
        'occurred_at < $': to,
      },
      by: 'occurred_at',
      around: (page) => `
        SELECT entry.*, coalesce(person.name, key.name) AS actor_name,
               coalesce(object_person.name, object_key.name, wholesaler.name, provider.name) AS object_name,
               coalesce(asker.name, asking_key.name) AS requested_by_name,
               approver.name AS approved_by_name, request.reason
          FROM (SELECT page.*, CASE WHEN action LIKE 'change.%' THEN (details ->> 'targetId')::uuid
                                    ELSE object_id END AS named_id
                  FROM (${page}) page) entry
          LEFT JOIN staff person ON person.id::text = actor_id
          LEFT JOIN ops_keys key ON key.id::text = actor_id
          LEFT JOIN staff approver ON approver.id::text = details ->> 'approvedBy'
          LEFT JOIN change_requests request ON request.id = (details ->> 'changeRequestId')::uuid
          LEFT JOIN staff asker ON asker.id::text = request.requested_by
          LEFT JOIN ops_keys asking_key ON asking_key.id::text = request.requested_by
          LEFT JOIN staff object_person ON object_person.id = named_id
          LEFT JOIN ops_keys object_key ON object_key.id = named_id
          LEFT JOIN wholesalers wholesaler ON wholesaler.id = named_id
          LEFT JOIN payment_providers provider ON provider.id = named_id
         ORDER BY occurred_at DESC, entry.id DESC`,
    });
    return { ...page, readsReasons };
  },
  present: (entry, _context, { readsReasons }) =>
    t.presentRow(auditEntryAnswer, entry, {
      auditEntryId: entry.id,
      reason: readsReasons ? entry.reason : null,
    }),
});

/** An entry of the audit log. */
interface AuditEntry extends Pick<
  AuditEntryRow,
  'occurredAt' | 'actorKind' | 'actorId' | 'action' | 'objectId'
> {
  id: string;
  /** Of a person or an ops key; null for others. */
  actorName: string | null;
  /** Of a person, an ops key, a wholesaler or a payment provider; null for others. */
  objectName: string | null;
  /** Ids, numbers and states; never personal data. */
  details: AuditEntryRow['details'];
  /** Of a person or an ops key, where two made the change. */
  requestedByName: string | null;
  /** Of the second person, where two made the change. */
  approvedByName: StaffRow['name'] | null;
  reason: ChangeRequestRow['reason'];
}

export const nameActorsEndpoint = internalEndpoint({
  call: actorNamesCall,
  allow: ['service:payments'],
  // As listAuditEntries names them.
  handle: async ({ db }: Context, { actorIds }) => {
    const known = await query<Pick<StaffRow, 'id' | 'name'>>(
      db,
      `SELECT id::text, name FROM staff WHERE id::text = ANY ($1)
       UNION ALL SELECT id::text, name FROM ops_keys WHERE id::text = ANY ($1)`,
      [actorIds],
    );
    return { names: Object.fromEntries(known.map(({ id, name }) => [id, name])) };
  },
});
