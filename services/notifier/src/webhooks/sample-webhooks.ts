import type { Db } from '@fiado/chassis/db/database';
import { query } from '@fiado/chassis/db/query';
import type { Reading } from '@fiado/chassis/metrics';
import type { Context } from '../context';
import { oldestDueWebhook, webhookEndpoints, webhooksPending } from '../metrics';
import { ENDPOINT_STATES } from './endpoints.sql';

/** Reads what waits for webhook endpoints, and the states of these. */
export async function sampleWebhooks({ db }: Pick<Context, 'db'>): Promise<Reading[]> {
  const backlog = await readBacklog(db);
  const states = await countStates(db);
  return [
    webhooksPending({}, backlog.pending),
    oldestDueWebhook({}, backlog.oldestDueSeconds),
    ...ENDPOINT_STATES.map((state) =>
      webhookEndpoints({ state }, states.find((one) => one.state === state)?.count ?? 0),
    ),
  ];
}

interface WebhookBacklog {
  pending: number;
  /** How long the oldest due delivery to a good endpoint has waited; 0 when none is due. */
  oldestDueSeconds: number;
}

/** The deliveries that wait. Endpoints that fail or hang are not what the sender is late with. */
async function readBacklog(db: Db): Promise<WebhookBacklog> {
  const [backlog] = await query<WebhookBacklog>(
    db,
    `SELECT count(*) AS pending,
            coalesce(greatest(0, EXTRACT(EPOCH FROM now() - min(next_attempt_at)
              FILTER (WHERE good_at > now() - interval '24 hours' AND NOT slow AND NOT ordered
                        AND state = 'enabled'))), 0)::float8 AS "oldestDueSeconds"
       FROM webhook_deliveries JOIN webhook_endpoints endpoint ON endpoint.id = endpoint_id
      WHERE status = 'pending'`,
  );
  return backlog ?? { pending: 0, oldestDueSeconds: 0 };
}

/** How many endpoints are in each state. */
function countStates(db: Db): Promise<Array<{ state: string; count: number }>> {
  return query(
    db,
    `SELECT state, count(*) AS count FROM webhook_endpoints WHERE state <> 'deleted' GROUP BY state`,
  );
}
