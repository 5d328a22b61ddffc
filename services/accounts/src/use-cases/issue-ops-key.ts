import { needsSecondPerson } from '@fiado/chassis/four-eyes';
import type { Caller } from '@fiado/contracts/caller';
import type { ChangeRequested } from '@fiado/contracts/change-requests';
import type { OpsKey } from '../db/ops-keys.repository';
import type { Context } from '../context';
import { addOpsKey, type OpsKeyTerms } from '../steps/add-ops-key';
import { requestChange } from '../steps/request-change';

/**
 * A new credential of ops; `apiKey` is shown once, only its hash is kept. A person's request waits
 * for a second one.
 */
export async function issueOpsKey(
  { db, config }: Context,
  { by, ...terms }: OpsKeyTerms & { by: Caller },
): Promise<{ opsKey: OpsKey; apiKey: string } | ChangeRequested> {
  return db.transaction(async (tx) => {
    if (!needsSecondPerson(config.FOUR_EYES, by)) return addOpsKey(tx, config, { by, terms });
    const { scope, expiresAt } = terms;
    return requestChange(tx, {
      by,
      kind: 'ops-key.issue',
      targetId: null,
      targetVersion: null,
      payload: terms,
      before: {},
      reason: null,
      audited: { scope, expiresAt },
    });
  });
}
