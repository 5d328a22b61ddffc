import { Loop } from '@fiado/chassis/loop';
import type { Context } from '../context';
import {
  insertLinks,
  lockChainHead,
  moveChainHead,
  takeUnchained,
} from '../db/audit-chain.repository';
import { linkHash } from '../domain/audit-chain';

/** An entry that is not chained yet can be changed unseen, so it does not wait long. */
const EVERY_MS = 2_000;
/** Some 150 kB of content; a backlog goes batch after batch. */
export const CHAIN_BATCH_SIZE = 500;

/** Chains new entries of the audit log. Of several instances, one chains at a time. */
export function createAuditChain(context: Context): Loop {
  return new Loop(context.log, {
    name: 'audit-chain',
    everyMs: EVERY_MS,
    round: () => chainAuditLog(context),
  });
}

/**
 * Chains one batch. The order of the chain is that of this loop: an entry whose transaction commits
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
