import type { RequestHandler } from 'express';
import { validBody } from '@fiado/shared/chassis/http/body';
import { KycLinkQuestion } from '@fiado/shared/contracts/kyc-link';
import type { Context } from '../context';
import { openKycLink } from '../use-cases/open-kyc-link';

/** POST /internal/kyc-links/open. */
export function handleOpenKycLink(context: Context): RequestHandler {
  return async (req, res) => {
    res.json(await openKycLink(context, validBody(KycLinkQuestion, req).token));
  };
}
