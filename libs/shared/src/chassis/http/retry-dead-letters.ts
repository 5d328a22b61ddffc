import { RetryDeadLetters, type RetriedDeadLetters } from '../../contracts/dead-letters';
import { retryDeadLetters } from '../outbox/dead-letters';
import type { Foundation } from '../service';
import { validBody } from './body';
import type { Route } from './server';

/** POST /internal/dead-letters/retry: the notifier asks it of every service when ops retries jobs. */
export function retryDeadLettersRoute(foundation: Foundation): Route {
  return {
    method: 'post',
    path: '/internal/dead-letters/retry',
    allow: ['service'],
    handle: async (req, res) => {
      const answer: RetriedDeadLetters = await retryDeadLetters(
        foundation,
        validBody(RetryDeadLetters, req),
      );
      if (answer.retried.length > 0) foundation.relay.wake();
      res.json(answer);
    },
  };
}
