import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TestGateway } from './test-gateway';

type Answer = (req: IncomingMessage, res: ServerResponse) => void;

/**
 * Starts the system's stand-in for transactions before each test of a file, and ends it after, with
 * nothing left of what it saw.
 */
export function serveTransactions(gateway: TestGateway) {
  beforeEach(() => gateway.upstreams.transactions.start());
  afterEach(async () => {
    const { transactions } = gateway.upstreams;
    transactions.seen.length = 0;
    transactions.answer = undefined;
    await transactions.stop();
  });

  return {
    answerWith: (answer: Answer): void => {
      gateway.upstreams.transactions.answer = answer;
    },
    /** The only request that transactions saw. */
    seen: () => {
      const [request] = gateway.seenBy('transactions');
      if (request === undefined) throw new Error('Nothing was forwarded');
      return request;
    },
  };
}
