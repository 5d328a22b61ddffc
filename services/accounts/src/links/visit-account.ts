import type { Db } from '@fiado/chassis/db/database';
import { query, queryOne, queryRow, timeOf } from '@fiado/chassis/db/query';
import { internalEndpoint } from '@fiado/chassis/http/endpoint';
import { appendToOutbox } from '@fiado/chassis/outbox/append';
import { smsRows } from '@fiado/chassis/outbox/sms-rows';
import { codeOf, isRightCode, newCodeSalt, newCodeSaltFor } from '@fiado/chassis/verification/code';
import {
  type CheckedAccount,
  checkVisitCodeCall,
  openVisitCall,
  startVisitCall,
  type VisitState,
  whatsappConsentCall,
} from '@fiado/contracts/account-visit';
import { AppError } from '@fiado/contracts/errors';
import { newId } from '@fiado/contracts/new-id';
import { maskPhone } from '@fiado/contracts/phone';
import { CODE_LIFE_MS, MAX_CHECKS, repeatsCode } from '@fiado/contracts/verification-rules';
import type { Context } from '../context';
import { PURPOSE } from '../db/purposes';
import { hashOfToken, newSecretToken } from '../keys/secrets';
import { setWhatsappConsent } from '../privacy/whatsapp-consent';
import { markProved } from '../verification/give-phone';
import { AccountVisitRow } from './account-visit.entity';
import type { UserRow } from '../corner-stores/user.entity';
import type { CornerStoreRow } from '../corner-stores/corner-store.entity';

/** Time to receive and type the code, resends included. */
const WAIT_MS = 60 * 60_000;
/** How long a visitor sees the account after the right code. */
const SESSION_MS = 15 * 60_000;
/**
 * SMS to one number for its visits in 24 hours, of one address and of all. A stranger uses up an address's, and not
 * the owner's. With five checks a code, all of them are a chance of 1 in 16,000 to guess one in a day; and
 * they leave SMS of the number to codes and receipts.
 */
const MAX_SENDS_OF_ADDRESS = 4;
const MAX_SENDS_OF_PHONE = 12;
/** Visits from one address in an hour: the phones of a mobile carrier share a few addresses. */
const MAX_VISITS_OF_ADDRESS = 60;
/** Visits of the whole installation in an hour: what a flood from many addresses may cost. */
const MAX_VISITS = 2_000;
/**
 * Limits per hour of the whole installation, against an attacker who guesses codes of many numbers (docs/security.md).
 */
export const VISIT_LIMITS = {
  /** After so many wrong codes in an hour, only `visitsWhileSlow` visits an hour may begin. */
  wrongCodesUntilSlow: 250,
  visitsWhileSlow: 100,
  /**
   * After so many wrong codes in an hour no code is checked, because many visits may have begun before the first
   * guess.
   */
  wrongCodes: 500,
  /** The same for visits from one address: a few addresses must not use up the limit of all. */
  wrongCodesOfAddress: 50,
};
/** The actor in the audit log of a consent on the page: the code is the proof. */
const BY_PAGE = { kind: 'service', id: 'mi-cuenta' } as const;
/** Wholesalers that a page shows. A store has a few. */
const MAX_ACCOUNTS = 20;

export const startVisitEndpoint = internalEndpoint({
  call: startVisitCall,
  allow: ['service:gateway'],
  // Works alike for a number that no user has, so that nobody learns who is a customer.
  handle: async (context: Context, { phone, address }) => {
    const { db, sealer, config } = context;
    const id = newId();
    const { token, tokenHash } = newSecretToken();
    const phoneIndex = sealer.blindIndex(phone, PURPOSE.phone);
    const addressIndex = sealer.blindIndex(address, 'visitor-address');
    const codeSalt = newCodeSaltFor(config, phone);
    await db.transaction(async (tx) => {
      await requireVisitBudget(tx, phoneIndex, addressIndex);
      await tx.manager.insert(AccountVisitRow, {
        id,
        tokenHash,
        phoneIndex,
        phoneMasked: maskPhone(phone),
        addressIndex,
        codeSalt,
        ...(await endsOf(tx)),
      });
      await sendVisitCode(context, tx, { id, phoneIndex, codeSalt });
    });
    return { token };
  },
});

