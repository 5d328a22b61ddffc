import type { Db } from '@fiado/chassis/db/database';
import { internalEndpoint } from '@fiado/chassis/http/endpoint';
import { isRightPass, passOf } from '@fiado/chassis/verification/code';
import { countCheckIn } from '@fiado/chassis/verification/count-check';
import type { CountCheck } from '@fiado/chassis/verification/verifications';
import { AppError } from '@fiado/contracts/errors';
import {
  acceptLinkCall,
  type AcceptLinkQuestion,
  checkLinkCodeCall,
  type CheckedLinkCode,
  type CheckLinkCodeQuestion,
} from '@fiado/contracts/links';
import { amountOf, shareOf } from '@fiado/contracts/money';
import { checkOrderCode, confirmOnFreshTerms, requireUnconfirmed } from '../codes/confirm-order';
import type { Context } from '../context';
import { requireOrderView } from '../orders/order-view';
import { priceOf } from '../orders/pricing.rules';
import { MAX_WRONG_CODES_OF_LINK, presentLinked, requireLinked } from './link';

export const checkLinkCodeEndpoint = internalEndpoint({
  call: checkLinkCodeCall,
  allow: ['service:gateway'],
  handle: checkLinkCode,
});

export const acceptLinkEndpoint = internalEndpoint({
  call: acceptLinkCall,
  allow: ['service:gateway'],
  handle: acceptLink,
});

/**
 * Checks the code on the page behind a link. Only now the page shows the order, which the pass
 * accepts.
 * @throws AppError TRANSACTION_NOT_FOUND, TRANSACTION_IS_VERIFIED, VERIFICATION_NOT_VALID,
 * TOO_MANY_ATTEMPTS after too many wrong codes on the page
 */
async function checkLinkCode(
  context: Context,
  { transactionId, code }: CheckLinkCodeQuestion,
): Promise<CheckedLinkCode> {
  const { db, config } = context;
  const linked = await requireLinked(db, transactionId);
  const { wholesalerId, verificationId, cornerStoreId } = linked;
  const ids = { wholesalerId, transactionId, verificationId };
  const { codeSalt: salt } = await requireUnconfirmed(context, ids);
  await checkOrderCode(
    context,
    { wholesalerId, cornerStoreId, verificationId, salt, code },
    countPageCheck(db),
  );
  const order = await requireOrderView(db, wholesalerId, { transactionId });
  const mostCents = linked.amountCents + shareOf(linked.amountCents, linked.deliveryOverageRate);
  const most = priceOf(mostCents, linked);
  return {
    pass: passOf(config.CODE_PEPPER, verificationId, salt),
    order: {
      ...presentLinked(context, order),
      maximumTotal: amountOf(mostCents + most.interestCents + most.ivaCents),
      paymentTermDays: linked.paymentTermDays,
    },
  };
}

/**
 * Confirms an order on the page behind its link, with the pass that its owner got for the code.
 * @throws AppError TRANSACTION_NOT_FOUND, TRANSACTION_IS_VERIFIED, VERIFICATION_NOT_VALID when the
 *   code behind the pass has expired or was replaced, or the store may not buy now
 */
async function acceptLink(
  context: Context,
  { transactionId, pass }: AcceptLinkQuestion,
): Promise<object> {
  const { db, config } = context;
  const { wholesalerId, verificationId, codeSalt: salt } = await requireLinked(db, transactionId);
  const ids = { wholesalerId, transactionId, verificationId };
  const order = await requireUnconfirmed(context, ids);
  if (!isRightPass(config, verificationId, salt, pass)) {
    throw new AppError('VERIFICATION_NOT_VALID');
  }
  await confirmOnFreshTerms(context, { order, ids, salt, answer: undefined });
  return {};
}

/**
 * Wrong codes on the pages of all links of a wholesaler to one corner store in a day: a caller who
 * makes link after link has no more tries, and one visitor cannot use them up.
 */
const MAX_WRONG_CODES_ON_PAGES = 40;

/**
 * Counts the checks that come from the page of a link: five for each code, ten wrong ones for the
 * link, forty for all links of the wholesaler to the store. These counts are separate from those of
 * the API, so that a visitor of the page and the wholesaler cannot use up each other's.
 */
function countPageCheck(db: Db): CountCheck {
  return countCheckIn(
    {
      // The checks are those of the code that page_code_salt names: a new code starts at none.
      hasChecksLeft: '(page_checks < $6 OR page_code_salt <> code_salt)',
      checks: 'page_checks',
      mayBeWrong: `page_wrong_codes < ${MAX_WRONG_CODES_OF_LINK}`,
      count: `page_checks = wrong + CASE WHEN page_code_salt = code_salt THEN page_checks ELSE 0 END,
         page_code_salt = code_salt,
         page_wrong_codes = page_wrong_codes + wrong`,
      column: 'page_wrong_codes',
      maxWrongCodes: MAX_WRONG_CODES_ON_PAGES,
    },
    db,
  );
}
