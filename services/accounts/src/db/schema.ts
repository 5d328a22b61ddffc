import type { Schema } from '@fiado/chassis/db/schema';
import { accountsBaseline } from './baseline.sql';
import { KeepPrivacyRequests1796000000000 } from './migrations/1796000000000-keep-privacy-requests';
import { MoveConsents1796000001000 } from './migrations/1796000001000-move-consents';
import { BlockCornerStores1796000002000 } from './migrations/1796000002000-block-corner-stores';
import { accountsTriggers } from './triggers.sql';

export const accountsSchema: Schema = {
  name: 'accounts',
  baseline: accountsBaseline,
  migrations: [
    KeepPrivacyRequests1796000000000,
    MoveConsents1796000001000,
    BlockCornerStores1796000002000,
  ],
  triggers: accountsTriggers,
  before: { migrations: 40, last: 'TuneAutovacuum1798601000000' },
};
