import type { Schema } from '@fiado/chassis/db/schema';
import { transactionsBaseline } from './baseline.sql';
import { transactionsMigrations } from './migrations';
import { transactionsTriggers } from './triggers.sql';

export const transactionsSchema: Schema = {
  name: 'transactions',
  baseline: transactionsBaseline,
  migrations: transactionsMigrations,
  triggers: transactionsTriggers,
  before: { migrations: 34, last: 'KeyProductLines1798601004000' },
};
