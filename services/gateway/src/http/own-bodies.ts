import type { IncomingMessage } from 'node:http';
import { answerAndClose } from '@fiado/chassis/http/answer-and-close';
import {
  bodyLimitsOf,
  MAX_IGNORED_BODY_LENGTH,
  type Bounds,
} from '@fiado/chassis/http/bound-requests';
import { requestIdOf } from '@fiado/chassis/request-context';
import type { Lender } from '../pages/lender';
import { renderRefusal } from '../pages/answer-failure';
import { isPageUrl, MAX_FORM_LENGTHS } from '../pages/places';
import { presentError } from './answer-error';
import { isApiUrl } from './route-table';

const limitOfForm = bodyLimitsOf(
  Object.entries(MAX_FORM_LENGTHS).map(([path, bodyLimit]) => ({
    method: 'POST',
    path,
    bodyLimit,
  })),
);

/**
 * The longest body, in bytes, of a request that the gateway does not forward. Undefined for one that
 * it forwards with its body: request-body.ts counts that.
 */
export function maxOwnBodyLength(req: IncomingMessage): number | undefined {
  const { method, url = '', headers } = req;
  if (isApiUrl(url)) {
    return method === 'GET' || method === 'HEAD' ? MAX_IGNORED_BODY_LENGTH : undefined;
  }
  const limit = limitOfForm(req);
  // A picture, the only longer form, must declare its length.
  if (headers['transfer-encoding'] !== undefined) return Math.min(limit, MAX_IGNORED_BODY_LENGTH);
  return limit;
}

/** Answers a request that is refused before its route is known, as a page where one was opened. */
export function refuseRequests(lender: Lender): NonNullable<Bounds['refuse']> {
  return (req, res, error) => {
    const answer = isPageUrl(req.url ?? '')
      ? renderRefusal(error, lender)
      : presentError(error, requestIdOf(req));
    answerAndClose(res, error.status, answer);
  };
}
