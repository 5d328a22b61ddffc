import { SERVICES } from '@fiado/contracts/process-names';
import type { Client } from 'pg';
import { waitFor } from './api';

const AGED = SERVICES.map(
  (service) => `${service} AS (UPDATE ${service}.outbox
    SET enqueued_at = enqueued_at - interval '1 minute' WHERE done_at IS NULL RETURNING id)`,
);

/** A minute passes for each open job, so that it is looked up at once. Returns their ids. */
export const AGE_OPEN_JOBS = `WITH ${AGED.join(', ')}
  ${SERVICES.map((service) => `SELECT id FROM ${service}`).join(' UNION ALL ')}`;

/** Waits until no job is open, as if each were looked up at once. */
export async function endOpenJobs(owner: Client, deadlineMs: number): Promise<void> {
  const none = async () => (await owner.query(AGE_OPEN_JOBS)).rowCount === 0 || undefined;
  await waitFor(none, deadlineMs);
}
