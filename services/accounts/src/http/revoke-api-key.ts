import type { RequestHandler } from 'express';
import { callerOf } from '@fiado/shared/chassis/http/caller';
import { idParam } from '@fiado/shared/chassis/http/params';
import type { Context } from '../context';
import { revokeApiKey } from '../use-cases/revoke-api-key';

/** DELETE /v1/admin/api-keys/:apiKeyId. */
export function handleRevokeApiKey(context: Context): RequestHandler {
  return async (req, res) => {
    await revokeApiKey(context, {
      by: callerOf(req),
      apiKeyId: idParam(req, 'apiKeyId', 'API_KEY_NOT_FOUND'),
    });
    res.status(204).end();
  };
}
