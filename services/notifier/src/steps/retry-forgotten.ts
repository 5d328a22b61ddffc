import { MAX_RETRIED } from '@fiado/chassis/jobs/queue-jobs';
import type { InternalClient } from '@fiado/chassis/clients/internal-client';
import {
  retryDeadLettersCall,
  type RetriedDeadLetter,
  type RetriedDeadLetters,
  type RetryDeadLetters,
} from '@fiado/contracts/dead-letters';

type Which = Pick<RetryDeadLetters, 'queue' | 'jobId' | 'type'>;

/**
 * Asks every service for its dead letters that their queue has forgotten, and lets it relay them
 * again: one service may not read another's outbox. At least one page of each, and not many more
 * than MAX_RETRIED in all.
 * @throws AppError SERVICE_UNAVAILABLE when a service cannot be asked; the others have been
 */
export async function retryForgotten(
  senders: InternalClient[],
  which: Which,
): Promise<RetriedDeadLetter[]> {
  const answers = await Promise.allSettled(senders.map((sender) => askAll(sender, which)));
  const retried = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  const failure = answers.find((answer) => answer.status === 'rejected');
  // A single job that was found needs no further answer.
  if (failure !== undefined && (which.jobId === undefined || retried.length === 0)) {
    throw failure.reason;
  }
  return retried;
}

async function askAll(sender: InternalClient, which: Which): Promise<RetriedDeadLetter[]> {
  const retried: RetriedDeadLetter[] = [];
  let after: string | null = null;
  do {
    const question: Which & { after?: string } = after === null ? which : { ...which, after };
    const answer: RetriedDeadLetters = await sender.ask(retryDeadLettersCall, question);
    retried.push(...answer.retried);
    after = answer.next;
  } while (after !== null && retried.length < MAX_RETRIED);
  return retried;
}
