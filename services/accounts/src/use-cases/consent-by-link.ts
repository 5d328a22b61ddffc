import type { KycConsent } from '@fiado/contracts/kyc-link';
import type { Context } from '../context';
import { recordAudit } from '../db/audit-log.repository';
import { insertConsent, openLink } from '../db/kyc-links.repository';
import { linkCaller } from '../domain/kyc-link';
import { hashOfToken } from '../domain/secret-token';

/**
 * Keeps that the owner of a corner store consented to a version of the privacy notice, and when. A
 * link that has ended changes nothing.
 */
export async function consentByLink(
  { db }: Context,
  { token, noticeVersion, noticeUrl }: KycConsent,
): Promise<void> {
  const link = await openLink(db, hashOfToken(token), noticeVersion);
  if (link === undefined) return;
  const { verificationId, wholesalerId, cornerStoreId, kycLinkId } = link;
  await db.transaction(async (tx) => {
    if (!(await insertConsent(tx, { verificationId, noticeVersion, noticeUrl }))) return;
    await recordAudit(tx, {
      by: linkCaller(wholesalerId),
      action: 'onboarding.consented',
      objectId: cornerStoreId,
      details: { noticeVersion, kycLinkId },
    });
  });
}
