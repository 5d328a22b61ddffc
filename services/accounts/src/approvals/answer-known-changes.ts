import { query } from '@fiado/chassis/db/query';
import { internalEndpoint } from '@fiado/chassis/http/endpoint';
import {
  type KnownAction,
  type KnownChange,
  type KnownChanges,
  knownChangesCall,
  type KnownChangesQuestion,
  MAX_KNOWN_CHANGES,
} from '@fiado/contracts/known-changes';
import type { Context } from '../context';

/** Bytes of a question: each id has 39. */
const BODY_LIMIT = 2 * MAX_KNOWN_CHANGES * 40;

export const answerKnownChangesEndpoint = internalEndpoint({
  call: knownChangesCall,
  allow: ['service:transactions', 'service:payments'],
  bodyLimit: BODY_LIMIT,
  maxValues: 2 * MAX_KNOWN_CHANGES + 10,
  handle: answerKnownChanges,
});

/** What accounts knows about changes in other services: requests, and actions of a single person. */
export async function answerKnownChanges(
  { db }: Context,
  { ids, wholesalerIds }: KnownChangesQuestion,
): Promise<KnownChanges> {
  const changes = await query<KnownChange>(
    db,
    `SELECT id AS "changeRequestId", kind, target_id, status, payload, requested_by, decided_by
       FROM change_requests
      WHERE id = ANY($1) OR target_id = ANY($1)
         OR kind = 'settlement.adjust' AND status = 'executed'
            AND payload->>'wholesalerId' = ANY($2)`,
    [ids, wholesalerIds],
  );
  const actions = await query<KnownAction>(
    db,
    `SELECT action, object_id, details FROM audit_log
      WHERE object_id = ANY($1)
        AND action IN ('settlement.adjusted', 'statement.paid', 'credit-note.given')`,
    [ids],
  );
  return { changes, actions };
}
