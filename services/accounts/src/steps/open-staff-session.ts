import type { Transaction } from '@fiado/chassis/db/database';
import type { NewStaffSession } from '@fiado/contracts/staff-sign-in';
import { AppError } from '@fiado/contracts/errors';
import { newId } from '@fiado/contracts/new-id';
import { recordAudit } from '../db/audit-log.repository';
import {
  endSessionByToken,
  insertSession,
  type SessionDevice,
} from '../db/staff-sessions.repository';
import { hashOfToken, newSecretToken } from '../domain/secret-token';
import { staffActor } from '../domain/staff-actor';

/** How the person proved who it is. */
export type SignInMethod = 'passkey' | 'identity-provider' | 'sandbox-link';

/**
 * Opens a session with a token of its own and audits the sign-in. Confirming an older session ends
 * it, so that a copied cookie gains nothing from it.
 * @param replaces the token of the session that is confirmed
 * @param authTime absent: now, by the database's clock
 * @throws AppError SIGN_IN_NOT_VALID when that session is another person's, or has ended
 */
export async function openStaffSession(
  tx: Transaction,
  {
    staffId,
    method,
    replaces,
    authTime,
    address,
    agent,
  }: SessionDevice & {
    staffId: string;
    method: SignInMethod;
    replaces?: string | undefined;
    authTime?: Date;
  },
): Promise<NewStaffSession> {
  if (replaces !== undefined) {
    const ended = await endSessionByToken(tx, hashOfToken(replaces));
    if (ended?.staffId !== staffId) throw new AppError('SIGN_IN_NOT_VALID');
  }
  const { token, tokenHash: hash } = newSecretToken('fiado_session_');
  const id = newId();
  const session = { id, staffId, tokenHash: hash, authTime, address, agent };
  const { endsAt } = await insertSession(tx, session);
  await recordAudit(tx, {
    by: staffActor(staffId),
    action: 'staff.signed-in',
    objectId: staffId,
    details: { method, sessionId: id, again: replaces !== undefined },
  });
  return { sessionToken: token, endsAt: endsAt.toISOString() };
}
