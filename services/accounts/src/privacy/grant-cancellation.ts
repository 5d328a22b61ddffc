import type { Grant } from './settle-request';

/** Cancellation: what is kept is blocked, and erased when its retention ends. */
export const grantCancellation: Grant = () => Promise.resolve('executing');
