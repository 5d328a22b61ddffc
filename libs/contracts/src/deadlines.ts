/**
 * Time for the gateway's answer to a call that works on a whole statement, to close or to read: it may have
 * hundreds of thousands of lines. Callers wait a little longer, so that its answer comes first.
 */
export const STATEMENTS_DEADLINE_MS = 60_000;
