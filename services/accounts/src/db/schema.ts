import type { Schema } from '@fiado/chassis/db/schema';
import { accountsBaseline } from './baseline.sql';
import { accountsMigrations } from './migrations';
import { accountsTriggers } from './triggers.sql';

export const accountsSchema: Schema = {
  name: 'accounts',
  baseline: accountsBaseline,
  migrations: accountsMigrations,
  triggers: accountsTriggers,
  before: { migrations: 40, last: 'TuneAutovacuum1798601000000' },
};
