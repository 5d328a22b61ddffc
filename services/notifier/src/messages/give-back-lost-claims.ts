import type { Database, Db } from '@fiado/chassis/db/database';
import { STATEMENT_ENDED_MS } from '@fiado/chassis/db/limited-client';
import { query } from '@fiado/chassis/db/query';
import type { Logger } from '@fiado/chassis/logger';
import { storeAttempts, type FinishedAttempt } from './messages.sql';

/**
 * Makes the messages pending again that this process claimed in statements whose answer was lost: it has called the
 * provider for none of them. Without it they would become unknown, and never be sent.
 * @param lostClaims of which it removes those that cannot claim any more
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
  // A statement without an answer may still be running, and claim after this look.
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
