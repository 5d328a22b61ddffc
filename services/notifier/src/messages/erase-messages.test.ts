import { JOB_OPTIONS } from '@fiado/chassis/jobs/queue-settings';
import { CLAIM_SECONDS } from './claim-messages.sql';

test('a job is tried for longer than a message may be sending, so that its erasure does not fail for good', () => {
  const { attempts = 0, backoff } = JOB_OPTIONS;
  if (typeof backoff !== 'object') throw new Error('The pauses do not grow');
  const { type, delay = 0, jitter = 0 } = backoff;
  expect(type).toBe('exponential');
  const shortestMs = delay * (1 - jitter) * (2 ** (attempts - 1) - 1);
  expect(shortestMs).toBeGreaterThan(CLAIM_SECONDS * 1_000);
});
