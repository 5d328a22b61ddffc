import type { Db } from '@fiado/chassis/db/database';
import { pageOfRows } from '@fiado/chassis/db/page-of-rows';
import { query } from '@fiado/chassis/db/query';
import { endpoint } from '@fiado/chassis/http/endpoint';
import { listEndpoint } from '@fiado/chassis/http/list-endpoint';
import * as fields from '@fiado/chassis/openapi/fields';
import * as t from '@fiado/chassis/openapi/json-schema';
import { AppError } from '@fiado/contracts/errors';
import { PageQuery } from '@fiado/contracts/page';
import { recordAudit } from '../audit/audit-log';
import type { Context } from '../context';
import { LIVE } from './sessions.sql';
import type { StaffSessionRow } from './staff-session.entity';

const sessionAnswer = t.object('StaffSession', {
  sessionId: fields.sessionId,
  authTime: t.time('Time at which the person last proved who it is', '2026-11-22T16:05:00.000Z'),
  idleUntil: t.time('Time at which it ends if it is not used', '2026-11-22T16:35:00.000Z'),
  endsAt: t.time('Time at which it ends in any case', '2026-11-23T04:05:00.000Z'),
  address: t.textOrNull('Address of the browser', '203.0.113.7'),
  agent: t.textOrNull('Name of the browser', 'Mozilla/5.0 (X11; Linux x86_64) Chrome/156.0.0.0'),
  createdAt: fields.createdAt,
});

export const listOwnSessionsEndpoint = listEndpoint({
  id: 'listOwnSessions',
  as: 'sessions.list',
  tag: 'Ops: staff',
  route: 'GET /v1/admin/my/sessions',
  scope: 'viewer',
  summary: 'List one’s own live sessions',
  description: 'Newest first. A key has none.',
  query: PageQuery,
  page: 'StaffSessionPage',
  items: { sessions: t.field(sessionAnswer, 'Sessions') },
  cursor: t.text,
  example: { createdAt: '2026-11-22T16:05:00.000Z' },
  input: ({ query: { ...asked }, caller: by }) => ({ ...asked, by }),
  find: async ({ db }: Context, { by, ...asked }) => {
    // Keys have no sessions. The id of OPS_API_KEY is not even a UUID.
    if (by.staff === undefined) return { page: [], nextCursor: null };
    return pageOfRows<OwnSession>(db, asked, {
      select:
        'SELECT id, auth_time, idle_until, ends_at, address, agent, created_at FROM staff_sessions e',
      from: 'staff_sessions e',
      of: { staff_id: by.id },
      where: { [LIVE]: true },
    });
  },
  present: (session) => t.presentRow(sessionAnswer, session, { sessionId: session.id }),
});

export const endOwnSessionEndpoint = endpoint({
  id: 'endOwnSession',
  as: 'sessions.end',
  tag: 'Ops: staff',
  route: 'DELETE /v1/admin/my/sessions/:sessionId',
  scope: 'viewer',
  summary: 'End one of one’s own sessions',
  description: 'Takes effect everywhere within 5 seconds.',
  errors: ['STAFF_SESSION_NOT_FOUND'],
  answer: t.noContent,
  input: ({ id, caller: by }) => {
    const sessionId = id('sessionId', 'STAFF_SESSION_NOT_FOUND');
    // A key has no sessions.
    if (by.staff === undefined) throw new AppError('STAFF_SESSION_NOT_FOUND');
    return { by, sessionId };
  },
  // Ends one of the caller's own sessions.
  handle: async ({ db }: Context, { by, sessionId }) => {
    await db.transaction(async (tx) => {
      if (!(await endLiveSession(tx, by.id, sessionId)))
        throw new AppError('STAFF_SESSION_NOT_FOUND');
      const action = 'staff.session-ended';
      await recordAudit(tx, { by, action, objectId: by.id, details: { sessionId } });
    });
  },
  present: () => undefined,
});

/** A session as its owner sees it. */
interface OwnSession extends Pick<
  StaffSessionRow,
  'authTime' | 'idleUntil' | 'endsAt' | 'address' | 'agent' | 'createdAt'
> {
  id: string;
}

/** @returns false when the person has no such live session */
async function endLiveSession(tx: Db, staffId: string, sessionId: string): Promise<boolean> {
  const ended = await query(
    tx,
    `UPDATE staff_sessions e SET ended_at = now() WHERE e.id = $1 AND e.staff_id = $2 AND ${LIVE}
     RETURNING e.id`,
    [sessionId, staffId],
  );
  return ended.length === 1;
}
