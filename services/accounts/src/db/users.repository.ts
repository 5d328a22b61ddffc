import { query, type Db } from '@fiado/shared/chassis/db/query';

/** The sealed first name of a user. */
export async function findFirstName(db: Db, userId: string): Promise<Buffer | undefined> {
  const [user] = await query<{ firstName: Buffer }>(
    db,
    'SELECT first_name FROM users WHERE id = $1',
    [userId],
  );
  return user?.firstName;
}
