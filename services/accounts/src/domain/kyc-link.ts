import type { Caller } from '@fiado/contracts/caller';

/** Life of a link: a day to find the SMS or mail that it came in. */
export const KYC_LINK_LIFE_MS = 24 * 3600 * 1000;

/** In whose name the owner acts who opened a link: the wholesaler's that made it. */
export function linkCaller(wholesalerId: string): Caller {
  return { kind: 'wholesaler', id: wholesalerId, name: 'kyc-link', scopes: [] };
}
