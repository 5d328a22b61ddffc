import { endpoint } from '@fiado/chassis/http/endpoint';
import { AppError } from '@fiado/contracts/errors';
import * as t from '@fiado/chassis/openapi/json-schema';
import { endOwnSession } from '../use-cases/end-own-session';

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
