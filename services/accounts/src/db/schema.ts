import { CreateChassisTables1700000000000 } from '@fiado/chassis/db/chassis-tables';
import { CreateDataKeys1798440000000 } from '@fiado/chassis/db/create-data-keys';
import { CreateEventOwners1796600000000 } from '@fiado/chassis/db/event-owners';
import type { Schema } from '@fiado/chassis/db/schema';
import { CreateRefusals1798100010000 } from '@fiado/chassis/refusals/create-refusals';
import { CreateCredentialTables1763600000000 } from './migrations/1763600000000-create-credential-tables';
import { CreateCornerStoreTables1763600001000 } from './migrations/1763600001000-create-corner-store-tables';
import { LetKeysHaveScopes1763600002000 } from './migrations/1763600002000-let-keys-have-scopes';
import { CreateOnboarding1763600003000 } from './migrations/1763600003000-create-onboarding';
import { ForgetUnsealedPhones1795400000000 } from './migrations/1795400000000-forget-unsealed-phones';
import { BudgetUnknownNumbers1795600000000 } from './migrations/1795600000000-budget-unknown-numbers';
import { CountWrongCodes1795610000000 } from './migrations/1795610000000-count-wrong-codes';
import { HoldChangedPhones1795610001000 } from './migrations/1795610001000-hold-changed-phones';
import { CreateOpsKeys1795630000000 } from './migrations/1795630000000-create-ops-keys';
import { IndexRefusedCredentials1795630001000 } from './migrations/1795630001000-index-refused-credentials';
import { LetProvidersSign1795640002000 } from './migrations/1795640002000-let-providers-sign';
import { IndexUploadsOfWholesaler1795640003000 } from './migrations/1795640003000-index-uploads-of-wholesaler';
import { IndexShownStatus1795900002000 } from './migrations/1795900002000-index-shown-status';
import { LetKeysReadEvents1796500000000 } from './migrations/1796500000000-let-keys-read-events';
import { AnnounceCornerStores1796600003000 } from './migrations/1796600003000-announce-corner-stores';
import { LetStoresHaveTimeZones1797200001000 } from './migrations/1797200001000-let-stores-have-time-zones';
import { CreateAccountLinks1797200002000 } from './migrations/1797200002000-create-account-links';
import { KeepPrivacyConsents1797500000000 } from './migrations/1797500000000-keep-privacy-consents';
import { IndexEndsOfAccountLinks1797600000000 } from './migrations/1797600000000-index-ends-of-account-links';
import { CreateStaff1798000000000 } from './migrations/1798000000000-create-staff';
import { IndexExternalIds1798100000000 } from './migrations/1798100000000-index-external-ids';
import { IndexAuditLog1798100001000 } from './migrations/1798100001000-index-audit-log';
import { ChainAuditLog1798300000000 } from './migrations/1798300000000-chain-audit-log';
import { CreateChangeRequests1798300001000 } from './migrations/1798300001000-create-change-requests';
import { LetInvitationsWait1798420000000 } from './migrations/1798420000000-let-invitations-wait';
import { CountTakenPhones1798530003000 } from './migrations/1798530003000-count-taken-phones';
import { SumRaisesOfOnePerson1798540000000 } from './migrations/1798540000000-sum-raises-of-one-person';
import { SumEarlierRaises1798540001000 } from './migrations/1798540001000-sum-earlier-raises';

export const accountsSchema: Schema = {
  name: 'accounts',
  migrations: [
    CreateChassisTables1700000000000,
    CreateCredentialTables1763600000000,
    CreateCornerStoreTables1763600001000,
    LetKeysHaveScopes1763600002000,
    CreateOnboarding1763600003000,
    ForgetUnsealedPhones1795400000000,
    BudgetUnknownNumbers1795600000000,
    CountWrongCodes1795610000000,
    HoldChangedPhones1795610001000,
    CreateOpsKeys1795630000000,
    IndexRefusedCredentials1795630001000,
    LetProvidersSign1795640002000,
    IndexUploadsOfWholesaler1795640003000,
    IndexShownStatus1795900002000,
    LetKeysReadEvents1796500000000,
    CreateEventOwners1796600000000,
    AnnounceCornerStores1796600003000,
    LetStoresHaveTimeZones1797200001000,
    CreateAccountLinks1797200002000,
    KeepPrivacyConsents1797500000000,
    IndexEndsOfAccountLinks1797600000000,
    IndexExternalIds1798100000000,
    IndexAuditLog1798100001000,
    CreateRefusals1798100010000,
    ChainAuditLog1798300000000,
    CreateStaff1798000000000,
    CreateChangeRequests1798300001000,
    LetInvitationsWait1798420000000,
    CreateDataKeys1798440000000,
    SumRaisesOfOnePerson1798540000000,
    SumEarlierRaises1798540001000,
    CountTakenPhones1798530003000,
  ],
};
