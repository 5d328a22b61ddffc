import type { Reading } from '@fiado/chassis/metrics';
import type { Context } from '../context';
import { countStates, readBacklog } from '../db/webhook-backlog';
import { ENDPOINT_STATES } from '../domain/webhook-endpoint';
import { oldestDueWebhook, webhookEndpoints, webhooksPending } from '../metrics-webhooks';

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
