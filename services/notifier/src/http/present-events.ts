import type { EventPresenters } from '@fiado/chassis/outbox/announce';

/** The objects of this service's events, from what the triggers of its schema wrote. */
export const notifierEvents: EventPresenters = {
  // The trigger writes the fields of the event, and no phone number.
  'message.failed': (message: object) => message,
};
