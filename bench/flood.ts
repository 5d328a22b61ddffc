import autocannon from 'autocannon';
import type { Flood, FloodResult } from './phases/neighbours-flood';
import { orderBody } from './support/market';

/** Bodies of refusals that are kept. */
const REFUSALS_KEPT = 5;

/**
 * Orders of one wholesaler on all connections at once, until SIGTERM: each connection sends its next order when
 * the last one is answered. A process of its own, so that it does not delay what the bench measures.
 */
process.once('message', ({ url, apiKey, stores, connections }: Flood) => {
  let drawn = 0;
  const refusals: string[] = [];
  const running = autocannon(
    {
      url,
      connections,
      // It ends by SIGTERM.
      duration: 3_600,
      requests: [
        {
          setupRequest: (request) => ({
            ...request,
            method: 'POST',
            path: '/v1/transaction',
            headers: { authorization: apiKey, 'content-type': 'application/json' },
            body: JSON.stringify(orderBody({ stores }, (drawn += 1))),
          }),
          onResponse: (status, body) => {
            if (status !== 201 && refusals.length < REFUSALS_KEPT)
              refusals.push(`${status} ${body}`);
          },
        },
      ],
    },
    (error: Error | null, result) => {
      if (error !== null) throw error;
      const answer: FloodResult = {
        accepted: result['2xx'],
        refused: result.non2xx,
        failed: result.errors,
        refusals,
      };
      process.send?.(answer, () => process.exit());
    },
  );
  process.once('SIGTERM', () => running.stop());
  process.once('disconnect', () => process.exit());
});
