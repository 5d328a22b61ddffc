import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

/** Less than the Retry-After of an answer, which is meant for callers far away. */
const PAUSE_MS = 200;
/** A system that is overloaded by one test has caught up by then. */
const DEADLINE_MS = 60_000;

/**
 * Sends a request as a careful integrator does: with an Idempotency-Key, and with the same one again
 * as long as the answer is that the system cannot answer now (503), or still works on it (409).
 */
export async function untilAnswered<
  Answer extends { status: number; body: { errorCode?: string } },
>(send: (headers: Record<string, string>) => Promise<Answer>): Promise<Answer> {
  const headers = { 'idempotency-key': randomUUID() };
  const deadline = Date.now() + DEADLINE_MS;
  for (;;) {
    const answer = await send(headers);
    const isForLater = answer.status === 503 || answer.body.errorCode === 'IDEMPOTENCY_CONFLICT';
    if (!isForLater || Date.now() > deadline) return answer;
    await sleep(PAUSE_MS);
  }
}
