import { queryOne } from '@fiado/chassis/db/query';
import { AppError } from '@fiado/contracts/errors';
import type { Grant } from './settle-request';

/** Each copy reads every schema. */
const MAX_PER_DAY = 3;

/**
 * Access: the person gets a copy of what is kept; a loop makes it, and then the request is done.
 * @throws AppError TOO_MANY_ATTEMPTS after three copies of a person in a day
 */
export const grantAccess: Grant = async (_context, tx, { person: { userId } }) => {
  const { packages } = await queryOne<{ packages: number }>(
    tx,
    `SELECT count(*) AS packages FROM privacy_packages
      WHERE user_id = $1 AND ready_at > now() - interval '1 day'`,
    [userId],
  );
  if (packages >= MAX_PER_DAY) throw new AppError('TOO_MANY_ATTEMPTS');
  return 'executing';
};
