import type { Db } from '../db/database';
import { countCheckIn } from './count-check';
import { MAX_WRONG_CODES } from '@fiado/contracts/verification-rules';
import type { CountCheck } from './verifications';

/**
 * Counts the checks that come through the API: five for each code, and twenty wrong ones in a day
 * for each wholesaler and corner store, which neither a resend nor a new order resets. Both services
 * that have verifications have the wholesalers' customers beside them.
 */
export function countApiCheck(db: Db, cornerStoreId: string): CountCheck {
  return countCheckIn(
    {
      hasChecksLeft: 'checks < $3',
      checks: 'checks',
      count: 'checks = checks + 1',
      column: 'wrong_codes',
      maxWrongCodes: MAX_WRONG_CODES,
    },
    db,
    cornerStoreId,
  );
}
