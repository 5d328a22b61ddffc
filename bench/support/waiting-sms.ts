import type { BenchDatabase } from './database';

/** The wholesaler of the messages that wait. */
const WAITING_WHOLESALER = '00000000-0000-4000-8000-000000000001';
/** More than any cap. */
const CLAIMED = 2_000_000;

/** Messages as jobs would have written them. Their envelopes do not open, so each fails without a call. */
export async function insertMessages(
  db: BenchDatabase,
  database: string,
  count: number,
): Promise<void> {
  await db.query(
    database,
    `INSERT INTO notifier.messages (id, template, wholesaler_id, subject_id, phone_index,
                                    phone_masked, sealed, expires_at)
     SELECT gen_random_uuid(), 'delivery-word', $2, gen_random_uuid(), decode(md5(n::text), 'hex'),
            '***', '\\x00', now() + interval '1 day'
       FROM generate_series(1, $1::integer) n`,
    [count, WAITING_WHOLESALER],
  );
  await db.query(database, 'VACUUM ANALYZE notifier.messages');
}

/** Uses up the cap of the wholesaler of those messages for a day, so that none of them is sent. */
export async function useUpCap(db: BenchDatabase, database: string): Promise<void> {
  await db.query(
    database,
    `INSERT INTO notifier.claims_of_minute (wholesaler_id, minute, claimed)
     VALUES ($1, date_trunc('minute', now()) + interval '1 day', $2)`,
    [WAITING_WHOLESALER, CLAIMED],
  );
}
