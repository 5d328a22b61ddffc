import type { Schema } from '@fiado/chassis/db/schema';
import { notifierBaseline } from './baseline.sql';
import { KeepProviderCopies1796700000000 } from './migrations/1796700000000-keep-provider-copies';
import { IndexOpenDeliveries1797300000000 } from './migrations/1797300000000-index-open-deliveries';
import { IndexRareTemplates1797300001000 } from './migrations/1797300001000-index-rare-templates';
import { notifierTriggers } from './triggers.sql';

export const notifierSchema: Schema = {
  name: 'notifier',
  baseline: notifierBaseline,
  migrations: [
    KeepProviderCopies1796700000000,
    IndexOpenDeliveries1797300000000,
    IndexRareTemplates1797300001000,
  ],
  triggers: notifierTriggers,
  before: { migrations: 26, last: 'DropMessagesDue1798601005000' },
};
