import { isUUID } from 'class-validator';
import type { Transaction } from '@fiado/chassis/db/database';
import { query } from '@fiado/chassis/db/query';
import { AppError } from '@fiado/contracts/errors';

/**
 * payments knows a corner store from its first delivery on, so it cannot distinguish the two cases.
 */
const NEVER_OWED =
  'The corner store does not exist, or it never had a delivery and so has no debt to pay';

/**
 * The user of a corner store that had a delivery.
 * @throws AppError CORNER_STORE_NOT_FOUND
 */
export async function findIndebtedUser(tx: Transaction, cornerStoreId: string): Promise<string> {
  const [balance] = isUUID(cornerStoreId)
    ? await query<{ userId: string }>(
        tx,
        'SELECT user_id FROM credit_balances WHERE corner_store_id = $1',
        [cornerStoreId],
      )
    : [];
  if (balance === undefined) throw new AppError('CORNER_STORE_NOT_FOUND', { message: NEVER_OWED });
  return balance.userId;
}
