/**
 * Time for the gateway's answer to a call that works on a whole statement, to close or to read: it may have
 * hundreds of thousands of lines.
 */
export const STATEMENTS_DEADLINE_MS = 60_000;

/** How long a caller waits for that answer: a little longer, so that it comes first. */
export const STATEMENTS_TIMEOUT_MS = STATEMENTS_DEADLINE_MS + 5_000;
