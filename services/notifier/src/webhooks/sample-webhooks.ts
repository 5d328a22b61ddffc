import { query, queryOne } from '@fiado/chassis/db/query';
import type { Reading } from '@fiado/chassis/metrics';
import type { Context } from '../context';
import { oldestDueWebhook, webhookEndpoints, webhooksPending } from '../metrics';
import { ENDPOINT_STATES } from './endpoints.sql';

/**
 * Reads what waits for webhook endpoints, and how many are in each state. Endpoints that fail or hang
 * are not what the sender is late with.
 */
export async function sampleWebhooks({ db }: Pick<Context, 'db'>): Promise<Reading[]> {
  const backlog = await queryOne<{ pending: number; oldestDueSeconds: number }>(
    db,
    `SELECT count(*) AS pending,
            coalesce(greatest(0, EXTRACT(EPOCH FROM now() - min(next_attempt_at)
              FILTER (WHERE good_at > now() - interval '24 hours' AND NOT slow AND NOT ordered
                        AND state = 'enabled'))), 0)::float8 AS "oldestDueSeconds"
       FROM webhook_deliveries JOIN webhook_endpoints endpoint ON endpoint.id = endpoint_id
      WHERE status = 'pending'`,
  );
  const states = await query<{ state: string; count: number }>(
    db,
    `SELECT state, count(*) AS count FROM webhook_endpoints WHERE state <> 'deleted' GROUP BY state`,
  );
  return [
    webhooksPending({}, backlog.pending),
    oldestDueWebhook({}, backlog.oldestDueSeconds),
    ...ENDPOINT_STATES.map((state) =>
      webhookEndpoints({ state }, states.find((one) => one.state === state)?.count ?? 0),
    ),
  ];
}
