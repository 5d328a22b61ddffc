import { endpoint } from '@fiado/chassis/http/endpoint';
import { requireId } from '@fiado/contracts/new-id';
import * as t from '@fiado/chassis/openapi/json-schema';
import { IsString } from 'class-validator';
import type { Context } from '../context';
import { createAccountLink } from '../use-cases/create-account-link';
import { EXAMPLE_IDS } from './examples';

class CreateAccountLinkBody {
  @IsString()
  userId: string;
}

export const createAccountLinkEndpoint = endpoint({
  id: 'createAccountLink',
  tag: 'Accounts',
  route: 'POST /v1/link/account',
  scope: 'accounts:write',
  summary: 'Create a link to a customer’s account page',
  description:
    'Valid for 24 hours, at most five a day for a customer. The page asks for a code that it sends by ' +
    'SMS to the customer’s phone. It shows what the customer owes for orders of the calling ' +
    'wholesaler, the payment references and paid orders.',
  body: CreateAccountLinkBody,
  bodyExample: { userId: EXAMPLE_IDS.userId },
  errors: ['USER_NOT_FOUND', 'TOO_MANY_ATTEMPTS'],
  idempotent: true,
  // The link is a secret.
  answerSealer: ({ sealer }: Context) => sealer,
  status: 201,
  answer: t.object('AccountLink', { accountLink: t.uri }),
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
