import type { Db } from '@fiado/chassis/db/database';
import { query } from '@fiado/chassis/db/query';
import type { Context } from '../context';
import { CHAIN_START, type ChainBreak, type ChainPoint } from './audit-chain';
import { CHECK_START, type CheckCursor, verifyAuditChain } from './verify-audit-chain';

const CHECK_EVERY_HOURS = 24;

/**
 * Checks the whole audit chain once a day and anchors it outside the database. A broken chain is reported and not anchored: a signature would vouch for it.
 * @param stopping ends the check early; the next round, of any instance, starts again
 * @throws Error when the anchor cannot be written; the next round tries again
 */
export async function anchorAuditChain(context: Context, stopping?: AbortSignal): Promise<void> {
  const { db } = context;
  if (!(await claimDailyCheck(db, CHECK_EVERY_HOURS))) return;
  try {
    await checkAndAnchor(context, stopping);
  } catch (error) {
    await makeCheckDue(db);
    throw error;
  }
}

async function checkAndAnchor(context: Context, stopping?: AbortSignal): Promise<void> {
  const { db, auditAnchors, clock, log } = context;
  const checked = await verifyWholeChain(context, stopping);
  if (checked === undefined) return makeCheckDue(db);
  const { end, broken } = checked;
  await query(db, 'UPDATE audit_chain_head SET break = $1', [broken]);
  if (broken !== undefined) {
    log.error({ auditBreak: broken }, 'the audit chain is broken');
    return;
  }
  if (end.position === CHAIN_START.position) return;
  const anchor = await auditAnchors.add(end, clock.now());
  log.info({ position: end.position, anchor }, 'audit chain anchored');
}

/** @returns undefined when it was stopped before the end */
async function verifyWholeChain(
  context: Context,
  stopping?: AbortSignal,
): Promise<{ end: ChainPoint; broken?: ChainBreak } | undefined> {
  let end = CHAIN_START;
  let cursor: CheckCursor | undefined = CHECK_START;
  while (cursor !== undefined) {
    if (stopping?.aborted === true) return undefined;
    const page = await verifyAuditChain(context, { cursor, until: undefined });
    if (page.broken !== undefined) return { end, broken: page.broken };
    end = page.point ?? end;
    cursor = page.next;
  }
  return { end };
}

/** Starts the check of the day. @returns false when it is not due, or another instance makes it */
async function claimDailyCheck(db: Db, everyHours: number): Promise<boolean> {
  const claimed = await query(
    db,
    `UPDATE audit_chain_head SET checked_at = now()
      WHERE checked_at < now() - make_interval(hours => $1) RETURNING 1`,
    [everyHours],
  );
  return claimed.length > 0;
}

/** After a check that failed: it is not to wait for a day. */
async function makeCheckDue(db: Db): Promise<void> {
  await query(db, "UPDATE audit_chain_head SET checked_at = '-infinity'");
}
