import type { Service } from './process-names';

/** Names of the queues: one for each service that works on jobs. */
export type QueueName = Service;

/** What a producer and a consumer agree on about a job; the handler lives in the consumer. */
export interface JobDefinition<Data extends object> {
  /** Wire name: past tense when it reports (`transaction.delivered`), imperative when it commands. */
  type: string;
  /** Raised when `data` changes in a way that an older consumer cannot read. */
  version: number;
  /** Who sends it: a worker refuses it from anybody else. */
  producers: QueueName[];
  /** Who gets it: one outbox row and one job for each. */
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
  /** The outside request that wants the job; a job that nobody asked for has none. */
  requestId?: string | null;
}

export function defineJob<Data extends object>(
  definition: JobDefinition<Data>,
): JobDefinition<Data> {
  return definition;
}

/** What a caller and the called process agree on about a call; its endpoint is in the called process. */
export interface CallDefinition<Body extends object, Answer extends object> {
  path: `/internal/${string}` | `/v1/sign-in/${string}`;
  /** Class-validator class of the body. */
  Body: new () => Body;
  /** Never set: it carries the type of the answer to the caller and to the endpoint. */
  answer?: Answer;
}

/** Defines a POST from process to process. @param Body is checked by the endpoint */
export function defineCall<Body extends object, Answer extends object>(
  path: CallDefinition<Body, Answer>['path'],
  Body: new () => Body,
): CallDefinition<Body, Answer> {
  return { path, Body };
}
