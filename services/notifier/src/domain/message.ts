/**
 * pending: to be sent, now or later. sending: claimed, and from then on perhaps sent. sent: the
 * provider took it. unknown: perhaps sent, so never sent again. The others are told by their name.
 */
export const MESSAGE_STATUSES = [
  'pending',
  'sending',
  'sent',
  'delivered',
  'failed',
  'unknown',
  'expired',
] as const;

export type MessageStatus = (typeof MESSAGE_STATUSES)[number];