export const openVisitEndpoint = internalEndpoint({
  call: openVisitCall,
  allow: ['service:gateway'],
  // The state of a visit. Sends the code again if the button was pressed.
  handle: async (context: Context, { token, sendCode }): Promise<VisitState> => {
    const tokenHash = hashOfToken(token);
    if (sendCode === 'again') await resendVisitCode(context, tokenHash);
    const visit = await findVisit(context.db, tokenHash);
    if (visit === undefined) return { state: 'ended' };
    const { userId, isProved, phoneMasked, checks, isExpired } = visit;
    if (isProved && userId !== null) {
      const accounts = await findProvedAccounts(context.db, userId);
      if (context.config.WHATSAPP_FROM === undefined) return { state: 'open', accounts };
      return { state: 'open', accounts, whatsapp: visit.agreesToWhatsapp ? 'agreed' : 'offered' };
    }
    const isUsedUp = checks >= MAX_CHECKS;
    return {
      state: 'waiting',
      phoneMasked,
      code: isUsedUp ? 'used-up' : isExpired ? 'expired' : 'valid',
      checksLeft: Math.max(0, MAX_CHECKS - checks),
    };
  },
});

export const checkVisitCodeEndpoint = internalEndpoint({
  call: checkVisitCodeCall,
  allow: ['service:gateway'],
  // Checks the code of a visit: five checks for each code.
  handle: async ({ db, config }: Context, { token, code }) => {
    const visit = await findVisit(db, hashOfToken(token));
    if (visit === undefined || visit.isProved) throw new AppError('VERIFICATION_NOT_VALID');
    const { id, codeSalt, phoneIndex, userId } = visit;
    const isRight = isRightCode(config, id, codeSalt, code) && userId !== null;
    // Counted before the result is used, so that parallel guesses share the checks.
    const counted = await db.transaction(async (tx) => {
      await requireGuessesLeft(tx, visit.addressIndex);
      return query(
        tx,
        `UPDATE account_visits SET checks = checks + $3, wrong_codes = wrong_codes + $3
          WHERE id = $1 AND code_salt = $2 AND code_expires_at > now() AND checks < ${MAX_CHECKS}
         RETURNING id`,
        [id, codeSalt, isRight ? 0 : 1],
      );
    });
    if (counted.length === 0 || !isRight) throw new AppError('VERIFICATION_NOT_VALID');
    await db.transaction(async (tx) => {
      await query(
        tx,
        `UPDATE account_visits
            SET proved_at = now(), expires_at = now() + make_interval(secs => $2::float / 1000)
          WHERE id = $1`,
        [id, SESSION_MS],
      );
      await markProved(tx, phoneIndex);
    });
    return {};
  },
});

export const whatsappConsentEndpoint = internalEndpoint({
  call: whatsappConsentCall,
  allow: ['service:gateway'],
  handle: async ({ db }: Context, { token, agrees }) => {
    const visit = await findVisit(db, hashOfToken(token));
    const userId = visit?.isProved === true ? visit.userId : null;
    if (userId === null) throw new AppError('VERIFICATION_NOT_VALID');
    await db.transaction((tx) => setWhatsappConsent(tx, { by: BY_PAGE, userId, agrees }));
    return {};
  },
});

/**
 * Serializes the checks of codes, so that parallel guesses do not pass the limits of an hour. Right codes count too;
 * otherwise the answer would tell them from wrong ones.
 * @throws AppError TOO_MANY_ATTEMPTS
 */
async function requireGuessesLeft(tx: Db, addressIndex: Buffer): Promise<void> {
  await query(tx, `SELECT pg_advisory_xact_lock(hashtextextended('codes of visits', 0))`);
  const { ofAll, ofAddress } = await queryOne<{ ofAll: number; ofAddress: number }>(
    tx,
    `SELECT coalesce(sum(wrong_codes), 0)::integer AS "ofAll",
            coalesce(sum(wrong_codes) FILTER (WHERE address_index = $1), 0)::integer AS "ofAddress"
       FROM account_visits WHERE created_at > now() - interval '1 hour'`,
    [addressIndex],
  );
  const { wrongCodes, wrongCodesOfAddress } = VISIT_LIMITS;
  if (ofAll >= wrongCodes || ofAddress >= wrongCodesOfAddress) {
    throw new AppError('TOO_MANY_ATTEMPTS');
  }
}

