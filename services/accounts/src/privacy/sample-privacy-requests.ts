import { queryOne } from '@fiado/chassis/db/query';
import type { Reading } from '@fiado/chassis/metrics';
import { URGENT_DAYS } from '@fiado/contracts/privacy';
import type { Context } from '../context';
import { urgentPrivacyRequests } from '../metrics';

/** Reads how many requests are due within three days, or late. */
export async function samplePrivacyRequests({ db }: Pick<Context, 'db'>): Promise<Reading[]> {
  const { answer, execution } = await queryOne<{ answer: number; execution: number }>(
    db,
    `SELECT count(*) FILTER (WHERE status = 'open' AND answer_due_at < soon) AS answer,
            count(*) FILTER (WHERE status = 'executing' AND execution_due_at < soon) AS execution
       FROM privacy_requests, (SELECT now() + interval '${URGENT_DAYS} days' AS soon) clock
      WHERE status IN ('open', 'executing')`,
  );
  return [
    urgentPrivacyRequests({ step: 'answer' }, answer),
    urgentPrivacyRequests({ step: 'execution' }, execution),
  ];
}
