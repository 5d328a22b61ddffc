import { retryDeadLettersCall } from '@fiado/contracts/dead-letters';
import { retryDeadLetters } from '../outbox/dead-letters';
import type { Foundation } from '../service';
import { internalEndpoint } from './endpoint';

/** The notifier calls it on every service when ops retries jobs. */
export const retryDeadLettersEndpoint = internalEndpoint({
  call: retryDeadLettersCall,
  allow: ['service:notifier'],
  handle: async (foundation: Foundation, body) => {
    const answer = await retryDeadLetters(foundation, body);
    if (answer.retried.length > 0) foundation.relay.wake();
    return answer;
  },
});
