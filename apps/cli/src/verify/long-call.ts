/** A call that reads every row. The gateway waits two minutes for its answer. */
export const LONG_CALL = { timeoutMs: 130_000, deadlineMs: 400_000 };
