import type { SealedTable } from '@fiado/chassis/keys/sealed-tables';
import { PHONE_PURPOSE } from '@fiado/contracts/jobs/send-message';
import { sealedTableOf } from '@fiado/chassis/db/marked-columns';
import { PaymentProviderRow, SIGNING_SECRET_PURPOSE } from '../providers/payment-provider.entity';

/**
 * One purpose for each sealed column, so that a value moved to another does not open. A phone of a user
 * is bound to its corner store, because it goes to transactions as it is; all else to its own row.
 */
export const PURPOSE = {
  firstName: 'first-name',
  lastNames: 'last-names',
  phone: PHONE_PURPOSE,
  latitude: 'latitude',
  longitude: 'longitude',
  contacts: 'contacts',
  cornerStoreName: 'corner-store-name',
  information: 'corner-store-information',
  document: 'document',
  signingSecret: SIGNING_SECRET_PURPOSE,
  importRows: 'import-rows',
  privacyPackage: 'privacy-package',
} as const;

/** All sealed values of the schema, but answers and jobs, which live for a day and for a month. */
export const SEALED_TABLES: SealedTable[] = [
  {
    table: 'users',
    id: 'id',
    columns: [
      { column: 'first_name', purpose: PURPOSE.firstName },
      { column: 'last_names', purpose: PURPOSE.lastNames },
      {
        column: 'phone',
        purpose: PURPOSE.phone,
        boundTo: '(SELECT store.id FROM corner_stores store WHERE store.user_id = users.id)',
      },
      { column: 'latitude', purpose: PURPOSE.latitude },
      { column: 'longitude', purpose: PURPOSE.longitude },
      { column: 'contacts', purpose: PURPOSE.contacts },
    ],
  },
  {
    table: 'corner_stores',
    id: 'id',
    columns: [
      { column: 'name', purpose: PURPOSE.cornerStoreName },
      { column: 'information', purpose: PURPOSE.information },
    ],
  },
  { table: 'verifications', id: 'id', columns: [{ column: 'phone', purpose: PURPOSE.phone }] },
  sealedTableOf(PaymentProviderRow),
  {
    table: 'change_requests',
    id: 'id',
    columns: [{ column: 'sealed_payload', purpose: PURPOSE.importRows }],
  },
  { table: 'onboarding_documents', id: 'id', columns: [], hasFiles: true },
];
