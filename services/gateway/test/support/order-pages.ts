import { randomUUID } from 'node:crypto';
import type { ErrorCode } from '@fiado/contracts/errors';
import type { LinkedOrder, LinkState } from '@fiado/contracts/links';
import { answerError, readAll } from './test-gateway';
import type { Upstream } from './upstream';

export const OPEN = '/internal/links/open';
export const ID = randomUUID();
export const WAITING: Extract<LinkState, { state: 'waiting' }> = {
  state: 'waiting',
  phoneMasked: '********5678',
  code: 'valid',
};
export const ORDER: LinkedOrder = {
  wholesaler: 'Dulces <b>"Ñandú"</b>',
  products: [{ name: 'Refresco <600 ml>', quantity: 12.5 }],
  totalAmount: 1000,
  interests: 50,
  IVAAmount: 8,
  totalAmountWithInterests: 1058,
  paymentDate: '2026-12-08T05:59:59.999Z',
  timeZone: 'America/Mexico_City',
};
export const FIGURES = /\$1,000\.00[^]*\$50\.00[^]*\$8\.00[^]*\$1,058\.00/;

/** A call of the gateway to a service. */
export interface Question {
  url: string;
  body: unknown;
}

/** Makes a service answer each question with an object, or with an error: its code, or its body. */
export function answerQuestions(
  upstream: Upstream,
  answerTo: (question: Question) => object | ErrorCode,
): void {
  upstream.answer = (req, res) =>
    void readAll(req).then((body) => {
      const answer = answerTo({ url: req.url ?? '', body: JSON.parse(body) });
      if (typeof answer === 'string') answerError(res, answer);
      else {
        if ('errorCode' in answer) res.statusCode = 422;
        res.end(JSON.stringify(answer));
      }
    });
}
