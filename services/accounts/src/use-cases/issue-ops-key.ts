import type { Caller } from '@fiado/shared/contracts/caller';
import type { OpsScope } from '@fiado/shared/contracts/scopes';
import { newId } from '@fiado/shared/new-id';
import type { Context } from '../context';
import { recordAudit } from '../db/audit-log.repository';
import { insertOpsKey, type OpsKey } from '../db/ops-keys.repository';
import { newApiKey } from '../domain/api-key';

export interface IssueOpsKey {
  by: Caller;
  /** The person or the machine that will use it. */
  name: string;
  scope: OpsScope;
  expiresAt: Date;
}

/** A new credential of ops; `apiKey` is shown once, only its hash is kept. */
export async function issueOpsKey(
  { db, config }: Context,
  { by, name, scope, expiresAt }: IssueOpsKey,
): Promise<{ opsKey: OpsKey; apiKey: string }> {
  const { apiKey, keyHash } = newApiKey(config.FIADO_MODE);
  const id = newId();
  const opsKey = await db.transaction(async (tx) => {
    const inserted = await insertOpsKey(tx, { id, name, scope, keyHash, expiresAt });
    await recordAudit(tx, {
      by,
      action: 'ops-key.issued',
      objectId: id,
      details: { scope, expiresAt },
    });
    return inserted;
  });
  return { opsKey, apiKey };
}
