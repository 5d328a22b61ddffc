import { CreateChassisTables1700000000000 } from '@fiado/chassis/db/chassis-tables';
import { CreateDataKeys1798440000000 } from '@fiado/chassis/db/create-data-keys';
import type { Schema } from '@fiado/chassis/db/schema';
import { CreateMessages1795132800000 } from './migrations/1795132800000-create-messages';
import { CapMessages1795300000000 } from './migrations/1795300000000-cap-messages';
import { TraceMessages1795400002000 } from './migrations/1795400002000-trace-messages';
import { CountClaims1795500100000 } from './migrations/1795500100000-count-claims';
import { ClaimByWholesaler1795601000000 } from './migrations/1795601000000-claim-by-wholesaler';
import { IndexWaitingMessages1795602000000 } from './migrations/1795602000000-index-waiting-messages';
import { IndexSubjectOfMessages1795603000000 } from './migrations/1795603000000-index-subject-of-messages';
import { CreateEvents1796500000000 } from './migrations/1796500000000-create-events';
import { CreateWebhooks1796510000000 } from './migrations/1796510000000-create-webhooks';
import { NameVerificationOfMessages1796600004000 } from './migrations/1796600004000-name-verification-of-messages';
import { AnnounceFailedMessages1797000000000 } from './migrations/1797000000000-announce-failed-messages';
import { IndexFailingDeliveries1797000001000 } from './migrations/1797000001000-index-failing-deliveries';
import { KeepTraceparentsOfMessages1798430001000 } from './migrations/1798430001000-keep-traceparents-of-messages';
import { IndexUnknownMessages1798590000000 } from './migrations/1798590000000-index-unknown-messages';
import { TuneAutovacuum1798601001000 } from './migrations/1798601001000-tune-autovacuum';
import { DropMessagesDue1798601005000 } from './migrations/1798601005000-drop-messages-due';

export const notifierSchema: Schema = {
  name: 'notifier',
  migrations: [
    CreateChassisTables1700000000000,
    CreateMessages1795132800000,
    CapMessages1795300000000,
    TraceMessages1795400002000,
    CountClaims1795500100000,
    ClaimByWholesaler1795601000000,
    IndexWaitingMessages1795602000000,
    IndexSubjectOfMessages1795603000000,
    CreateEvents1796500000000,
    CreateWebhooks1796510000000,
    NameVerificationOfMessages1796600004000,
    AnnounceFailedMessages1797000000000,
    IndexFailingDeliveries1797000001000,
    KeepTraceparentsOfMessages1798430001000,
    CreateDataKeys1798440000000,
    IndexUnknownMessages1798590000000,
    TuneAutovacuum1798601001000,
    DropMessagesDue1798601005000,
  ],
};
