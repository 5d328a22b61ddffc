import { loadConfig } from '@fiado/chassis/config';
import { createLogger } from '@fiado/chassis/logger';
import { startService } from '@fiado/chassis/service';
import { TransactionsConfig } from '../../src/config';
import { transactionsService } from '../../src/service';
import { closeStatement } from '../../src/statements/close-statements';

/*
 * The transactions service in a process of its own, which closes the statement of the wholesaler
 * WHOLESALER_ID again and again, as of the time of the database, until it is killed.
 */
void (async () => {
  const { context } = await startService(transactionsService, {
    config: loadConfig(TransactionsConfig, process.env),
    port: 0,
    log: createLogger('transactions', 'error'),
  });
  for (;;) {
    await closeStatement(context, process.env.WHOLESALER_ID ?? '', new Date());
    process.send?.('closed');
  }
})();
