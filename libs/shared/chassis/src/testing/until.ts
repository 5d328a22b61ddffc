import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 20;
/** Ends what hangs. What a test waits for takes milliseconds, on a busy machine seconds. */
const DEADLINE_MS = 60_000;

/** Waits until something is so. @throws Error naming it when the time is over */
export async function until(
  what: string,
  isSo: () => boolean | Promise<boolean>,
  deadlineMs = DEADLINE_MS,
): Promise<void> {
  const deadline = Date.now() + deadlineMs;
  while (!(await isSo())) {
    if (Date.now() > deadline) throw new Error(`Waited too long until ${what}`);
    await sleep(POLL_MS);
  }
}
