import { defineJob } from '../define-job';
import { CornerStoreSnapshot } from '../corner-store';

/** accounts: a corner store, its customers' links or its phone changed. */
export const cornerStoreChanged = defineJob({
  type: 'corner-store.changed',
  version: 1,
  producers: ['accounts'],
  queues: ['transactions'],
  Data: CornerStoreSnapshot,
});
