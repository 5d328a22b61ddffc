import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Type } from 'class-transformer';
import {
  ArrayNotEmpty,
  ArrayUnique,
  IsArray,
  IsIn,
  IsObject,
  IsOptional,
  ValidateNested,
} from '@fiado/contracts/class-validator';
import type { Transaction } from '@fiado/chassis/db/database';
import { query } from '@fiado/chassis/db/query';
import * as t from '@fiado/chassis/openapi/json-schema';
import { About, DescribedAs } from '@fiado/contracts/about';
import { allOf, IsNonEmptyText, IsText } from '@fiado/contracts/decorators';
import { ValidationError } from '@fiado/contracts/errors';
import { MAX_NOTICE_VERSION } from '@fiado/contracts/kyc-link';
import { CONSENT_PURPOSES, type ConsentPurpose } from '@fiado/contracts/privacy';
import { momentWithOffset } from '@fiado/contracts/request-dates';
import type { AccountsConfig } from '../config';

/** Longer than any timestamp. */
export const MAX_MOMENT_TEXT = 40;
/** How far the clock of a caller may be ahead. */
const CLOCK_TOLERANCE_MS = 5 * 60_000;

export const consentAnswer = t.object('Consent', {
  noticeVersion: t.field(t.text, 'Version of the privacy notice', '1'),
  noticeUrl: t.textOrNull(
    'Where the notice stood; null where that is not known',
    'https://example.com/aviso-de-privacidad',
  ),
  noticeSha256: t.textOrNull(
    'SHA-256 of the file of the notice, in hexadecimal; null where there is none',
    '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  ),
  purposes: t.list(t.oneOf(CONSENT_PURPOSES), 'Purposes of the notice that the consent covers'),
  channel: t.field(t.oneOf(['link', 'api', 'ops']), 'How the consent was given'),
  givenAt: t.time('When the consent was given', '2026-10-01T16:05:00.000Z'),
  withdrawnAt: t.timeOrNull(
    'When its voluntary purposes were withdrawn; null while they count. The necessary ones stay',
    '2026-11-25T17:00:00.000Z',
  ),
});

@DescribedAs(consentAnswer.properties)
export class ConsentBody {
  @IsNonEmptyText(MAX_NOTICE_VERSION)
  noticeVersion: string;

  @About('When the person consented, with an offset', '2026-09-21T16:04:05Z')
  @IsText(MAX_MOMENT_TEXT)
  acceptedAt: string;

  /** Only the necessary ones without it. */
  @IsOptional()
  @IsArray()
  @ArrayNotEmpty()
  @ArrayUnique()
  @IsIn(CONSENT_PURPOSES, { each: true })
  purposes?: ConsentPurpose[];
}

/** Decorator: a JSON object of a consent. @ValidateNested alone would take an array of them. */
export function IsConsent(): PropertyDecorator {
  return allOf(
    IsOptional(),
    IsObject(),
    ValidateNested(),
    Type(() => ConsentBody),
  );
}

/** A consent of a person to a version of the privacy notice. */
export interface GivenConsent {
  noticeVersion: string;
  purposes: ConsentPurpose[];
  givenAt: Date;
}

/** @throws ValidationError for a moment without an offset, or to come */
export function consentOf(
  { acceptedAt, noticeVersion, purposes = ['necessary'] }: ConsentBody,
  now: Date,
): GivenConsent {
  const givenAt = pastMoment(acceptedAt, now, 'consent.acceptedAt');
  return { noticeVersion, purposes, givenAt };
}

/** @throws ValidationError, which names the field, for a moment without an offset, or to come */
export function pastMoment(text: string, now: Date, field: string): Date {
  const moment = momentWithOffset(text);
  if (moment === undefined || moment.getTime() > now.getTime() + CLOCK_TOLERANCE_MS) {
    throw new ValidationError([`${field} must be a past moment with an offset`]);
  }
  return moment;
}

/** The privacy notice that counts now. */
export interface PrivacyNotice {
  version: string;
  /** SHA-256 of its file; null where the lender keeps none. */
  sha256: Buffer | null;
}

/** @throws Error when the file cannot be read: the service does not start */
export function privacyNoticeOf({
  PRIVACY_VERSION: version,
  PRIVACY_NOTICE_FILE: file,
}: Pick<AccountsConfig, 'PRIVACY_VERSION' | 'PRIVACY_NOTICE_FILE'>): PrivacyNotice {
  const sha256 =
    file === undefined ? null : createHash('sha256').update(readFileSync(file)).digest();
  return { version, sha256 };
}

interface NewConsent extends Omit<GivenConsent, 'givenAt'> {
  userId: string;
  /** Null for a consent that came with an import. */
  verificationId: string | null;
  noticeUrl: string | null;
  channel: 'link' | 'api' | 'ops';
  /** Now without it. */
  givenAt?: Date;
}

/**
 * Stores a consent, with the hash of the notice when it is the version that counts now.
 * @returns false where the verification has a consent to that version: the first one is kept
 */
export async function recordConsent(
  { privacyNotice }: { privacyNotice: PrivacyNotice },
  tx: Transaction,
  consent: NewConsent,
): Promise<boolean> {
  const { noticeVersion, givenAt } = consent;
  const sha256 = noticeVersion === privacyNotice.version ? privacyNotice.sha256 : null;
  const inserted = await query(
    tx,
    `INSERT INTO consents (user_id, verification_id, notice_version, notice_url, notice_sha256,
                           purposes, channel, given_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, coalesce($8, now()))
     ON CONFLICT DO NOTHING RETURNING id`,
    [
      consent.userId,
      consent.verificationId,
      noticeVersion,
      consent.noticeUrl,
      sha256,
      consent.purposes,
      consent.channel,
      givenAt,
    ],
  );
  return inserted.length > 0;
}