/**
 * Locks the number until the database transaction ends, so that its parallel visits share the budget.
 * @throws AppError TOO_MANY_ATTEMPTS
 */
async function requireVisitBudget(tx: Db, phoneIndex: Buffer, addressIndex: Buffer): Promise<void> {
  await query(tx, 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [
    phoneIndex.toString('base64'),
  ]);
  const use = await queryOne<{
    ofPhone: number;
    ofBoth: number;
    ofAddress: number;
    ofAll: number;
    wrong: number;
  }>(
    tx,
    `SELECT (SELECT coalesce(sum(sends), 0)::integer FROM account_visits
              WHERE phone_index = $1 AND created_at > now() - interval '1 day') AS "ofPhone",
            (SELECT coalesce(sum(sends), 0)::integer FROM account_visits
              WHERE phone_index = $1 AND address_index = $2
                AND created_at > now() - interval '1 day') AS "ofBoth",
            (SELECT count(*) FROM account_visits
              WHERE address_index = $2 AND created_at > now() - interval '1 hour') AS "ofAddress",
            hour.visits AS "ofAll", hour.wrong
       FROM (SELECT count(*) AS visits, coalesce(sum(wrong_codes), 0)::integer AS wrong
               FROM account_visits WHERE created_at > now() - interval '1 hour') hour`,
    [phoneIndex, addressIndex],
  );
  const { wrongCodesUntilSlow, visitsWhileSlow } = VISIT_LIMITS;
  const maxVisits = use.wrong < wrongCodesUntilSlow ? MAX_VISITS : visitsWhileSlow;
  const isOver =
    use.ofPhone >= MAX_SENDS_OF_PHONE ||
    use.ofBoth >= MAX_SENDS_OF_ADDRESS ||
    use.ofAddress >= MAX_VISITS_OF_ADDRESS ||
    use.ofAll >= maxVisits;
  if (isOver) throw new AppError('TOO_MANY_ATTEMPTS');
}

async function endsOf(tx: Db): Promise<{ codeExpiresAt: Date; expiresAt: Date }> {
  const now = await timeOf(tx);
  return {
    codeExpiresAt: new Date(now.getTime() + CODE_LIFE_MS),
    expiresAt: new Date(now.getTime() + WAIT_MS),
  };
}

/** A number that no user has, or whose user's data are blocked or store is paused, gets no SMS. */
async function sendVisitCode(
  { sealer, config }: Context,
  tx: Db,
  { id, phoneIndex, codeSalt }: { id: string; phoneIndex: Buffer; codeSalt: Buffer },
): Promise<void> {
  const user = await queryRow<{
    userId: UserRow['id'];
    cornerStoreId: CornerStoreRow['id'];
    phone: NonNullable<UserRow['phone']>;
    unprovenBy: UserRow['phoneUnprovenBy'];
    until: AccountVisitRow['codeExpiresAt'];
  }>(
    tx,
    `SELECT u.id AS "userId", s.id AS "cornerStoreId", u.phone,
            u.phone_unproven_by AS "unprovenBy", visit.code_expires_at AS until
       FROM account_visits visit
       JOIN users u ON u.phone_index = $2
       JOIN corner_stores s ON s.user_id = u.id AND s.blocked_at IS NULL AND s.pause IS NULL
      WHERE visit.id = $1`,
    [id, phoneIndex],
  );
  if (user === undefined) return;
  await appendToOutbox(
    tx,
    smsRows(sealer, {
      template: 'account-code',
      phone: sealer.open(user.phone, PURPOSE.phone, user.cornerStoreId),
      unprovenBy: user.unprovenBy,
      values: { code: codeOf(config.CODE_PEPPER, id, codeSalt) },
      subjectId: user.userId,
      expiresAt: user.until,
    }),
  );
}

