import { AppError } from '@fiado/contracts/errors';
import type { Context } from '../context';
import { hostOf, webhookUrlOf } from '../domain/webhook-url';

/**
 * Checks that an endpoint's URL may be called. It is checked again at each connection: a name may
 * lead elsewhere by then.
 * @returns the URL in its normal form
 * @throws AppError WEBHOOK_URL_NOT_ALLOWED, with one text for all causes: whoever could tell a name
 *   without addresses from one with private ones could map a network from outside
 */
export async function checkWebhookUrl(
  { isSandbox, resolveHost, mayReach }: Pick<Context, 'isSandbox' | 'resolveHost' | 'mayReach'>,
  text: string,
): Promise<string> {
  const url = webhookUrlOf(text, isSandbox);
  if (url === undefined) throw new AppError('WEBHOOK_URL_NOT_ALLOWED');
  const addresses = await resolveHost(hostOf(url)).catch(() => []);
  if (addresses.length === 0 || !addresses.every(({ address }) => mayReach(address))) {
    throw new AppError('WEBHOOK_URL_NOT_ALLOWED');
  }
  return url.href;
}
