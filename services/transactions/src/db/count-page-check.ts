import type { Db } from '@fiado/chassis/db/database';
import { countCheckIn } from '@fiado/chassis/verification/count-check';
import type { CountCheck } from '@fiado/chassis/verification/verifications';

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
export function countPageCheck(db: Db, cornerStoreId: string): CountCheck {
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
