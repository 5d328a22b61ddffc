import { SMS_STATUSES } from '@fiado/contracts/sms';

/** The public statuses, and `sending`: claimed, and perhaps already sent. */
export const MESSAGE_STATUSES = [...SMS_STATUSES, 'sending'] as const;

export type MessageStatus = (typeof MESSAGE_STATUSES)[number];