/** @throws AppError TOO_MANY_ATTEMPTS when the number's SMS of the day are used up */
async function resendVisitCode(context: Context, tokenHash: Buffer): Promise<void> {
  await context.db.transaction(async (tx) => {
    const visit = await findVisit(tx, tokenHash);
    if (visit === undefined || visit.isProved) return;
    const { id, phoneIndex, addressIndex, codeSalt: salt, checks, sends, now } = visit;
    await requireVisitBudget(tx, phoneIndex, addressIndex);
    const state = { status: 'pending', checks, sends, expiresAt: visit.codeExpiresAt } as const;
    const repeats = repeatsCode(state, now);
    const codeSalt = repeats ? salt : newCodeSalt();
    await query(
      tx,
      `UPDATE account_visits
          SET sends = sends + 1, code_salt = $2,
              checks = CASE WHEN $3 THEN checks ELSE 0 END,
              code_expires_at = CASE WHEN $3 THEN code_expires_at
                                     ELSE now() + make_interval(secs => $4::float / 1000) END
        WHERE id = $1`,
      [id, codeSalt, repeats, CODE_LIFE_MS],
    );
    await sendVisitCode(context, tx, { id, phoneIndex, codeSalt });
  });
}

/** The owner who has typed the code of an open visit; undefined without one, and where the page shows no account. */
export async function findVisitor(db: Db, token: string): Promise<string | undefined> {
  const visit = await findVisit(db, hashOfToken(token));
  if (visit?.isProved !== true || visit.userId === null) return undefined;
  const accounts = await findProvedAccounts(db, visit.userId);
  return accounts.length === 0 ? undefined : visit.userId;
}

interface Visit extends Pick<
  AccountVisitRow,
  | 'id'
  | 'phoneIndex'
  | 'phoneMasked'
  | 'addressIndex'
  | 'codeSalt'
  | 'codeExpiresAt'
  | 'sends'
  | 'checks'
> {
  isExpired: boolean;
  isProved: boolean;
  /** The user that has the number now; null when there is none, or when the user’s data are blocked or
   * the store is paused. */
  userId: CornerStoreRow['userId'] | null;
  agreesToWhatsapp: boolean;
  now: Date;
}

function findVisit(db: Db, tokenHash: Buffer): Promise<Visit | undefined> {
  return queryRow<Visit>(
    db,
    `SELECT visit.id, visit.phone_index, visit.phone_masked, visit.address_index, visit.code_salt,
            visit.code_expires_at, visit.sends, visit.checks,
            visit.code_expires_at <= now() AS is_expired, visit.proved_at IS NOT NULL AS is_proved,
            s.user_id, u.whatsapp_agreed_at IS NOT NULL AS agrees_to_whatsapp, now() AS now
       FROM account_visits visit
       LEFT JOIN users u ON u.phone_index = visit.phone_index
       LEFT JOIN corner_stores s ON s.user_id = u.id AND s.blocked_at IS NULL AND s.pause IS NULL
      WHERE visit.token_hash = $1 AND visit.expires_at > now()`,
    [tokenHash],
  );
}

/**
 * The wholesalers whose debts the owner of the number may see. A wholesaler could change the number to one
 * of its own and read what is owed to its rivals. So after its change the number shows only the debts of
 * that wholesaler, until a code of another wholesaler proves the number, or ops confirms it.
 */
export function findProvedAccounts(db: Db, userId: string): Promise<CheckedAccount[]> {
  return query<CheckedAccount>(
    db,
    `SELECT u.id AS user_id, s.id AS corner_store_id, w.id AS wholesaler_id, w.name AS wholesaler
       FROM users u
       JOIN corner_stores s ON s.user_id = u.id
       JOIN customers c ON c.corner_store_id = s.id
       JOIN wholesalers w ON w.id = c.wholesaler_id
      WHERE u.id = $1
        AND (u.phone_given_by IS NULL OR u.phone_given_by = w.id
             OR EXISTS (SELECT FROM verifications v
                         WHERE v.user_id = u.id AND v.wholesaler_id = w.id
                           AND v.status = 'approved' AND v.phone_index = u.phone_index))
      ORDER BY w.name, w.id LIMIT ${MAX_ACCOUNTS}`,
    [userId],
  );
}
