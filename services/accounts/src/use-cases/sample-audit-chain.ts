import type { Reading } from '@fiado/chassis/metrics';
import type { Context } from '../context';
import { chainState } from '../db/audit-chain.repository';
import { auditChainBroken, oldestUnchained } from '../metrics';

/** Reads whether the audit chain is broken, and how long its oldest entry waits to be chained. */
export async function sampleAuditChain({ db }: Pick<Context, 'db'>): Promise<Reading[]> {
  const { isBroken, oldestUnchainedSeconds } = await chainState(db);
  return [auditChainBroken({}, isBroken ? 1 : 0), oldestUnchained({}, oldestUnchainedSeconds)];
}
