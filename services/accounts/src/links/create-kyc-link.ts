import { IsString } from '@fiado/contracts/class-validator';
import { query } from '@fiado/chassis/db/query';
import { endpoint } from '@fiado/chassis/http/endpoint';
import { answerInTransaction, type StoreAnswer } from '@fiado/chassis/idempotency';
import * as t from '@fiado/chassis/openapi/json-schema';
import { AppError } from '@fiado/contracts/errors';
import { newId, requireId } from '@fiado/contracts/new-id';
import type { Context } from '../context';
import { EXAMPLE_IDS } from '@fiado/contracts/event-examples';
import { newSecretToken } from '../keys/secrets';
import { findVerification } from '../verification/verifications.sql';
import { KYC_LINK_LIFE_MS } from './use-kyc-link';

class CreateKycLinkBody {
  @IsString()
  userId: string;

  @IsString()
  verificationId: string;
}

const { userId, verificationId } = EXAMPLE_IDS;

export const createKycLinkEndpoint = endpoint({
  id: 'createKycLink',
  as: 'accounts.createKycLink',
  ignoresUnknown: true,
  tag: 'Accounts',
  route: 'POST /v1/link/kyc',
  scope: 'accounts:write',
  names: { userId: 'user', verificationId: 'account-code' },
  summary: 'Create a link to the onboarding page of a user',
  description:
    'The user opens the link within 24 hours and records the onboarding steps on its page.',
  body: CreateKycLinkBody,
  bodyExample: { userId, verificationId },
  errors: ['USER_NOT_FOUND', 'VERIFICATION_NOT_FOUND'],
  idempotent: true,
  // The stored answer holds the link, which needs no other credential.
  answerSealer: ({ sealer }: Context) => sealer,
  status: 201,
  answer: t.object('KycLink', {
    kycLink: t.field(
      t.uri,
      'Address of the page on which the user records the onboarding steps',
      'https://fiado.example/kyc/Zk3nY8Qh1vBq0xW2r7T4uJ6pL9sD5fGaCeMiOoKbNyE',
    ),
  }),
  input: ({ body, caller }) => ({
    wholesalerId: caller.id,
    userId: requireId(body.userId, 'USER_NOT_FOUND'),
    verificationId: requireId(body.verificationId, 'VERIFICATION_NOT_FOUND'),
  }),
  // Creates a link to the onboarding page of a user, valid for a day. Only the hash of its token is
  // stored.
  handle: async (
    context: Context,
    { wholesalerId, userId, verificationId },
    answerOf: StoreAnswer<{ kycLink: string }>,
  ) => {
    const found = await findVerification(context.db, wholesalerId, { userId, verificationId });
    if (found === undefined) throw new AppError('USER_NOT_FOUND');
    if (found.codeSalt === null) throw new AppError('VERIFICATION_NOT_FOUND');

    const { token, tokenHash } = newSecretToken();
    // A page of the gateway: no identity is checked; it only shows the missing steps.
    const kycLink = `${context.config.PUBLIC_URL.replace(/\/+$/, '')}/kyc/${token}`;
    return answerInTransaction(context, answerOf, async (tx) => {
      // Inserts a link and deletes the expired links of the same verification.
      await query(
        tx,
        `WITH over AS (DELETE FROM kyc_links WHERE verification_id = $2 AND expires_at <= now())
         INSERT INTO kyc_links (id, verification_id, token_hash, expires_at)
         VALUES ($1, $2, $3, now() + make_interval(secs => $4::float / 1000))`,
        [newId(), verificationId, tokenHash, KYC_LINK_LIFE_MS],
      );
      return { kycLink };
    });
  },
  present: ({ kycLink }) => ({ kycLink }),
});
