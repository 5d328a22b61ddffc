import { IsIn, IsOptional, IsUUID } from './class-validator';
import { About } from './about';
import { IsIntegerText, IsText } from './decorators';
import { defineCall } from './define';

const DEFAULT_LIMIT = 20;

const MAX_LIMIT = 100;

/** Query of a list that has a cursor of its own. */
export class LimitQuery {
  @About('Most items on a page', 50)
  @IsIntegerText(1, MAX_LIMIT)
  limit = DEFAULT_LIMIT;
}

/** Query of a list: pages follow each other by the cursor that each one ends with. */
export class PageQuery extends LimitQuery {
  @About(
    '`nextCursor` of the previous page; absent for the first page',
    '0b0c6f3e-5a0f-4a71-9f0a-3d4f6f7a1c11',
  )
  @IsOptional()
  @IsUUID()
  cursor?: string;
}

/** Query of a list that also counts its rows. */
export class CountedPageQuery extends PageQuery {
  @About('`true`: the answer has `totals`, the count and the sum of the rows of all pages')
  @IsOptional()
  @IsIn(['true', 'false'])
  totals?: 'true' | 'false';
}

/** Rows of a list that are read for its totals, at most: so that they cost as much however long it is. */
export const MAX_COUNTED = 10_000;

/** The rows of all pages of a list. */
export interface ListTotals {
  count: number;
  /** Their sum; null in a list without amounts. */
  cents: number | null;
  /** MAX_COUNTED rows were read, so that there may be more. */
  hasMore: boolean;
}

/** One page of a list, and what the next page starts after. */
export interface Page<Row> {
  page: Row[];
  nextCursor: string | null;
  /** Where they are asked for. */
  totals?: ListTotals | undefined;
}

/**
 * One page of a list.
 * @param found up to limit + 1 rows: one more than the page shows whether another page follows
 * @param cursorOf what the next page starts after; by default the id of the last row
 */
export function pageOf<Row extends { id: string }>(found: Row[], limit: number): Page<Row>;
export function pageOf<Row>(found: Row[], limit: number, cursorOf: (row: Row) => string): Page<Row>;
export function pageOf<Row extends { id: string }>(
  found: Row[],
  limit: number,
  cursorOf = ({ id }: Row) => id,
): Page<Row> {
  const page = found.slice(0, limit);
  const last = found.length > limit ? page.at(-1) : undefined;
  return { page, nextCursor: last === undefined ? null : cursorOf(last) };
}

/** Longest text that is searched, in characters. */
export const MAX_SEARCH = 100;

/** Hits of each way to search, at most. */
export const MAX_HITS = 20;

export const HIT_KINDS = [
  'corner-store',
  'transaction',
  'refused-transaction',
  'deposit',
  'wholesaler',
  'payment-provider',
] as const;

export const MATCHED_BY = [
  'id',
  'userId',
  'externalId',
  'phoneNumber',
  'name',
  'wholesalerTransactionId',
  'incrementalID',
  'idFactura',
  'numeroReferencia',
  'amount',
] as const;

class SearchQuestion {
  @IsText(MAX_SEARCH)
  text: string;
}

/** Something that ops looked for. */
export interface SearchHit {
  kind: (typeof HIT_KINDS)[number];
  matchedBy: (typeof MATCHED_BY)[number];
  /** Id of the object of that kind. */
  id: string;
  /** The wholesaler of an order or a customer. */
  wholesalerId: string | null;
  cornerStoreId: string | null;
  /** Its name for people: an external id, a number or a name; null where it has none. */
  label: string | null;
  /** Why an order was refused. */
  errorCode?: string;
}

interface SearchAnswer {
  hits: SearchHit[];
}

/** For transactions and payments. The text is searched as it is, in full. */
export const searchCall = defineCall<SearchAnswer>()('/internal/search', SearchQuestion);
