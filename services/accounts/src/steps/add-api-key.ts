import type { Transaction } from '@fiado/chassis/db/database';
import type { Caller } from '@fiado/contracts/caller';
import type { Context } from '../context';
import { recordAudit } from '../db/audit-log.repository';
import { insertApiKey, type IssuedApiKey, type KeyOwner, type KeyTerms } from './insert-api-key';

export interface NewApiKey {
  by: Caller;
  owner: KeyOwner;
  terms: KeyTerms;
  /** Further details for the audit log. */
  auditDetails?: object;
}

/** Inserts a new key of a party that exists, and audits it. */
export async function addApiKey(
  context: Context,
  tx: Transaction,
  { by, owner, terms, auditDetails = {} }: NewApiKey,
): Promise<IssuedApiKey> {
  const key = await insertApiKey(context, tx, owner, terms);
  await recordAudit(tx, {
    by,
    action: 'api-key.issued',
    objectId: owner.id,
    details: { apiKeyId: key.apiKeyId, ...terms, ...auditDetails },
  });
  return key;
}
