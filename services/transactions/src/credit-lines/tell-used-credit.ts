import { internalEndpoint } from '@fiado/chassis/http/endpoint';
import { creditUseCall } from '@fiado/contracts/debts';
import type { Context } from '../context';
import { findCreditUse } from './used-credit';

/** What the credit lines of these corner stores have used, in cents, for the look-ups of accounts. */
export const creditUseEndpoint = internalEndpoint({
  call: creditUseCall,
  allow: ['service:accounts'],
  handle: async ({ db, creditUse }: Context, { cornerStoreIds }) => {
    const [first, ...others] = cornerStoreIds;
    if (first === undefined) return { lines: [] };
    // Many ids have a statement of their own: single ones would wait for them.
    if (others.length > 0) return { lines: await findCreditUse(db, cornerStoreIds) };
    const usedCents = await creditUse.add(first);
    return { lines: usedCents === undefined ? [] : [{ cornerStoreId: first, usedCents }] };
  },
});
