import { once } from 'node:events';
import { loadConfig } from '@fiado/chassis/config';
import { createLogger } from '@fiado/chassis/logger';
import { startService } from '@fiado/chassis/service';
import { TEST_TIMING } from '@fiado/chassis/testing/timing';
import { TransactionsConfig } from '../../src/config';
import { transactionsService } from '../../src/service';
import { closeStatement } from '../../src/statements/close-statements';

/*
 * The transactions service in a process of its own. From its first message on it closes the statement
 * of the wholesaler WHOLESALER_ID again and again, until it is killed.
 */

// The test that started it may have failed before it killed it.
process.once('disconnect', () => process.exit(1));
void (async () => {
  const { context } = await startService(transactionsService, {
    config: loadConfig(TransactionsConfig, process.env),
    port: 0,
    log: createLogger('transactions', 'error'),
    timing: TEST_TIMING,
  });
  process.send?.('ready');
  await once(process, 'message');
  for (;;) {
    // As in the loop: the next closing has what a failed one had. One may wait too long for the others.
    await closeStatement(context, process.env.WHOLESALER_ID ?? '', new Date()).catch(
      () => undefined,
    );
  }
})();
