import { IsString, MaxLength } from 'class-validator';
import { defineCall } from './define-call';

/** Longest text that is searched, in characters. */
export const MAX_SEARCH = 100;
/** Hits of each way to search, at most. */
export const MAX_HITS = 20;

export const HIT_KINDS = ['corner-store', 'transaction', 'wholesaler', 'payment-provider'] as const;
export const MATCHED_BY = [
  'id',
  'userId',
  'externalId',
  'phoneNumber',
  'wholesalerTransactionId',
  'incrementalID',
  'idFactura',
  'numeroReferencia',
] as const;

export class SearchQuestion {
  @IsString()
  @MaxLength(MAX_SEARCH)
  text: string;
}

/** Something that ops looked for. */
export interface SearchHit {
  kind: (typeof HIT_KINDS)[number];
  matchedBy: (typeof MATCHED_BY)[number];
  /** Of that kind. */
  id: string;
  /** Whose it is, where it is an order or a customer. */
  wholesalerId: string | null;
  cornerStoreId: string | null;
  /** How people call it: an external id, a number or a name; null where it has none. */
  label: string | null;
}

export interface SearchAnswer {
  hits: SearchHit[];
}

/** For transactions and payments. The text is searched as it is, in full. */
export const searchCall = defineCall<SearchQuestion, SearchAnswer>(
  '/internal/search',
  SearchQuestion,
);
