import { internalEndpoint } from '@fiado/chassis/http/endpoint';
import {
  acceptLinkCall,
  checkLinkCodeCall,
  openLinkCall,
  type LinkedOrder,
} from '@fiado/contracts/links';
import { amountOf } from '@fiado/contracts/money';
import type { Context } from '../context';
import type { TransactionView } from '../db/transaction-views.repository';
import { acceptLink } from '../use-cases/accept-link';
import { checkLinkCode } from '../use-cases/check-link-code';
import { openLink } from '../use-cases/open-link';
import { presentTransaction } from './transaction-answer';

export const openLinkEndpoint = internalEndpoint({
  call: openLinkCall,
  allow: ['service:gateway'],
  handle: async (context: Context, question) => {
    const opened = await openLink(context, question);
    if (!('transaction' in opened)) return opened;
    const { transaction, ...link } = opened;
    return { ...link, order: presentLinked(context, transaction) };
  },
});

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

/** The figures of the API's own answer. */
function presentLinked(context: Context, transaction: TransactionView): LinkedOrder {
  const { wholesaler, products, totalAmount, interests, IVAAmount, ...rest } = presentTransaction(
    transaction,
    context,
  );
  return {
    wholesaler,
    products: products.map(({ name, quantity }) => ({ name, quantity })),
    totalAmount,
    interests,
    IVAAmount,
    totalAmountWithInterests: rest.totalAmountWithInterests,
    paymentDate: rest.paymentDate,
    timeZone: rest.paymentTimeZone,
  };
}
