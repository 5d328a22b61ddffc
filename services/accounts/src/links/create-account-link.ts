import { IsString } from '@fiado/contracts/class-validator';
import { queryRow } from '@fiado/chassis/db/query';
import { endpoint } from '@fiado/chassis/http/endpoint';
import * as t from '@fiado/chassis/openapi/json-schema';
import { AppError } from '@fiado/contracts/errors';
import { requireId } from '@fiado/contracts/new-id';
import type { Context } from '../context';
import { EXAMPLE_IDS } from '@fiado/contracts/event-examples';

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
    'The same address for every user: its owner opens the account with the phone number and a code that is then sent ' +
    'by SMS. The page shows what the corner store owes, the payment references and paid orders.',
  body: CreateAccountLinkBody,
  bodyExample: { userId: EXAMPLE_IDS.userId },
  errors: ['USER_NOT_FOUND'],
  status: 201,
  answer: t.object('AccountLink', {
    accountLink: t.field(
      t.uri,
      'Address of the page on which the user sees its debts',
      'https://fiado.example/mi',
    ),
  }),
  input: ({ body, caller }) => ({
    wholesalerId: caller.id,
    userId: requireId(body.userId, 'USER_NOT_FOUND'),
  }),
  // USER_NOT_FOUND: the user is blocked, or another wholesaler's.
  handle: async ({ db, config }: Context, { wholesalerId, userId }) => {
    const user = await queryRow(
      db,
      `SELECT FROM corner_stores s
         JOIN customers c ON c.corner_store_id = s.id AND c.wholesaler_id = $1
        WHERE s.user_id = $2 AND s.blocked_at IS NULL`,
      [wholesalerId, userId],
    );
    if (user === undefined) throw new AppError('USER_NOT_FOUND');
    return { accountLink: `${config.PUBLIC_URL.replace(/\/+$/, '')}/mi` };
  },
  present: ({ accountLink }) => ({ accountLink }),
});
