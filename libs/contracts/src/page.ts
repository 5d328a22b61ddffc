import { IsOptional, IsUUID } from 'class-validator';
import { IsIntegerText } from './decorators';

const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 100;

/** Query of a list that has a cursor of its own. */
export class LimitQuery {
  /** Items of a page. */
  @IsIntegerText(1, MAX_LIMIT)
  limit = DEFAULT_LIMIT;
}

/** Query of a list: pages follow each other by the cursor that each one ends with. */
export class PageQuery extends LimitQuery {
  /** `nextCursor` of the page before. */
  @IsOptional()
  @IsUUID()
  cursor?: string;
}

/**
 * One page of a list.
 * @param found up to limit + 1 rows: one more than the page shows whether another page follows
 * @param idOf what the next page starts after
 */
export function pageOf<Row>(
  found: Row[],
  limit: number,
  idOf: (row: Row) => string,
): { page: Row[]; nextCursor: string | null } {
  const page = found.slice(0, limit);
  const last = found.length > limit ? page.at(-1) : undefined;
  return { page, nextCursor: last === undefined ? null : idOf(last) };
}
