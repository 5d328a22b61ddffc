import { queryOne } from '@fiado/chassis/db/query';
import { internalEndpoint } from '@fiado/chassis/http/endpoint';
import { countDeadJobs, sampledFigures } from '@fiado/chassis/ops-figures';
import { messageFiguresCall, type MessageFigures } from '@fiado/contracts/ops-figures';
import type { Context } from '../context';

/** Failing deliveries that are counted: what a person sees as "many". */
const MAX_COUNTED = 1_000;

export const opsFiguresEndpoint = internalEndpoint({
  call: messageFiguresCall,
  allow: ['service:accounts'],
  handle: sampledFigures(readOpsFigures),
});

/** The SMS of the day that began at `since`, and the webhooks that fail now. */
async function readOpsFigures({ db }: Pick<Context, 'db'>, since: Date): Promise<MessageFigures> {
  const ofStatus = (...statuses: string[]): string =>
    `(SELECT count(*)::int FROM messages
       WHERE status = ANY('{${statuses.join()}}') AND created_at >= $1
         -- A WhatsApp message that failed has its SMS, which counts.
         AND (channel IS NULL OR status IN ('sent', 'delivered', 'pending', 'sending')))`;
  const counts = await queryOne<Omit<MessageFigures, 'asOf' | 'deadJobs'>>(
    db,
    `SELECT ${ofStatus('sent', 'delivered')} AS sent,
            ${ofStatus('failed', 'unknown', 'expired')} AS failed,
            ${ofStatus('pending', 'sending')} AS pending,
            (SELECT count(*)::int FROM (
               SELECT FROM webhook_deliveries
                WHERE status = 'failed' OR status = 'pending' AND attempts > 0
                LIMIT ${MAX_COUNTED}) failing) AS "failingWebhooks",
            (SELECT count(*)::int FROM webhook_endpoints
              WHERE state = 'disabled') AS "disabledEndpoints"`,
    [since],
  );
  const dead = await countDeadJobs(db);
  return { asOf: dead.asOf.toISOString(), deadJobs: dead.count, ...counts };
}
