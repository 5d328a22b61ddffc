import type { Schema } from '@fiado/chassis/db/schema';
import { paymentsBaseline } from './baseline.sql';
import { LetPersonsBeErased1796100000000 } from './migrations/1796100000000-let-persons-be-erased';
import { paymentsTriggers } from './triggers.sql';

export const paymentsSchema: Schema = {
  name: 'payments',
  baseline: paymentsBaseline,
  migrations: [LetPersonsBeErased1796100000000],
  triggers: paymentsTriggers,
  before: { migrations: 33, last: 'TuneAutovacuum1798601001000' },
};
