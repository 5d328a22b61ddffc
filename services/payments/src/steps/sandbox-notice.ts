import { newId } from '@fiado/contracts/new-id';
import type { Context } from '../context';
import type { NewDeposit } from '../db/insert-deposit';
import { paymentTimeTextOf } from '../domain/payment-time';

/** The payment provider of a sandbox's own deposits, which no key belongs to. */
const SANDBOX_PROVIDER_ID = '00000000-0000-4000-8000-000000000001';
const SANDBOX_PROVIDER = 'Sandbox';

/** The notice of a deposit that nobody paid, as a payment provider would send it. */
export function sandboxNotice(
  { clock, config }: Pick<Context, 'clock' | 'config'>,
  deposit: { idFactura: string; numeroReferencia: string; valorCents: number },
): Omit<NewDeposit, 'id' | 'bodyHash'> {
  const paidAt = clock.now();
  const fechaPago = paymentTimeTextOf(paidAt, config.TIME_ZONE);
  const claveDePago = newId();
  return {
    ...deposit,
    paymentProviderId: SANDBOX_PROVIDER_ID,
    providerName: SANDBOX_PROVIDER,
    fechaPago,
    paidAt,
    claveDePago,
    body: JSON.stringify({ ...deposit, fechaPago, claveDePago }),
  };
}
