import type { IncomingMessage, ServerResponse } from 'node:http';
import type { House } from './house';

type Answer = (req: IncomingMessage, res: ServerResponse) => void;

/**
 * Starts the system's stand-in for transactions before each test of a file, and ends it after, with
 * nothing left of what it saw.
 * @param house read when a test runs: the file creates it before all tests
 */
export function serveTransactions(house: () => House) {
  beforeEach(() => house().upstreams.transactions.start());
  afterEach(async () => {
    const { transactions } = house().upstreams;
    transactions.seen.length = 0;
    transactions.answer = undefined;
    await transactions.stop();
  });

  return {
    answerWith: (answer: Answer): void => {
      house().upstreams.transactions.answer = answer;
    },
    /** The only request that transactions saw. */
    seen: () => {
      const [request] = house().seenBy('transactions');
      if (request === undefined) throw new Error('Nothing was forwarded');
      return request;
    },
  };
}
