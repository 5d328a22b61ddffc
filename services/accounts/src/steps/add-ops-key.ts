import type { Transaction } from '@fiado/chassis/db/database';
import type { Caller } from '@fiado/contracts/caller';
import type { OpsScope } from '@fiado/contracts/scopes';
import { newId } from '@fiado/contracts/new-id';
import type { AccountsConfig } from '../config';
import { recordAudit } from '../db/audit-log.repository';
import { insertOpsKey, type OpsKey } from '../db/ops-keys.repository';
import { newApiKey } from '../domain/api-key';

export interface OpsKeyTerms {
  /** The person or the machine that will use it. */
  name: string;
  scope: OpsScope;
  expiresAt: Date;
}

/** Inserts a new ops key and audits it. */
export async function addOpsKey(
  tx: Transaction,
  { FIADO_MODE }: Pick<AccountsConfig, 'FIADO_MODE'>,
  { by, terms, auditDetails = {} }: { by: Caller; terms: OpsKeyTerms; auditDetails?: object },
): Promise<{ opsKey: OpsKey; apiKey: string }> {
  const { apiKey, keyHash } = newApiKey(FIADO_MODE);
  const id = newId();
  const { name, scope, expiresAt } = terms;
  const opsKey = await insertOpsKey(tx, { id, name, scope, keyHash, expiresAt });
  await recordAudit(tx, {
    by,
    action: 'ops-key.issued',
    objectId: id,
    details: { scope, expiresAt, ...auditDetails },
  });
  return { opsKey, apiKey };
}
