import type { RequestHandler } from 'express';
import { callerOf } from '@fiado/shared/chassis/http/caller';
import type { Context } from '../context';
import { ACCESS_TOKEN_LIFE_SECONDS } from '../domain/access-token';
import { issueAccessToken } from '../use-cases/issue-access-token';

/** POST /v1/auth/token: what a body says is of no consequence, the credential is the key. */
export function handleIssueAccessToken(context: Context): RequestHandler {
  return async (req, res) => {
    const accessToken = await issueAccessToken(context, callerOf(req));
    // RFC 6749, 5.1: no cache on the way keeps a token.
    res.setHeader('Cache-Control', 'no-store');
    res.json({ accessToken, tokenType: 'Bearer', expiresIn: ACCESS_TOKEN_LIFE_SECONDS });
  };
}
