import type { Db } from '@fiado/chassis/db/database';
import { internalEndpoint } from '@fiado/chassis/http/endpoint';
import { isRightPass, passOf } from '@fiado/chassis/verification/code';
import { countCheckIn } from '@fiado/chassis/verification/count-check';
import { checkCode, type CountCheck } from '@fiado/chassis/verification/verifications';
import { AppError } from '@fiado/contracts/errors';
import { acceptLinkCall, checkLinkCodeCall } from '@fiado/contracts/links';
import { amountOf, shareOf } from '@fiado/contracts/money';
import { confirmOnFreshTerms, putOnHold, requireUnconfirmed } from '../codes/confirm-order';
import type { Context } from '../context';
import { findTransactionView, type TransactionView } from '../orders/order-view';
import { priceOf } from '../orders/pricing.rules';
import { presentLinked, requireLinked } from './link';

export const checkLinkCodeEndpoint = internalEndpoint({
  call: checkLinkCodeCall,
  allow: ['service:gateway'],
  handle: async (context: Context, question) => {
    const checked = await checkLinkCode(context, question);
    return {
      pass: checked.pass,
      order: {
        ...presentLinked(context, checked.transaction),
        maximumTotal: amountOf(checked.maximumTotalCents),
        paymentTermDays: checked.paymentTermDays,
      },
    };
  },
});

export const acceptLinkEndpoint = internalEndpoint({
  call: acceptLinkCall,
  allow: ['service:gateway'],
  handle: async (context: Context, question) => {
    await acceptLink(context, question);
    return {};
  },
});

export interface CheckedOrder {
  pass: string;
  transaction: TransactionView;
  paymentTermDays: number;
  /** Amount, interests and IVA together, if as much is delivered as the wholesaler may. */
  maximumTotalCents: number;
}

/**
 * Checks the code on the page behind a link. Only now the page shows the order, which the pass
 * accepts.
 * @throws AppError TRANSACTION_NOT_FOUND, TRANSACTION_IS_VERIFIED, VERIFICATION_NOT_VALID,
 * TOO_MANY_ATTEMPTS after too many wrong codes on the page
 */
export async function checkLinkCode(
  context: Context,
  { transactionId, code }: { transactionId: string; code: string },
): Promise<CheckedOrder> {
  const { db, config } = context;
  const linked = await requireLinked(db, transactionId);
  const { wholesalerId, verificationId, cornerStoreId } = linked;
  await requireUnconfirmed(context, { wholesalerId, transactionId, verificationId });
  const salt = await checkCode(
    db,
    config,
    { wholesalerId, verificationId, code },
    countPageCheck(db, cornerStoreId),
  );
  const transaction = await findTransactionView(db, wholesalerId, { transactionId });
  if (transaction === undefined) throw new Error('An order that has a link must be found');
  const mostCents = linked.amountCents + shareOf(linked.amountCents, linked.deliveryOverageRate);
  const most = priceOf(mostCents, linked);
  return {
    pass: passOf(config.CODE_PEPPER, verificationId, salt),
    transaction,
    paymentTermDays: linked.paymentTermDays,
    maximumTotalCents: mostCents + most.interestCents + most.ivaCents,
  };
}

/**
 * Confirms an order on the page behind its link, with the pass that its owner got for the code.
 * @throws AppError TRANSACTION_NOT_FOUND, TRANSACTION_IS_VERIFIED, VERIFICATION_NOT_VALID when the
 *   code behind the pass has expired or was replaced, or the store may not buy now
 */
export async function acceptLink(
  context: Context,
  { transactionId, pass }: { transactionId: string; pass: string },
): Promise<void> {
  const { db, config, relay } = context;
  const { wholesalerId, verificationId, codeSalt: salt } = await requireLinked(db, transactionId);
  const ids = { wholesalerId, transactionId, verificationId };
  const transaction = await requireUnconfirmed(context, ids);
  if (!isRightPass(config, verificationId, salt, pass)) {
    throw new AppError('VERIFICATION_NOT_VALID');
  }
  await confirmOnFreshTerms(context, { transaction, ids }, (order) =>
    db.transaction((tx) => putOnHold(context, tx, { transaction: order, ids, salt })),
  );
  relay.wake();
}

/** Wrong codes on the page of one link, over all of its codes. */
const MAX_WRONG_CODES_OF_LINK = 10;

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
function countPageCheck(db: Db, cornerStoreId: string): CountCheck {
  return countCheckIn(
    {
      // The checks are those of the code that page_code_salt names: a new code starts at none.
      hasChecksLeft: '(page_checks < $3 OR page_code_salt <> code_salt)',
      checks: 'page_checks',
      mayBeWrong: `page_wrong_codes < ${MAX_WRONG_CODES_OF_LINK}`,
      count: `page_checks = 1 + CASE WHEN page_code_salt = code_salt THEN page_checks ELSE 0 END,
         page_code_salt = code_salt,
         page_wrong_codes = page_wrong_codes + $6`,
      column: 'page_wrong_codes',
      maxWrongCodes: MAX_WRONG_CODES_ON_PAGES,
    },
    db,
    cornerStoreId,
  );
}
