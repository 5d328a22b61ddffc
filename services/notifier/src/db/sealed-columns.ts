import { sealedTableOf } from '@fiado/chassis/db/marked-columns';
import type { SealedTable } from '@fiado/chassis/keys/sealed-tables';
import { SMS_PURPOSE } from '@fiado/contracts/jobs/send-message';
import { WebhookSecretRow } from '../webhooks/webhook-secret.entity';

/** All sealed values of the schema. */
export const SEALED_TABLES: SealedTable[] = [
  {
    table: 'messages',
    id: 'id',
    columns: [{ column: 'sealed', purpose: SMS_PURPOSE, boundTo: 'subject_id' }],
  },
  sealedTableOf(WebhookSecretRow),
];
