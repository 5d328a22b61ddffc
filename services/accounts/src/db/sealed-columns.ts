import type { SealedTable } from '@fiado/chassis/keys/sealed-tables';
import { sealedTableOf } from '@fiado/chassis/db/marked-columns';
import { PaymentProviderRow } from '../providers/payment-provider.entity';
import { CornerStoreRow } from '../corner-stores/corner-store.entity';
import { UserRow } from '../corner-stores/user.entity';
import { VerificationRow } from '../verification/verification.entity';
import { ChangeRequestRow } from '../approvals/change-request.entity';

/** All sealed values of the schema, but answers and jobs, which live for a day and for a month. */
export const SEALED_TABLES: SealedTable[] = [
  sealedTableOf(UserRow),
  sealedTableOf(CornerStoreRow),
  sealedTableOf(VerificationRow),
  sealedTableOf(PaymentProviderRow),
  sealedTableOf(ChangeRequestRow),
  { table: 'onboarding_documents', id: 'id', columns: [], hasFiles: true },
];
