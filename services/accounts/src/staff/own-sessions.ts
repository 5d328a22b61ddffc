import { requireCursor } from '@fiado/chassis/db/require-cursor';
import { endpoint } from '@fiado/chassis/http/endpoint';
import * as t from '@fiado/chassis/openapi/json-schema';
import type { Caller } from '@fiado/contracts/caller';
import { AppError } from '@fiado/contracts/errors';
import { pageOf, PageQuery } from '@fiado/contracts/page';
import { recordAudit } from '../audit/audit-log';
import type { Context } from '../context';
import { endOwnSession as endSession, findOwnSessions } from './sessions.sql';

export const endOwnSessionEndpoint = endpoint({
  id: 'endOwnSession',
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
  handle: endOwnSession,
  present: () => undefined,
});

const sessionAnswer = t.object('StaffSession', {
  sessionId: t.uuid,
  authTime: t.timestamp,
  idleUntil: t.timestamp,
  endsAt: t.timestamp,
  address: t.nullable(t.text),
  agent: t.nullable(t.text),
  createdAt: t.timestamp,
});

const exampleSession: t.AnswerOf<typeof sessionAnswer> = {
  sessionId: '0198c2d1-e0a5-7b3f-8e9a-4d2f1c7b8e3d',
  authTime: '2026-11-22T16:05:00.000Z',
  idleUntil: '2026-11-22T16:35:00.000Z',
  endsAt: '2026-11-23T04:05:00.000Z',
  address: '203.0.113.7',
  agent: 'Mozilla/5.0 (X11; Linux x86_64) Chrome/156.0.0.0',
  createdAt: '2026-11-22T16:05:00.000Z',
};

export const listOwnSessionsEndpoint = endpoint({
  id: 'listOwnSessions',
  tag: 'Ops: staff',
  route: 'GET /v1/admin/my/sessions',
  scope: 'viewer',
  summary: 'List one’s own live sessions',
  description: 'Newest first. A key has none.',
  query: PageQuery,
  answer: t.object('StaffSessionPage', {
    sessions: t.listOf(sessionAnswer),
    nextCursor: t.nullable(t.text),
  }),
  example: { sessions: [exampleSession], nextCursor: null },
  input: ({ query, caller: by }) => ({ query, by }),
  handle: async ({ db }: Context, { by, query: { cursor, limit } }) => {
    // A key's id is no person's; that of OPS_API_KEY is not even a UUID.
    if (by.staff === undefined) return { page: [], nextCursor: null };
    await requireCursor(db, cursor, 'staff_sessions', { staff_id: by.id });
    return pageOf(await findOwnSessions(db, by.id, cursor, limit + 1), limit, ({ id }) => id);
  },
  present: ({ page, nextCursor }) => ({
    sessions: page.map((session) => ({
      sessionId: session.id,
      authTime: session.authTime.toISOString(),
      idleUntil: session.idleUntil.toISOString(),
      endsAt: session.endsAt.toISOString(),
      address: session.address,
      agent: session.agent,
      createdAt: session.createdAt.toISOString(),
    })),
    nextCursor,
  }),
});

/**
 * Ends one of the caller's own sessions.
 * @throws AppError STAFF_SESSION_NOT_FOUND when the caller has no such session, or it has ended
 */
async function endOwnSession(
  { db }: Context,
  { by, sessionId }: { by: Caller; sessionId: string },
): Promise<void> {
  await db.transaction(async (tx) => {
    if (!(await endSession(tx, by.id, sessionId))) throw new AppError('STAFF_SESSION_NOT_FOUND');
    const action = 'staff.session-ended';
    await recordAudit(tx, { by, action, objectId: by.id, details: { sessionId } });
  });
}
