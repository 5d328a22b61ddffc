import type { Grant } from './settle-request';

/** Access: the person gets a copy of what is kept. */
export const grantAccess: Grant = () => Promise.resolve('executing');
