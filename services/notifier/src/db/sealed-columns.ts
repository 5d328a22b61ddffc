import type { SealedTable } from '@fiado/chassis/keys/sealed-tables';
import { SMS_PURPOSE } from '@fiado/contracts/jobs/send-message';
import { WEBHOOK_SECRET_PURPOSE } from '../webhooks/secrets';

/** All sealed values of the schema. */
export const SEALED_TABLES: SealedTable[] = [
  {
    table: 'messages',
    id: 'id',
    columns: [{ column: 'sealed', purpose: SMS_PURPOSE, boundTo: 'subject_id' }],
  },
  {
    table: 'webhook_secrets',
    id: 'id',
    columns: [{ column: 'sealed', purpose: WEBHOOK_SECRET_PURPOSE }],
  },
];
