import { randomUUID } from 'node:crypto';
import { isDatabaseUnavailable } from '@fiado/chassis/db/errors';
import { maskPhone } from '@fiado/contracts/phone';
import type { SmsFailure } from './outcome.rules';

/**
 * Calls to the provider at the same time, each on a connection. A message is claimed only if the call starts
 * at once, because a claim that waited would exceed the time in which it may be sent. There is room for
 * the 50 messages of a bundle beside the last calls of another.
 */
export const MAX_CALLS = 64;

/** The calls to the provider that are under way, and the places of claims that are being made. */
export class SmsCalls {
  private readonly calls = new Set<Promise<unknown>>();
  /** The places of each claim, by its end. */
  private readonly claims = new Map<Promise<void>, number>();
  /**
   * Claims whose answer was lost with its connection, and the monotonic time of the loss in milliseconds. They may
   * have claimed messages, for which this process makes no call.
   */
  readonly lostClaims = new Map<string, number>();
  /** Whether due messages wait for a place. Then new messages must not take one. */
  messagesWait = false;

  get size(): number {
    return this.calls.size;
  }

  /** How many more calls can start. */
  get free(): number {
    const reserved = [...this.claims.values()].reduce((sum, places) => sum + places, 0);
    return Math.max(MAX_CALLS - this.calls.size - reserved, 0);
  }

  /**
   * Reserves places until the claim has ended, so that another claim cannot take them. A claim without an answer ends
   * with the time limit of its statement.
   * @param claim claims messages under that id, and starts their calls
   */
  claim<Result>(places: number, claim: (claimId: string) => Promise<Result>): Promise<Result> {
    const claimId = randomUUID();
    const claiming = claim(claimId);
    const release = (): void => void this.claims.delete(ended);
    const ended = claiming.then(release, release);
    this.claims.set(ended, places);
    claiming.catch((error: unknown) => {
      if (places > 0 && isDatabaseUnavailable(error))
        this.lostClaims.set(claimId, performance.now());
    });
    return claiming;
  }

  /** @param call which does not reject */
  add(call: Promise<unknown>): void {
    const counted = call.finally(() => this.calls.delete(counted));
    this.calls.add(counted);
  }

  /** Resolves when a place may be free. */
  async placeFreed(): Promise<void> {
    await Promise.race([...this.calls, ...this.claims.keys()]);
  }

  /** Resolves when the calls that are under way now have ended. */
  async allEnded(): Promise<void> {
    await Promise.all(this.calls);
  }
}

/** One message on its way out: an SMS, or one of WhatsApp. */
export interface OutgoingSms {
  /** Our id of the message, for the provider's callback. */
  messageId: string;
  /** E.164. */
  to: string;
  text: string;
  /** Expiry: the provider should drop the message after this time. */
  validSeconds: number;
  /** Of WhatsApp: its template at the provider, and the template's variables. */
  whatsapp?: { contentSid: string; variables: string[] };
}

/** A service that delivers SMS. */
export interface SmsProvider {
  name: string;
  /** Whether it reports deliveries. */
  reports?: boolean;
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
    send: async ({ messageId, to, text, whatsapp }) => {
      const channel = whatsapp === undefined ? 'SMS' : 'WhatsApp';
      process.stdout.write(`${channel} to ${maskPhone(to)}: ${text}\n`);
      return { sid: `console-${messageId}` };
    },
    deleteCopy: async () => {},
  };
}
