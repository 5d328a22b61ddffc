import { maskPhone } from '@fiado/contracts/phone';
import type { SmsFailure } from './outcome.rules';

/**
 * Calls to the provider at the same time, each on a connection. A message is claimed only if the call starts
 * at once, because a claim that waited would exceed the time in which it may be sent.
 */
export const MAX_CALLS = 40;

/** One SMS on its way out. */
export interface OutgoingSms {
  /** Our id of the message, for the provider's callback. */
  messageId: string;
  /** E.164. */
  to: string;
  text: string;
  /** Expiry: the provider should drop the message after this time. */
  validSeconds: number;
}

/** A service that delivers SMS. */
export interface SmsProvider {
  name: string;
  /**
   * Sends an SMS once, without retries.
   * @returns the provider's id of the message
   * @throws SmsError, and nothing else
   */
  send(sms: OutgoingSms): Promise<{ sid: string }>;
  /**
   * Deletes the provider's copy of a message. One that is gone already counts as deleted.
   * @throws SmsError, and nothing else
   */
  deleteCopy(sid: string): Promise<void>;
}

/**
 * Why a provider did not accept a message. Excludes the provider's own error, which contains the
 * phone, the text and the credentials.
 */
export class SmsError extends Error {
  constructor(readonly failure: SmsFailure) {
    super(`The SMS provider did not take the message: ${failure.kind}`);
    this.name = 'SmsError';
  }
}

/** Prints messages, codes included, instead of sending them. For sandboxes. */
export function createConsoleSms(): SmsProvider {
  return {
    name: 'console',
    send: async ({ messageId, to, text }) => {
      process.stdout.write(`SMS to ${maskPhone(to)}: ${text}\n`);
      return { sid: `console-${messageId}` };
    },
    deleteCopy: async () => {},
  };
}
