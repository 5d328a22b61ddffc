import { JOB_STATES, QUEUE_NAMES } from '@fiado/shared/chassis/jobs/queue-jobs';
import { invariantsOperation } from '@fiado/shared/openapi/invariants';
import {
  count,
  listOf,
  nullable,
  object,
  oneOf,
  text,
  timestamp,
  uuid,
} from '@fiado/shared/openapi/json-schema';
import type { Operation } from '@fiado/shared/openapi/operation';
import { MESSAGE_STATUSES } from '../../domain/message';
import { ListJobsQuery } from '../list-jobs';
import { ListMessagesQuery } from '../list-messages';
import { RetryJobsBody } from '../retry-jobs';

const message = object(
  'Message',
  {
    messageId: uuid,
    template: text,
    phoneNumber: { type: 'string', description: 'Masked: the last four digits show' },
    status: oneOf(MESSAGE_STATUSES),
    reason: nullable(text),
    attempts: count,
    createdAt: timestamp,
    sentAt: nullable(timestamp),
    expiresAt: timestamp,
    wholesalerId: nullable(uuid),
    subjectId: uuid,
    body: { type: 'string', description: 'Only in the sandbox' },
  },
  ['body'],
);

export const listMessages: Operation = {
  id: 'listMessages',
  tag: 'Ops: operation',
  summary: 'List messages, newest first',
  query: ListMessagesQuery,
  answer: {
    status: 200,
    schema: object('MessagePage', { messages: listOf(message), nextCursor: nullable(uuid) }),
    example: {
      messages: [
        {
          messageId: 'b7a6c5d4-e3f2-4101-8f9e-8d7c6b5a4938',
          template: 'order-code',
          phoneNumber: '********0101',
          status: 'sent',
          reason: null,
          attempts: 1,
          createdAt: '2027-01-20T16:04:05.678Z',
          sentAt: '2027-01-20T16:04:06.012Z',
          expiresAt: '2027-01-20T16:14:05.678Z',
          wholesalerId: '1a2b3c4d-5e6f-4a7b-8c9d-0e1f2a3b4c5d',
          subjectId: '0b0c6f3e-5a0f-4a71-9f0a-3d4f6f7a1c11',
        },
      ],
      nextCursor: null,
    },
  },
};

const job = object('Job', {
  jobId: text,
  queue: oneOf(QUEUE_NAMES),
  type: text,
  state: oneOf(JOB_STATES),
  attempts: count,
  failedReason: {
    ...nullable(text),
    description: 'The error of the last try, of a job that is tried again too',
  },
  createdAt: timestamp,
  failedAt: nullable(timestamp),
});

const exampleJob = {
  jobId: 'e5d4c3b2-a190-4f8e-9d7c-6b5a49382716',
  queue: 'payments',
  type: 'transaction.delivered',
  state: 'failed',
  attempts: 1,
  failedReason: null,
  createdAt: '2027-01-20T16:04:05.678Z',
  failedAt: null,
};

export const listJobs: Operation = {
  id: 'listJobs',
  tag: 'Ops: operation',
  summary: 'List what waits, runs and failed in the queues',
  query: ListJobsQuery,
  answer: {
    status: 200,
    schema: object('JobPage', { jobs: listOf(job), nextCursor: nullable(text) }),
    example: { jobs: [exampleJob], nextCursor: null },
  },
};

export const retryJob: Operation = {
  id: 'retryJob',
  tag: 'Ops: operation',
  summary: 'Run a failed job again',
  answer: { status: 200, schema: job, example: { ...exampleJob, state: 'waiting' } },
  errors: ['JOB_NOT_FOUND', 'JOB_IS_NOT_FAILED'],
};

export const retryJobs: Operation = {
  id: 'retryJobs',
  tag: 'Ops: operation',
  summary: 'Run the failed jobs of a queue again',
  description:
    'Retries the oldest 1,000 jobs, so repeat the call while `retried` is that many. Includes jobs ' +
    'of the last 28 days that the queue no longer has; they keep their `jobId`.',
  body: RetryJobsBody,
  bodyExample: { type: 'payment.applied' },
  bodyOptional: true,
  refusesUnknownFields: true,
  answer: {
    status: 200,
    schema: object('RetriedJobs', { retried: count }),
    example: { retried: 3 },
  },
  errors: ['JOB_NOT_FOUND'],
};

export const checkInvariants = invariantsOperation('notifier');
