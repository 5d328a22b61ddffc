import { query } from '@fiado/chassis/db/query';
import { internalEndpoint } from '@fiado/chassis/http/endpoint';
import { storesOfPhonesCall } from '@fiado/contracts/corner-store';
import type { Context } from '../context';
import type { CornerStoreRow } from './corner-store.entity';

export const storesOfPhonesEndpoint = internalEndpoint({
  call: storesOfPhonesCall,
  allow: ['service:notifier'],
  handle: async ({ db }: Context, { phoneIndexes }) => ({
    stores: await query<{ phoneIndex: string; cornerStoreId: CornerStoreRow['id'] }>(
      db,
      `SELECT encode(u.phone_index, 'base64') AS "phoneIndex", s.id AS "cornerStoreId"
         FROM users u JOIN corner_stores s ON s.user_id = u.id WHERE u.phone_index = ANY ($1)`,
      [phoneIndexes.map((index) => Buffer.from(index, 'base64'))],
    ),
  }),
});
