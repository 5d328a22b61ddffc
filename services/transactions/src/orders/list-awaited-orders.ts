import { query } from '@fiado/chassis/db/query';
import { internalEndpoint } from '@fiado/chassis/http/endpoint';
import { awaitedOrdersCall } from '@fiado/contracts/account-visit';
import type { Context } from '../context';
import { presentLinked } from '../links/link';
import { VIEW_COLUMNS } from './order-columns';
import type { TransactionView } from './order-view';

/** Orders that the page lists, at most: a store awaits a few. */
const MAX_AWAITED = 20;

/** The orders of a store at a wholesaler that were confirmed and wait for their delivery, newest first. */
export const listAwaitedOrdersEndpoint = internalEndpoint({
  call: awaitedOrdersCall,
  allow: ['service:gateway'],
  handle: async (context: Context, { cornerStoreId, wholesalerId }) => {
    const views = await query<TransactionView>(
      context.db,
      `SELECT ${VIEW_COLUMNS}
         FROM transactions t JOIN wholesalers wholesaler USING (wholesaler_id)
        WHERE t.wholesaler_id = $1 AND t.corner_store_id = $2 AND t.status = 'on-hold'
        ORDER BY t.created_at DESC, t.id LIMIT ${MAX_AWAITED}`,
      [wholesalerId, cornerStoreId],
    );
    return {
      orders: views.map((view) => ({
        transactionId: view.id,
        order: presentLinked(context, view),
      })),
    };
  },
});
