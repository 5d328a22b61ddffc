import { In } from '@fiado/chassis/db/typeorm';
import { query } from '@fiado/chassis/db/query';
import { internalEndpoint } from '@fiado/chassis/http/endpoint';
import { type CustomerNamesAnswer, customerNamesCall } from '@fiado/contracts/customer-names';
import type { Context } from '../context';
import { nameOf, SELECT_NAMES, type SealedNames } from '../names/keep-names';
import { WholesalerRow } from '../wholesalers/wholesaler.entity';

export const answerCustomerNamesEndpoint = internalEndpoint({
  call: customerNamesCall,
  allow: ['service:transactions', 'service:payments'],
  handle: async ({ db, sealer }: Context, { cornerStoreIds, wholesalerIds }) => {
    const [stores, customers, wholesalers] = await Promise.all([
      query<SealedNames>(db, `${SELECT_NAMES} WHERE s.id = ANY ($1) AND s.blocked_at IS NULL`, [
        cornerStoreIds,
      ]),
      query<CustomerNamesAnswer['customers'][number]>(
        db,
        `SELECT c.wholesaler_id, c.corner_store_id, c.external_id
           FROM customers c JOIN corner_stores s ON s.id = c.corner_store_id
          WHERE c.corner_store_id = ANY ($1) AND c.wholesaler_id = ANY ($2) AND s.blocked_at IS NULL`,
        [cornerStoreIds, wholesalerIds],
      ),
      db.manager.find(WholesalerRow, {
        where: { id: In(wholesalerIds) },
        select: { id: true, name: true },
      }),
    ]);
    return {
      cornerStores: Object.fromEntries(
        stores.map((store) => [store.cornerStoreId, nameOf(sealer, store).trim()]),
      ),
      customers,
      wholesalers: Object.fromEntries(wholesalers.map(({ id, name }) => [id, name])),
    };
  },
});
