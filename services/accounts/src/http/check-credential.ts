import type { RequestHandler } from 'express';
import { validBody } from '@fiado/shared/chassis/http/body';
import { CredentialQuestion, type CredentialAnswer } from '@fiado/shared/contracts/credential';
import type { Context } from '../context';
import { checkCredential } from '../use-cases/check-credential';

/** POST /internal/credentials/check. */
export function handleCheckCredential(context: Context): RequestHandler {
  return async (req, res) => {
    const { credential } = validBody(CredentialQuestion, req);
    const answer: CredentialAnswer = { caller: await checkCredential(context, credential) };
    res.json(answer);
  };
}
