import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** The services take the same and no other. */
const WELL_FORMED = /^[\w.-]{1,100}$/;

/** The caller's X-Request-Id when it is well-formed, else a new UUID. */
export function requestIdOf(req: IncomingMessage): string {
  const given = req.headers['x-request-id'];
  return typeof given === 'string' && WELL_FORMED.test(given) ? given : randomUUID();
}
