import { hasSmsBudget } from '@fiado/chassis/clients/notifier';
import type { Db } from '@fiado/chassis/db/database';
import { query, queryRow } from '@fiado/chassis/db/query';
import { internalEndpoint } from '@fiado/chassis/http/endpoint';
import { appendToOutbox } from '@fiado/chassis/outbox/append';
import { smsRows } from '@fiado/chassis/outbox/sms-rows';
import { codeOf, isRightCode, newCodeSaltFor } from '@fiado/chassis/verification/code';
import {
  checkAccountCodeCall,
  openAccountLinkCall,
  type AccountLinkState,
} from '@fiado/contracts/account-link';
import { AppError } from '@fiado/contracts/errors';
import type { LinkCodeState } from '@fiado/contracts/links';
import { maskPhone } from '@fiado/contracts/phone';
import {
  CODE_LIFE_MS,
  MAX_CHECKS,
  MAX_SENDS,
  repeatsCode,
} from '@fiado/contracts/verification-rules';
import type { Context } from '../context';
import { PURPOSE } from '../db/purposes';
import { hashOfToken } from '../keys/secrets';
import { markProved } from '../verification/give-phone';
import type { CornerStoreRow } from '../corner-stores/corner-store.entity';
import type { WholesalerRow } from '../wholesalers/wholesaler.entity';
import type { UserRow } from '../corner-stores/user.entity';
import type { AccountLinkRow } from './account-link.entity';

export const openAccountLinkEndpoint = internalEndpoint({
  call: openAccountLinkCall,
  allow: ['service:gateway'],
  // The state of an account link. Sends the code if a button was pressed.
  handle: async (context: Context, { token, sendCode }): Promise<AccountLinkState> => {
    const tokenHash = hashOfToken(token);
    const link = await findAccountLink(context.db, tokenHash);
    if (link === undefined) return { valid: false };
    const phone = context.sealer.open(link.phone, PURPOSE.phone, link.cornerStoreId);
    const phoneMasked = maskPhone(phone);
    if (sendCode === 'never' || (sendCode === 'if-never-sent' && link.sends > 0)) {
      return { valid: true, phoneMasked, code: codeStateOf(link), checksLeft: checksLeftOf(link) };
    }
    // Asked outside the database transaction, which would hold the link's lock meanwhile.
    const { wholesalerId } = link;
    const sms = { template: 'account-code', phone, wholesalerId, lifeMs: CODE_LIFE_MS } as const;
    if (!(await hasSmsBudget(context, sms))) throw new AppError('TOO_MANY_ATTEMPTS');
    await sendAccountCode(context, { tokenHash, phone, first: sendCode === 'if-never-sent' });
    return { valid: true, phoneMasked, code: 'valid' };
  },
});

export const checkAccountCodeEndpoint = internalEndpoint({
  call: checkAccountCodeCall,
  allow: ['service:gateway'],
  // Checks the code of an account link: five checks for each code, ten wrong ones for the link.
  handle: async ({ db, config, relay }: Context, { token, code }) => {
    const link = await findAccountLink(db, hashOfToken(token));
    if (link?.codeSalt == null || link.isToOldPhone) throw new AppError('VERIFICATION_NOT_VALID');
    const { id, codeSalt: salt, userId, wholesalerId, wholesaler } = link;
    const isWrong = !isRightCode(config, id, salt, code);
    const counted = await countAccountCheck(db, { id, salt, isWrong });
    if (counted === 'refused') throw new AppError('TOO_MANY_ATTEMPTS');
    if (!counted || isWrong) throw new AppError('VERIFICATION_NOT_VALID');
    await db.transaction((tx) => markProved(tx, link.phoneIndex));
    relay.wake();
    return { userId, wholesalerId, wholesaler };
  },
});

function checksLeftOf({ checks, wrongCodes }: AccountLink): number {
  return Math.max(0, Math.min(MAX_CHECKS - checks, MAX_WRONG_CODES_OF_LINK - wrongCodes));
}

function codeStateOf({ sends, isUsedUp, isExpired, isToOldPhone }: AccountLink): LinkCodeState {
  if (sends === 0) return 'unsent';
  if (isUsedUp) return 'used-up';
  return isExpired || isToOldPhone ? 'expired' : 'valid';
}

