import type { Db } from '@fiado/chassis/db/database';
import { query } from '@fiado/chassis/db/query';
import type { PaymentProvider } from '../domain/provider-settings';

const PROVIDER = 'id, name, time_zone, allowed_addresses, signature_required';

/** Payment providers, newest first: ids are in the order of their time. */
export function findPaymentProviders(
  db: Db,
  cursor: string | undefined,
  limit: number,
): Promise<PaymentProvider[]> {
  return query<PaymentProvider>(
    db,
    `SELECT ${PROVIDER} FROM payment_providers
      WHERE $1::uuid IS NULL OR id < $1 ORDER BY id DESC LIMIT $2`,
    [cursor ?? null, limit],
  );
}

export async function findPaymentProvider(
  db: Db,
  id: string,
): Promise<PaymentProvider | undefined> {
  const [provider] = await query<PaymentProvider>(
    db,
    `SELECT ${PROVIDER} FROM payment_providers WHERE id = $1`,
    [id],
  );
  return provider;
}
