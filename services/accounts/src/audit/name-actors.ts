import { query } from '@fiado/chassis/db/query';
import { internalEndpoint } from '@fiado/chassis/http/endpoint';
import { actorNamesCall } from '@fiado/contracts/actor-names';
import type { Context } from '../context';

export const nameActorsEndpoint = internalEndpoint({
  call: actorNamesCall,
  allow: ['service:payments'],
  // As listAuditEntries names them.
  handle: async ({ db }: Context, { actorIds }) => {
    const known = await query<{ id: string; name: string }>(
      db,
      `SELECT id::text, name FROM staff WHERE id::text = ANY ($1)
       UNION ALL SELECT id::text, name FROM ops_keys WHERE id::text = ANY ($1)`,
      [actorIds],
    );
    return { names: Object.fromEntries(known.map(({ id, name }) => [id, name])) };
  },
});
