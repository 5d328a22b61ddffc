import type { Schema } from '@fiado/chassis/db/schema';
import { accountsBaseline } from './baseline.sql';
import { KeepPrivacyRequests1796000000000 } from './migrations/1796000000000-keep-privacy-requests';
import { SetSettlementPeriod1795600001000 } from './migrations/1795600001000-set-settlement-period';
import { MoveConsents1796000001000 } from './migrations/1796000001000-move-consents';
import { BlockCornerStores1796000002000 } from './migrations/1796000002000-block-corner-stores';
import { LetPersonsBeErased1796100000000 } from './migrations/1796100000000-let-persons-be-erased';
import { KeepErasureState1796100001000 } from './migrations/1796100001000-keep-erasure-state';
import { IndexContacts1796100002000 } from './migrations/1796100002000-index-contacts';
import { TimeOppositions1796000003000 } from './migrations/1796000003000-time-oppositions';
import { KeepLastMoney1796100003000 } from './migrations/1796100003000-keep-last-money';
import { KeepAccountVisits1796200000000 } from './migrations/1796200000000-keep-account-visits';
import { KeepPrivacyPackages1796100004000 } from './migrations/1796100004000-keep-privacy-packages';
import { NameErasuresOfPhones1796600000000 } from './migrations/1796600000000-name-erasures-of-phones';
import { IndexNames1797000000000 } from './migrations/1797000000000-index-names';
import { AwaitNames1797000001000 } from './migrations/1797000001000-await-names';
import { KeepImageWarnings1797100000000 } from './migrations/1797100000000-keep-image-warnings';
import { CountKeptRows1797200000000 } from './migrations/1797200000000-count-kept-rows';
import { EndRequestsOfErasedPersons1797300000000 } from './migrations/1797300000000-end-requests-of-erased-persons';
import { RetryPackages1797300001000 } from './migrations/1797300001000-retry-packages';
import { accountsTriggers } from './triggers.sql';

export const accountsSchema: Schema = {
  name: 'accounts',
  baseline: accountsBaseline,
  migrations: [
    SetSettlementPeriod1795600001000,
    KeepPrivacyRequests1796000000000,
    MoveConsents1796000001000,
    BlockCornerStores1796000002000,
    TimeOppositions1796000003000,
    LetPersonsBeErased1796100000000,
    KeepErasureState1796100001000,
    IndexContacts1796100002000,
    KeepLastMoney1796100003000,
    KeepPrivacyPackages1796100004000,
    KeepAccountVisits1796200000000,
    NameErasuresOfPhones1796600000000,
    IndexNames1797000000000,
    AwaitNames1797000001000,
    KeepImageWarnings1797100000000,
    CountKeptRows1797200000000,
    EndRequestsOfErasedPersons1797300000000,
    RetryPackages1797300001000,
  ],
  triggers: accountsTriggers,
  before: { migrations: 40, last: 'TuneAutovacuum1798601000000' },
};
