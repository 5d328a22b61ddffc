import type { Route } from '@fiado/shared/chassis/http/server';
import type { Context } from '../context';
import { handleGetInvariants } from './get-invariants';
import { handleListJobs } from './list-jobs';
import { handleListMessages } from './list-messages';
import * as admin from './operations/admin';
import { handleRetryJob } from './retry-job';
import { handleRetryJobs } from './retry-jobs';

/** What the notifier answers. */
export function routes(context: Context): Route[] {
  return [
    {
      method: 'get',
      path: '/v1/admin/messages',
      allow: ['ops'],
      operation: admin.listMessages,
      handle: handleListMessages(context),
    },
    {
      method: 'get',
      path: '/v1/admin/jobs',
      allow: ['ops'],
      operation: admin.listJobs,
      handle: handleListJobs(context),
    },
    {
      method: 'post',
      path: '/v1/admin/jobs/:queue/retry',
      allow: ['ops'],
      operation: admin.retryJobs,
      handle: handleRetryJobs(context),
    },
    {
      method: 'post',
      path: '/v1/admin/jobs/:queue/:jobId/retry',
      allow: ['ops'],
      operation: admin.retryJob,
      handle: handleRetryJob(context),
    },
    {
      method: 'get',
      path: '/v1/admin/invariants/notifier',
      allow: ['ops'],
      operation: admin.checkInvariants,
      handle: handleGetInvariants(context),
    },
  ];
}
