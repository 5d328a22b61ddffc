import { IsString } from 'class-validator';
import type { Db } from '@fiado/chassis/db/database';
import { queryOne } from '@fiado/chassis/db/query';
import { endpoint } from '@fiado/chassis/http/endpoint';
import { answerInTransaction, type StoreAnswer } from '@fiado/chassis/idempotency';
import * as t from '@fiado/chassis/openapi/json-schema';
import { AppError } from '@fiado/contracts/errors';
import { newId, requireId } from '@fiado/contracts/new-id';
import { LIMIT_OF_A_DAY } from '@fiado/contracts/verification-rules';
import type { Context } from '../context';
import { EXAMPLE_IDS } from '../examples';
import { newSecretToken } from '../keys/secrets';
import { lockUser } from '../verification/verifications.sql';
import { KYC_LINK_LIFE_MS } from './use-kyc-link';
import { AccountLinkRow } from './account-link.entity';

/** Of one user by one wholesaler: more would be more guesses at its codes. */
const MAX_LINKS_PER_DAY = 5;

class CreateAccountLinkBody {
  @IsString()
  userId: string;
}

export const createAccountLinkEndpoint = endpoint({
  id: 'createAccountLink',
  as: 'accounts.createAccountLink',
  tag: 'Accounts',
  route: 'POST /v1/link/account',
  scope: 'accounts:write',
  names: { userId: 'user' },
  summary: 'Create a link to the account page of a user',
  description:
    'The user opens the link within 24 hours and enters the code that is then sent by SMS. The page shows ' +
    'what the corner store owes for orders of the calling wholesaler, the payment references and paid ' +
    'orders. At most five links a day for a user.',
  body: CreateAccountLinkBody,
  bodyExample: { userId: EXAMPLE_IDS.userId },
  errors: ['USER_NOT_FOUND', 'TOO_MANY_ATTEMPTS'],
  idempotent: true,
  // The link is a secret.
  answerSealer: ({ sealer }: Context) => sealer,
  status: 201,
  answer: t.object('AccountLink', {
    accountLink: t.field(
      t.uri,
      'Address of the page on which the user sees its debts',
      'https://fiado.example/cuenta/pX3v9sLr0aQ',
    ),
  }),
  example: {
    accountLink: 'https://fiado.example/cuenta/Zk3nY8Qh1vBq0xW2r7T4uJ6pL9sD5fGaCeMiOoKbNyE',
  },
  input: ({ body, caller }) => ({
    wholesalerId: caller.id,
    userId: requireId(body.userId, 'USER_NOT_FOUND'),
  }),
  handle: createAccountLink,
  present: ({ accountLink }) => ({ accountLink }),
});

/**
 * Creates a link to the account page of a user, valid for a day. Only the hash of its token is
 * stored. A code by SMS to the user's phone opens the page.
 * @throws AppError USER_NOT_FOUND, TOO_MANY_ATTEMPTS after five links in a day
 */
async function createAccountLink(
  context: Context,
  { wholesalerId, userId }: { wholesalerId: string; userId: string },
  answerOf: StoreAnswer<{ accountLink: string }>,
): Promise<{ accountLink: string }> {
  const { token, tokenHash } = newSecretToken();
  const accountLink = `${context.config.PUBLIC_URL.replace(/\/+$/, '')}/cuenta/${token}`;
  return answerInTransaction(context, answerOf, async (tx) => {
    // Locked, so that parallel calls are counted.
    const user = await lockUser(tx, wholesalerId, userId);
    if (user === undefined) throw new AppError('USER_NOT_FOUND');
    if ((await countAccountLinks(tx, { userId, wholesalerId })) >= MAX_LINKS_PER_DAY) {
      throw new AppError('TOO_MANY_ATTEMPTS', {
        ...LIMIT_OF_A_DAY,
        message: 'Too many account links of this user were created today',
      });
    }
    const link = { id: newId(), userId, wholesalerId, tokenHash };
    const expiresAt = () => `now() + make_interval(secs => ${KYC_LINK_LIFE_MS / 1_000})`;
    await tx.manager.insert(AccountLinkRow, { ...link, expiresAt });
    return { accountLink };
  });
}

/** Links that a wholesaler made for a user in the last 24 hours. */
async function countAccountLinks(
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
