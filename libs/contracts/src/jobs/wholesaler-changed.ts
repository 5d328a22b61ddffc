import { defineJob } from '../define-job';
import { WholesalerSnapshot } from '../corner-store';

/** accounts: a wholesaler was created or its settings changed. */
export const wholesalerChanged = defineJob({
  type: 'wholesaler.changed',
  version: 1,
  producers: ['accounts'],
  queues: ['transactions'],
  Data: WholesalerSnapshot,
});
