/** The outcome that the provider reports for a message. */
export type DeliveryReport =
  | { status: 'sent' | 'delivered'; reason: null }
  | { status: 'failed'; reason: string };

/**
 * Twilio's statuses of an outgoing message; whatever comes before the end proves that it took it.
 */
const STATUSES: Record<string, DeliveryReport['status'] | undefined> = {
  accepted: 'sent',
  scheduled: 'sent',
  queued: 'sent',
  sending: 'sent',
  sent: 'sent',
  delivered: 'delivered',
  read: 'delivered',
  undelivered: 'failed',
  failed: 'failed',
  canceled: 'failed',
};

/**
 * The meaning of a status callback.
 * @param errorCode the provider's number for what went wrong
 * @returns undefined for a status that is not known: there may be new ones
 */
export function deliveryReportOf(
  messageStatus: string,
  errorCode: string | undefined,
): DeliveryReport | undefined {
  if (!Object.hasOwn(STATUSES, messageStatus)) return undefined;
  const status = STATUSES[messageStatus];
  if (status === undefined) return undefined;
  if (status !== 'failed') return { status, reason: null };
  return { status, reason: errorCode ?? messageStatus.toUpperCase() };
}
