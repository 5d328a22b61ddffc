import type { Schema } from '@fiado/chassis/db/schema';
import { notifierBaseline } from './baseline.sql';
import { notifierMigrations } from './migrations';
import { notifierTriggers } from './triggers.sql';

export const notifierSchema: Schema = {
  name: 'notifier',
  baseline: notifierBaseline,
  migrations: notifierMigrations,
  triggers: notifierTriggers,
  before: { migrations: 26, last: 'DropMessagesDue1798601005000' },
};
