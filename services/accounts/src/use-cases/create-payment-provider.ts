import type { Caller } from '@fiado/shared/chassis/internal-token';
import { isUniqueViolation } from '@fiado/shared/chassis/db/query';
import { AppError } from '@fiado/shared/contracts/errors';
import { newId } from '@fiado/shared/new-id';
import type { Context } from '../context';
import { recordAudit } from '../db/audit-log.repository';
import { PaymentProvider } from '../db/payment-provider.entity';
import { insertApiKey, type IssuedApiKey } from './insert-api-key';

export interface CreatePaymentProvider {
  by: Caller;
  name: string;
  /** IANA name. */
  timeZone: string;
}

export interface CreatedPaymentProvider {
  paymentProviderId: string;
  key: IssuedApiKey;
}

/**
 * A payment provider and its key.
 * @throws AppError PROVIDER_ALREADY_EXISTS when the name is taken
 */
export async function createPaymentProvider(
  context: Context,
  { by, name, timeZone }: CreatePaymentProvider,
): Promise<CreatedPaymentProvider> {
  const paymentProviderId = newId();
  try {
    return await context.db.transaction(async (tx) => {
      await tx.insert(PaymentProvider, { id: paymentProviderId, name, timeZone });
      const key = await insertApiKey(context, tx, { kind: 'provider', id: paymentProviderId });
      await recordAudit(tx, {
        by,
        action: 'payment-provider.created',
        objectId: paymentProviderId,
      });
      return { paymentProviderId, key };
    });
  } catch (error) {
    if (!isUniqueViolation(error, 'payment_providers_name_key')) throw error;
    throw new AppError('PROVIDER_ALREADY_EXISTS', { cause: error });
  }
}