async function sendAccountCode(
  context: Context,
  { tokenHash, phone, first }: { tokenHash: Buffer; phone: string; first: boolean },
): Promise<void> {
  const { db, sealer, config, relay } = context;
  await db.transaction(async (tx) => {
    const link = await findAccountLink(tx, tokenHash, 'FOR UPDATE OF link');
    if (link === undefined || (first && link.sends > 0)) return;
    if (link.sends >= MAX_SENDS) throw new AppError('TOO_MANY_ATTEMPTS');
    const { wholesalerId, checks, now } = link;
    const state = { status: 'pending', sends: link.sends, checks } as const;
    const { codeSalt, codeExpiresAt, isToOldPhone } = link;
    const repeats =
      codeSalt !== null &&
      codeExpiresAt !== null &&
      !isToOldPhone &&
      repeatsCode({ ...state, expiresAt: codeExpiresAt }, now);
    const salt = repeats ? codeSalt : newCodeSaltFor(config, phone);
    const expiresAt = repeats ? codeExpiresAt : new Date(now.getTime() + CODE_LIFE_MS);
    // Stores the code of a locked link as sent; a new one has checks of its own.
    await query(
      tx,
      `UPDATE account_links
          SET sends = sends + 1, code_salt = $2, code_expires_at = $3, phone_index = $4,
              checks = CASE WHEN $5 THEN 0 ELSE checks END
        WHERE id = $1`,
      [link.id, salt, expiresAt, link.phoneIndex, !repeats],
    );
    await appendToOutbox(
      tx,
      smsRows(sealer, {
        template: 'account-code',
        phone,
        unprovenBy: link.unprovenBy,
        values: { code: codeOf(config.CODE_PEPPER, link.id, salt) },
        wholesalerId,
        subjectId: link.userId,
        expiresAt,
      }),
    );
  });
  relay.wake();
}

interface AccountLink
  extends
    Pick<
      AccountLinkRow,
      'id' | 'userId' | 'wholesalerId' | 'codeSalt' | 'codeExpiresAt' | 'sends' | 'checks'
    >,
    Pick<UserRow, 'phoneIndex'> {
  cornerStoreId: CornerStoreRow['id'];
  wholesaler: WholesalerRow['name'];
  phone: NonNullable<UserRow['phone']>;
  /** The wholesaler that set the phone, while no code has proved it. */
  unprovenBy: UserRow['phoneUnprovenBy'];
  /** Over all codes of the link. */
  wrongCodes: AccountLinkRow['wrongCodes'];
  isExpired: boolean;
  isUsedUp: boolean;
  /** Whether the code was sent to the phone that the user had before. */
  isToOldPhone: boolean;
  now: Date;
}

/** @param lock of a link whose code is about to be sent */
function findAccountLink(
  db: Db,
  tokenHash: Buffer,
  lock: '' | 'FOR UPDATE OF link' = '',
): Promise<AccountLink | undefined> {
  return queryRow<AccountLink>(
    db,
    `SELECT link.id, link.user_id, s.id AS corner_store_id, link.wholesaler_id,
            w.name AS wholesaler, u.phone, u.phone_index,
            u.phone_unproven_by AS "unprovenBy", link.code_salt, link.code_expires_at,
            link.sends, link.checks, link.wrong_codes, coalesce(link.code_expires_at <= now(), false) AS is_expired,
            link.checks >= ${MAX_CHECKS} AS is_used_up,
            coalesce(link.phone_index <> u.phone_index, false) AS is_to_old_phone, now() AS now
       FROM account_links link
       JOIN users u ON u.id = link.user_id
       JOIN corner_stores s ON s.user_id = u.id AND s.blocked_at IS NULL
       JOIN wholesalers w ON w.id = link.wholesaler_id
      WHERE link.token_hash = $1 AND link.expires_at > now() ${lock}`,
    [tokenHash],
  );
}

/** Wrong codes on one link, over all of its codes. */
const MAX_WRONG_CODES_OF_LINK = 10;

/**
 * Counts a check before its result is used, in one statement with its own commit, so that parallel
 * guesses share the limits.
 * @returns false when the code has no checks left or was replaced; `refused` after too many wrong codes
 */
async function countAccountCheck(
  db: Db,
  { id, salt, isWrong }: { id: string; salt: Buffer; isWrong: boolean },
): Promise<boolean | 'refused'> {
  const [row] = await query<{ counted: boolean; refused: boolean }>(
    db,
    `WITH counted AS (
       UPDATE account_links SET checks = checks + $3, wrong_codes = wrong_codes + $3
        WHERE id = $1 AND code_salt = $2 AND code_expires_at > now() AND checks < ${MAX_CHECKS}
          AND wrong_codes < ${MAX_WRONG_CODES_OF_LINK}
       RETURNING id
     )
     SELECT EXISTS (SELECT FROM counted) AS counted,
            (SELECT wrong_codes >= ${MAX_WRONG_CODES_OF_LINK} FROM account_links WHERE id = $1)
              AS refused`,
    [id, salt, isWrong ? 1 : 0],
  );
  if (row?.counted === true) return true;
  return row?.refused === true ? 'refused' : false;
}
