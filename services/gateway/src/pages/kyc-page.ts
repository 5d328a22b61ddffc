import type { RequestHandler } from 'express';
import { textParam } from '@fiado/shared/chassis/http/params';
import type { KycLinkAnswer, KycLinkQuestion } from '@fiado/shared/contracts/kyc-link';
import type { Context } from '../context';
import { onboardingPage, UNKNOWN_KYC_PAGE } from './kyc-views';
import type { Page } from './layout';
import { sendPage } from './send-page';

/** Format of a token; any other text is not forwarded. */
const TOKEN = /^[\w-]{1,100}$/;

/** GET /kyc/{token}: what is missing to open a credit. */
export function handleOpenKycLink(context: Context): RequestHandler {
  return async (req, res) => {
    sendPage(res, await pageOfToken(context, textParam(req, 'token')));
  };
}

async function pageOfToken({ accounts }: Context, token: string): Promise<Page> {
  if (!TOKEN.test(token)) return UNKNOWN_KYC_PAGE;
  const question: KycLinkQuestion = { token };
  const link = await accounts.ask<KycLinkAnswer>('/internal/kyc-links/open', question);
  return link.valid ? onboardingPage(link.status, link.missingSteps) : UNKNOWN_KYC_PAGE;
}
