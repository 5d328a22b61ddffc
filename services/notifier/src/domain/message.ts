import { SMS_STATUSES } from '@fiado/shared/contracts/sms';

/** What others see, and sending: claimed, and from then on perhaps sent. */
export const MESSAGE_STATUSES = [...SMS_STATUSES, 'sending'] as const;

export type MessageStatus = (typeof MESSAGE_STATUSES)[number];
