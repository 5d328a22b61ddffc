import { loadConfig } from '@fiado/chassis/config';
import { exportLoop } from '@fiado/chassis/exports/make-exports';
import { createLogger } from '@fiado/chassis/logger';
import { startService } from '@fiado/chassis/service';
import { atAnotherTime } from '@fiado/chassis/testing/service';
import { TEST_TIMING } from '@fiado/chassis/testing/timing';
import { PaymentsConfig } from '../../src/config';
import type { Context } from '../../src/context';
import { noticesLoop } from '../../src/notices/send-notices';
import { paymentsService } from '../../src/service';

/*
 * The payments service in a process of its own, to which it is always the time of the variable NOW.
 * It sends its port to the process that started it.
 */

// The test that started it may have failed before it killed it.
process.once('disconnect', () => process.exit(1));
const now = new Date(process.env.NOW ?? '');
const loops = (context: Context) => [
  context.depositWorker.loop,
  noticesLoop(context),
  exportLoop(context),
];
void startService(atAnotherTime(paymentsService, loops), {
  config: loadConfig(PaymentsConfig, process.env),
  port: 0,
  log: createLogger('payments', 'warn'),
  clock: { now: () => now },
  timing: TEST_TIMING,
}).then(({ port }) => process.send?.(port));
