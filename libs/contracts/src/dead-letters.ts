import { IsIn, IsOptional, IsString, IsUUID } from 'class-validator';
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
 * For every service that has an outbox: retries its dead letters for one queue that this queue no
 * longer knows.
 */
export const retryDeadLettersCall = defineCall<RetryDeadLetters, RetriedDeadLetters>(
  '/internal/dead-letters/retry',
  RetryDeadLetters,
);
