import { isUUID } from '@fiado/contracts/class-validator';
import type { Db } from '@fiado/chassis/db/database';
import { query } from '@fiado/chassis/db/query';
import { internalEndpoint } from '@fiado/chassis/http/endpoint';
import {
  MAX_REFUSED_CALLERS,
  type RefusedCaller,
  refusedCredentialsCall,
} from '@fiado/contracts/credential';
import { newId } from '@fiado/contracts/new-id';
import type { Context } from '../context';

/** Serialises reports, so that two gateways do not both write the last entry of a minute. */
const REPORT_LOCK = 0x5245_4655;

export const recordRefusedCredentialsEndpoint = internalEndpoint({
  call: refusedCredentialsCall,
  allow: ['service:gateway'],
  handle: async ({ db }: Context, { callers }) => {
    await db.transaction((tx) => auditRefusedCallers(tx, callers));
    return {};
  },
});

/**
 * Writes an audit entry for each refused caller that has none in this minute yet, and in all at
 * most MAX_REFUSED_CALLERS in a minute: a flood must not fill an append-only table. Callers with a
 * known key come first, so that a flood of unknown ones does not hide them.
 */
async function auditRefusedCallers(tx: Db, callers: RefusedCaller[]): Promise<void> {
  await query(tx, 'SELECT pg_advisory_xact_lock($1)', [REPORT_LOCK]);
  await query(
    tx,
    `WITH this_minute AS MATERIALIZED (
       SELECT actor_id AS address, details->>'keyId' AS "keyId" FROM audit_log
        WHERE action = 'credential.refused' AND occurred_at >= date_trunc('minute', now())
     )
     -- Its trigger lets the entry wait for the chain of the audit log.
     INSERT INTO audit_log (id, actor_kind, actor_id, action, object_id, details)
     SELECT refused.id, 'address', refused.address, 'credential.refused', refused."objectId",
            jsonb_build_object('keyId', refused."keyId", 'count', refused.count)
       FROM jsonb_to_recordset($1::jsonb)
         AS refused(id uuid, address text, "keyId" text, "objectId" uuid, count integer)
      WHERE NOT EXISTS (
              SELECT FROM this_minute
               WHERE this_minute.address = refused.address
                 AND this_minute."keyId" IS NOT DISTINCT FROM refused."keyId")
      ORDER BY refused."keyId" IS NULL
      LIMIT greatest(0, $2 - (SELECT count(*) FROM this_minute))`,
    [
      JSON.stringify(
        callers.map(({ address, keyId, count }) => ({
          id: newId(),
          address,
          keyId,
          // The id of OPS_API_KEY is a fingerprint, not a UUID.
          objectId: isUUID(keyId) ? keyId : null,
          count,
        })),
      ),
      MAX_REFUSED_CALLERS,
    ],
  );
}
