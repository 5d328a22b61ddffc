import { IsIn, IsOptional, IsUUID } from '@fiado/contracts/class-validator';
import { pageOfRows } from '@fiado/chassis/db/page-of-rows';
import { queryOne } from '@fiado/chassis/db/query';
import { listEndpoint } from '@fiado/chassis/http/list-endpoint';
import * as t from '@fiado/chassis/openapi/json-schema';
import { About } from '@fiado/contracts/about';
import { PageQuery } from '@fiado/contracts/page';
import type { Context } from '../context';
import {
  type Dispute,
  disputeAnswer,
  exampleDispute,
  presentDispute,
  SELECT_DISPUTES,
} from './dispute';
import { DISPUTE_STATUSES, type DisputeStatus } from './dispute.entity';

class ListDisputesQuery extends PageQuery {
  @IsOptional()
  @IsIn(DISPUTE_STATUSES)
  status?: DisputeStatus;

  @IsOptional()
  @IsUUID()
  wholesalerId?: string;

  @IsOptional()
  @IsUUID()
  cornerStoreId?: string;

  @About('Only those of this order', '0b0c6f3e-5a0f-4a71-9f0a-3d4f6f7a1c11')
  @IsOptional()
  @IsUUID()
  transactionId?: string;
}

/** For how many seconds the oldest open dispute waits. */
export async function oldestOpenSeconds({ db }: Pick<Context, 'db'>): Promise<number> {
  const { seconds } = await queryOne<{ seconds: number }>(
    db,
    `SELECT coalesce(extract(epoch FROM now() - min(opened_at)), 0)::float8 AS seconds
       FROM disputes WHERE status = 'open'`,
  );
  return seconds;
}

export const listDisputesEndpoint = listEndpoint({
  id: 'listDisputes',
  as: 'disputes.list',
  columns: [
    'disputeId',
    'status',
    'openedBy',
    'openedAt',
    'incrementalID',
    'wholesaler',
    'cornerStoreId',
    'totalAmountWithInterests',
  ],
  tag: 'Ops: transactions',
  route: 'GET /v1/admin/disputes',
  scope: 'viewer',
  summary: 'List the orders that corner stores say are not their own',
  description: 'With the status `open` the longest open first. Else the newest first.',
  query: ListDisputesQuery,
  page: 'DisputePage',
  items: { disputes: t.field(disputeAnswer, 'Disputes') },
  example: exampleDispute,
  input: ({ query }) => query,
  find: ({ db }: Context, { status, wholesalerId, cornerStoreId, transactionId, ...asked }) =>
    pageOfRows<Dispute>(db, asked, {
      select: SELECT_DISPUTES,
      from: 'disputes d',
      where: {
        'd.status = $': status,
        'd.wholesaler_id = $': wholesalerId,
        'd.corner_store_id = $': cornerStoreId,
        'd.transaction_id = $': transactionId,
      },
      oldestFirst: status === 'open',
    }),
  present: presentDispute,
});
