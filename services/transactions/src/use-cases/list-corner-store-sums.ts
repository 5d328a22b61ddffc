import { createHash } from 'node:crypto';
import type { Db } from '@fiado/chassis/db/database';
import type { SumsPage, TransactionsSums } from '@fiado/contracts/invariants';
import { PHONE_PURPOSE } from '@fiado/contracts/jobs/send-message';
import type { Context } from '../context';
import { findCornerStoreSums, type SumsRow } from '../db/corner-store-sums.repository';

/** The sums of each credit line, with a digest of its phone number that accounts can compare. */
export async function listCornerStoreSums(
  db: Db,
  page: SumsPage,
  context: Context,
): Promise<TransactionsSums[]> {
  const rows = await findCornerStoreSums(db, page);
  return rows.map(({ phoneSealed, ...sums }) => ({
    ...sums,
    phoneDigest: phoneDigestOf(context, { ...sums, phoneSealed }),
  }));
}

/** Of the blind index, which accounts stores. Empty for a value that does not open. */
function phoneDigestOf({ sealer }: Context, { cornerStoreId, phoneSealed }: SumsRow): string {
  try {
    const index = sealer.blindIndex(
      sealer.open(phoneSealed, PHONE_PURPOSE, cornerStoreId),
      PHONE_PURPOSE,
    );
    return createHash('md5').update(index).digest('hex');
  } catch {
    return '';
  }
}
