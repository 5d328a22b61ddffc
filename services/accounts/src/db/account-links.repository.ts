import type { Db } from '@fiado/chassis/db/database';
import { query, queryOne, queryRow } from '@fiado/chassis/db/query';
import { MAX_CHECKS } from '@fiado/contracts/verification-rules';

/** Wrong codes on one link, over all of its codes. */
const MAX_WRONG_CODES_OF_LINK = 10;

export async function insertAccountLink(
  tx: Db,
  link: { id: string; userId: string; wholesalerId: string; tokenHash: Buffer; lifeMs: number },
): Promise<void> {
  await query(
    tx,
    `INSERT INTO account_links (id, user_id, wholesaler_id, token_hash, expires_at)
     VALUES ($1, $2, $3, $4, now() + make_interval(secs => $5::float / 1000))`,
    [link.id, link.userId, link.wholesalerId, link.tokenHash, link.lifeMs],
  );
}

/** Links that a wholesaler made for a user in the last 24 hours. */
export async function countAccountLinks(
  tx: Db,
  { userId, wholesalerId }: { userId: string; wholesalerId: string },
): Promise<number> {
  const { links } = await queryOne<{ links: number }>(
    tx,
    `SELECT count(*) AS links FROM account_links
      WHERE user_id = $1 AND wholesaler_id = $2 AND created_at > now() - interval '1 day'`,
    [userId, wholesalerId],
  );
  return links;
}

export interface AccountLink {
  id: string;
  userId: string;
  cornerStoreId: string;
  wholesalerId: string;
  wholesaler: string;
  phone: Buffer;
  phoneIndex: Buffer;
  codeSalt: Buffer | null;
  codeExpiresAt: Date | null;
  sends: number;
  checks: number;
  isExpired: boolean;
  isUsedUp: boolean;
  /** Whether the code was sent to the phone that the user had before. */
  isToOldPhone: boolean;
  now: Date;
}

/** @param lock of a link whose code is about to be sent */
export function findAccountLink(
  db: Db,
  tokenHash: Buffer,
  lock: '' | 'FOR UPDATE OF link' = '',
): Promise<AccountLink | undefined> {
  return queryRow<AccountLink>(
    db,
    `SELECT link.id, link.user_id, s.id AS corner_store_id, link.wholesaler_id,
            w.name AS wholesaler, u.phone, u.phone_index, link.code_salt, link.code_expires_at,
            link.sends, link.checks, coalesce(link.code_expires_at <= now(), false) AS is_expired,
            link.checks >= ${MAX_CHECKS} AS is_used_up,
            coalesce(link.phone_index <> u.phone_index, false) AS is_to_old_phone, now() AS now
       FROM account_links link
       JOIN users u ON u.id = link.user_id
       JOIN corner_stores s ON s.user_id = u.id
       JOIN wholesalers w ON w.id = link.wholesaler_id
      WHERE link.token_hash = $1 AND link.expires_at > now() ${lock}`,
    [tokenHash],
  );
}

/** Stores the code of a locked link as sent; a new one has checks of its own. */
export async function storeSentCode(
  tx: Db,
  { id, phoneIndex }: Pick<AccountLink, 'id' | 'phoneIndex'>,
  { salt, expiresAt, isNew }: { salt: Buffer; expiresAt: Date; isNew: boolean },
): Promise<void> {
  await query(
    tx,
    `UPDATE account_links
        SET sends = sends + 1, code_salt = $2, code_expires_at = $3, phone_index = $4,
            checks = CASE WHEN $5 THEN 0 ELSE checks END
      WHERE id = $1`,
    [id, salt, expiresAt, phoneIndex, isNew],
  );
}

/**
 * Counts a check before its result is used, in one statement with its own commit, so that parallel
 * guesses share the limits.
 * @returns false when the code has no checks left or was replaced; `refused` after too many wrong codes
 */
export async function countAccountCheck(
  db: Db,
  { id, salt, isWrong }: { id: string; salt: Buffer; isWrong: boolean },
): Promise<boolean | 'refused'> {
  const [row] = await query<{ counted: boolean; refused: boolean }>(
    db,
    `WITH counted AS (
       UPDATE account_links SET checks = checks + 1, wrong_codes = wrong_codes + $3
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
