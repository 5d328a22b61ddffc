import type { Schema } from '@fiado/chassis/db/schema';
import { paymentsBaseline } from './baseline.sql';
import { paymentsMigrations } from './migrations';
import { paymentsTriggers } from './triggers.sql';

export const paymentsSchema: Schema = {
  name: 'payments',
  baseline: paymentsBaseline,
  migrations: paymentsMigrations,
  triggers: paymentsTriggers,
  before: { migrations: 33, last: 'TuneAutovacuum1798601001000' },
};
