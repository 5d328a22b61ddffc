import type { Service } from './process-names';

/** Names of the queues: one for each service that works on jobs. */
export type QueueName = Service;

/** The agreement of producer and consumer about a job. Its handler is in the consumer. */
export interface JobDefinition<Data extends object> {
  /** Wire name: past tense when it reports (`transaction.delivered`), imperative when it commands. */
  type: string;
  /** Raised when `data` changes in a way that an older consumer cannot read. */
  version: number;
  /** Services that send it: a worker refuses it from any other. */
  producers: QueueName[];
  /** Queues that get it: one outbox row and one job for each. */
  queues: QueueName[];
  /** Class-validator class of `data`. */
  Data: new () => Data;
}

/** A job on the wire. `id` is the outbox row's, so it is the same however often it is delivered. */
export interface Envelope<Data = unknown> {
  id: string;
  type: string;
  version: number;
  occurredAt: string;
  aggregateId: string;
  aggregateVersion: number;
  data: Data;
  /** The request from outside that caused it, directly or through another job. */
  requestId?: string | null;
}

/** Defines a job, of version 1 unless it says another. */
export function defineJob<Data extends object>(
  definition: Omit<JobDefinition<Data>, 'version'> & { version?: number },
): JobDefinition<Data> {
  return { version: 1, ...definition };
}

/** The agreement of caller and called process about a call. Its endpoint is in the called process. */
export interface CallDefinition<Body extends object, Answer extends object> {
  path: `/internal/${string}` | `/v1/sign-in/${string}`;
  /** Class-validator class of the body. */
  Body: new () => Body;
  /** Never set: it carries the type of the answer to the caller and to the endpoint. */
  answer?: Answer;
}

/**
 * Defines a POST from process to process: names the type of the answer, then the path and the class of the
 * body, which the endpoint checks.
 */
export const defineCall =
  <Answer extends object>() =>
  <Body extends object>(
    path: CallDefinition<Body, Answer>['path'],
    Body: new () => Body,
  ): CallDefinition<Body, Answer> => ({ path, Body });
