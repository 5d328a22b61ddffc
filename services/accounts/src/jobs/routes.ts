import { on, type JobRoute } from '@fiado/shared/chassis/jobs/worker';
import { defaultsChanged } from '@fiado/shared/contracts/jobs/defaults-changed';
import type { Context } from '../context';
import { recordDefaults } from '../use-cases/record-defaults';

/** The job table: what accounts hears, and what it does. */
export function jobs(context: Context): JobRoute[] {
  return [
    on(defaultsChanged, ({ id, aggregateVersion, data }) =>
      recordDefaults(context, {
        messageId: id,
        cornerStoreId: data.cornerStoreId,
        overdueCount: data.overdueCount,
        version: aggregateVersion,
      }),
    ),
  ];
}
