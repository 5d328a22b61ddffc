import type { Timing } from '../timing';

/**
 * Of all services that tests start in their own process, in milliseconds. Deadlines are long enough
 * for a machine that is busy with something else: what does not hang takes milliseconds.
 */
export const TEST_TIMING: Timing = {
  connect: 60_000,
  check: 20_000,
  // One takes five statements of the queues; the test of canaries sets its own.
  canary: 30_000,
  workerSilence: 60_000,
  sample: 2_000,
  forward: 3_000,
  recentRequest: 60_000,
  lookAtArrivals: 20,
  s3Try: 1_000,
  s3Call: 2_500,
  exports: 500,
  sendMessages: 100,
  sendWebhooks: 100,
  settle: 200,
};
