import type { SealedTable } from '@fiado/chassis/keys/sealed-tables';
import { PURPOSE } from '../domain/sealing-purposes';

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
  {
    table: 'payment_providers',
    id: 'id',
    columns: [
      { column: 'signing_secret', purpose: PURPOSE.signingSecret },
      { column: 'previous_signing_secret', purpose: PURPOSE.signingSecret },
    ],
  },
  {
    table: 'change_requests',
    id: 'id',
    columns: [{ column: 'sealed_payload', purpose: PURPOSE.importRows }],
  },
  { table: 'onboarding_documents', id: 'id', columns: [], hasFiles: true },
];
