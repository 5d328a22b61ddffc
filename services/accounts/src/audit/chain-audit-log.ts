import type { Reading } from '@fiado/chassis/metrics';
import type { Context } from '../context';
import { auditChainBroken, oldestUnchained } from '../metrics';
import { linkHash } from './audit-chain';
import {
  chainState,
  insertLinks,
  lockChainHead,
  moveChainHead,
  takeUnchained,
} from './audit-chain.sql';

/** Some 150 kB of content; a backlog goes batch after batch. */
export const CHAIN_BATCH_SIZE = 500;

/**
 * Chains one batch of new entries. Of several instances, one chains at a time. The order of the chain is that of this loop: an entry whose transaction commits
 * late comes later in the chain, whatever its time.
 * @returns whether there may be more
 */
export function chainAuditLog({ db }: Pick<Context, 'db'>): Promise<boolean> {
  return db.transaction(async (tx) => {
    let head = await lockChainHead(tx);
    if (head === undefined) return false;
    const entries = await takeUnchained(tx, CHAIN_BATCH_SIZE);
    if (entries.length === 0) return false;

    const links = [];
    for (const entry of entries) {
      const position: number = head.position + 1;
      head = { position, hash: linkHash(head.hash, position, entry.content) };
      links.push({ ...entry, ...head });
    }
    await insertLinks(tx, links);
    await moveChainHead(tx, head);
    return entries.length === CHAIN_BATCH_SIZE;
  });
}

/** Reads whether the audit chain is broken, and how long its oldest entry waits to be chained. */
export async function sampleAuditChain({ db }: Pick<Context, 'db'>): Promise<Reading[]> {
  const { isBroken, oldestUnchainedSeconds } = await chainState(db);
  return [auditChainBroken({}, isBroken ? 1 : 0), oldestUnchained({}, oldestUnchainedSeconds)];
}
