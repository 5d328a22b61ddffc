import type { Database, Db } from '@fiado/chassis/db/database';
import { STATEMENT_ENDED_MS } from '@fiado/chassis/db/limited-client';
import { query } from '@fiado/chassis/db/query';
import type { Logger } from '@fiado/chassis/logger';
import { storeAttempts, type FinishedAttempt } from './messages.sql';

/**
 * Makes messages pending again if this process claimed them in a statement whose answer was lost: the provider was
 * called for none of them. Otherwise they would become unknown, and never be sent.
 * @param lostClaims claims whose statement has certainly ended are removed from it
 * @throws Error while the database is unavailable
 */
export async function giveBackLostClaims(
  { db, keepsBodies, log }: { db: Database; keepsBodies: boolean; log: Logger },
  lostClaims: Map<string, number>,
): Promise<void> {
  if (lostClaims.size === 0) return;
  const lookedAtMs = performance.now();
  const attempts = await findClaimed(db, [...lostClaims.keys()]);
  if (attempts.length > 0) {
    const outcome = { status: 'pending' as const, reason: 'CLAIM_LOST', retryInMs: 0 };
    const finished = attempts.map((claimed) => ({ claimed, outcome }));
    await storeAttempts(db, finished, !keepsBodies);
    log.warn(
      { messages: finished.length },
      'the answer of a claim was lost: its messages are pending again',
    );
  }
  // A statement without an answer may still run, and claim messages after this look.
  for (const [claimId, lostAtMs] of lostClaims) {
    if (lookedAtMs - lostAtMs > STATEMENT_ENDED_MS) lostClaims.delete(claimId);
  }
}

/** The messages of these claims that nobody has settled. */
function findClaimed(db: Db, claimIds: string[]): Promise<FinishedAttempt['claimed'][]> {
  return query(
    db,
    `SELECT id, attempts AS attempt, attempted_at AS started_at FROM messages
      WHERE status = 'sending' AND claim_id = ANY($1)`,
    [claimIds],
  );
}
