import { query } from '@fiado/chassis/db/query';
import { endpoint } from '@fiado/chassis/http/endpoint';
import * as t from '@fiado/chassis/openapi/json-schema';
import type { Context } from '../context';
import { IS_ELSEWHERE } from './sessions.sql';
import type { AuditEntryRow } from '../audit/audit-entry.entity';

/** How long a notice is shown: it must not be missed because somebody else signed in meanwhile. */
const SHOWN_DAYS = 7;

/** More are not read by anybody. */
const MAX_NOTICES = 20;

const NOTICE_KINDS = ['new-passkey', 'role-changed', 'new-address'] as const;

interface OwnNotice {
  kind: (typeof NOTICE_KINDS)[number];
  detail: string | null;
  at: AuditEntryRow['occurredAt'];
}

const noticeAnswer = t.object('StaffNotice', {
  kind: t.field(
    t.oneOf(NOTICE_KINDS),
    'A passkey was made, another role given, or a session opened from an address that the person ' +
      'had not signed in from in 30 days',
  ),
  detail: t.textOrNull('The new role, or the address', '203.0.113.7'),
  at: t.time('When it happened', '2026-11-22T16:05:00.000Z'),
});

export const listOwnNoticesEndpoint = endpoint({
  id: 'listOwnNotices',
  as: 'sessions.notices',
  tag: 'Ops: staff',
  route: 'GET /v1/admin/my/notices',
  scope: 'viewer',
  summary: 'List what happened to one’s own access',
  description: `Of the last ${SHOWN_DAYS} days, newest first, at most ${MAX_NOTICES}. A key has none.`,
  answer: t.object('StaffNotices', {
    notices: t.list(noticeAnswer, 'What the person should recognise'),
  }),
  example: { notices: [{ kind: 'new-address' }] },
  input: ({ caller }) => caller,
  handle: async ({ db }: Context, by) => {
    if (by.staff === undefined) return [];
    return query<OwnNotice>(
      db,
      `SELECT CASE action WHEN 'staff.role-changed' THEN 'role-changed' ELSE 'new-passkey' END AS kind,
              details ->> 'after' AS detail, occurred_at AS at
         FROM audit_log
        WHERE object_id = $1 AND action IN ('staff.passkey-enrolled', 'staff.role-changed')
          AND occurred_at > now() - make_interval(days => $2)
       UNION ALL
       SELECT 'new-address', e.address, e.created_at
         FROM staff_sessions e
        WHERE e.staff_id = $1 AND e.created_at > now() - make_interval(days => $2) AND ${IS_ELSEWHERE}
        ORDER BY at DESC LIMIT $3`,
      [by.id, SHOWN_DAYS, MAX_NOTICES],
    );
  },
  present: (notices) => ({
    notices: notices.map((notice) => t.presentRow(noticeAnswer, notice, {})),
  }),
});
