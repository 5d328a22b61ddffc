import type { Db } from '@fiado/chassis/db/database';
import { query, queryRow } from '@fiado/chassis/db/query';
import type { CornerStoreStatus } from '@fiado/contracts/corner-store';
import type { OnboardingStep } from '@fiado/contracts/onboarding';

/** Whose page a link opens, and how far that store is. */
export interface OpenedLink {
  kycLinkId: string;
  verificationId: string;
  wholesalerId: string;
  cornerStoreId: string;
  userId: string;
  firstName: Buffer;
  status: CornerStoreStatus;
  steps: OnboardingStep[];
  consented: boolean;
}

/**
 * @param noticeVersion of the privacy notice that `consented` is about
 * @returns undefined for a link that is unknown or past its life
 */
export function openLink(
  db: Db,
  tokenHash: Buffer,
  noticeVersion: string | null,
): Promise<OpenedLink | undefined> {
  return queryRow<OpenedLink>(
    db,
    `SELECT k.id AS "kycLinkId", v.id AS "verificationId", v.wholesaler_id AS "wholesalerId",
            s.id AS "cornerStoreId", u.id AS "userId", u.first_name, s.status,
            s.onboarding_steps AS steps,
            EXISTS (SELECT FROM privacy_consents
                     WHERE verification_id = v.id AND notice_version = $2) AS consented
       FROM kyc_links k
       JOIN verifications v ON v.id = k.verification_id
       JOIN users u ON u.id = v.user_id
       JOIN corner_stores s ON s.user_id = u.id
      WHERE k.token_hash = $1 AND k.expires_at > now()`,
    [tokenHash, noticeVersion],
  );
}

/** Inserts a link and deletes the expired links of the same verification. */
export async function insertLink(
  tx: Db,
  link: { id: string; verificationId: string; tokenHash: Buffer; lifeMs: number },
): Promise<void> {
  await query(
    tx,
    `WITH over AS (DELETE FROM kyc_links WHERE verification_id = $2 AND expires_at <= now())
     INSERT INTO kyc_links (id, verification_id, token_hash, expires_at)
     VALUES ($1, $2, $3, now() + make_interval(secs => $4::float / 1000))`,
    [link.id, link.verificationId, link.tokenHash, link.lifeMs],
  );
}

/** @returns false where that version was consented to before: the first time is kept */
export async function insertConsent(
  tx: Db,
  consent: { verificationId: string; noticeVersion: string; noticeUrl: string },
): Promise<boolean> {
  const inserted = await query(
    tx,
    `INSERT INTO privacy_consents (verification_id, notice_version, notice_url)
     VALUES ($1, $2, $3) ON CONFLICT DO NOTHING RETURNING verification_id`,
    [consent.verificationId, consent.noticeVersion, consent.noticeUrl],
  );
  return inserted.length > 0;
}
