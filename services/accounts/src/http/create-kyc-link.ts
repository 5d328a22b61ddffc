import { endpoint } from '@fiado/chassis/http/endpoint';
import { requireId } from '@fiado/contracts/new-id';
import * as t from '@fiado/chassis/openapi/json-schema';
import { IsString } from 'class-validator';
import type { Context } from '../context';
import { createKycLink } from '../use-cases/create-kyc-link';
import { EXAMPLE_IDS } from './examples';

class CreateKycLinkBody {
  @IsString()
  userId: string;

  @IsString()
  verificationId: string;
}

const { userId, verificationId } = EXAMPLE_IDS;

export const createKycLinkEndpoint = endpoint({
  id: 'createKycLink',
  ignoresUnknown: true,
  tag: 'Accounts',
  route: 'POST /v1/link/kyc',
  scope: 'accounts:write',
  summary: 'Create a link to the identity check',
  body: CreateKycLinkBody,
  bodyExample: { userId, verificationId },
  errors: ['USER_NOT_FOUND', 'VERIFICATION_NOT_FOUND'],
  idempotent: true,
  // The link opens by itself.
  answerSealer: ({ sealer }: Context) => sealer,
  status: 201,
  answer: t.object('KycLink', { kycLink: t.uri }),
  example: { kycLink: 'https://fiado.example/kyc/Zk3nY8Qh1vBq0xW2r7T4uJ6pL9sD5fGaCeMiOoKbNyE' },
  input: ({ body, caller }) => ({
    wholesalerId: caller.id,
    userId: requireId(body.userId, 'USER_NOT_FOUND'),
    verificationId: requireId(body.verificationId, 'VERIFICATION_NOT_FOUND'),
  }),
  handle: createKycLink,
  present: ({ kycLink }) => ({ kycLink }),
});
