import { IsIn, IsOptional, IsString, IsUUID } from './class-validator';
import { IsCount, IsCountFromOne } from './decorators';
import { defineCall, type QueueName } from './define';
import { SERVICES } from './process-names';

export class RetryDeadLetters {
  @IsIn(SERVICES)
  queue: QueueName;

  /** This one alone. */
  @IsOptional()
  @IsUUID()
  jobId?: string;

  /** Those of one type alone. */
  @IsOptional()
  @IsString()
  type?: string;

  /** `next` of the answer before. */
  @IsOptional()
  @IsUUID()
  after?: string;
}

export interface RetriedDeadLetters {
  retried: RetriedDeadLetter[];
  /** Cursor of the next call; null if there are no more. */
  next: string | null;
}

export interface RetriedDeadLetter {
  jobId: string;
  type: string;
  createdAt: string;
}

/**
 * For every service with an outbox: retries its dead letters of one queue that the queue no longer has,
 * and its rows that are dead letters.
 */
export const retryDeadLettersCall = defineCall<RetriedDeadLetters>()(
  '/internal/dead-letters/retry',
  RetryDeadLetters,
);

/** Most dead letters that one call asks for. */
const MAX_DEAD_ROWS = 200;

export class DeadRowsQuestion {
  /** How many of them, newest first, pages before have shown. */
  @IsCount()
  start: number;

  @IsCountFromOne(MAX_DEAD_ROWS)
  count: number;
}

export interface DeadRows {
  rows: DeadRow[];
}

/** A row whose work failed for good. */
export interface DeadRow {
  jobId: string;
  type: string;
  attempts: number;
  failedReason: string | null;
  createdAt: string;
  failedAt: string;
}

/** For every service: the dead letters that are rows of its own tables, and in no queue (ADR 87). */
export const deadRowsCall = defineCall<DeadRows>()('/internal/dead-letters/rows', DeadRowsQuestion);
