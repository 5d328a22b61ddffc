import type { KycLinkAnswer, KycLinkQuestion } from '@fiado/contracts/kyc-link';
import type { Context } from '../context';
import { openLink } from '../db/kyc-links.repository';
import { hashOfToken } from '../domain/secret-token';
import { progressOf } from '../domain/onboarding';
import { PURPOSE } from '../domain/sealing-purposes';

/**
 * The content of a link's page: the first name and the missing steps, and nothing that identifies a
 * person.
 */
export async function openKycLink(
  { db, sealer }: Context,
  { token, noticeVersion }: KycLinkQuestion,
): Promise<KycLinkAnswer> {
  const opened = await openLink(db, hashOfToken(token), noticeVersion ?? null);
  if (opened === undefined) return { valid: false };
  return {
    valid: true,
    wholesalerId: opened.wholesalerId,
    firstName: sealer.open(opened.firstName, PURPOSE.firstName, opened.userId),
    status: opened.status,
    missingSteps: progressOf(opened.steps).missingSteps,
    consented: opened.consented,
  };
}
