import type { Schema } from '@fiado/chassis/db/schema';
import { accountsBaseline } from './baseline.sql';
import { accountsTriggers } from './triggers.sql';

export const accountsSchema: Schema = {
  name: 'accounts',
  baseline: accountsBaseline,
  migrations: [],
  triggers: accountsTriggers,
  before: { migrations: 40, last: 'TuneAutovacuum1798601000000' },
};
