import { randomUUID } from 'node:crypto';
import { wasNotSent } from '@fiado/chassis/clients/instances';
import { send } from '@fiado/chassis/testing/call';

interface Sender {
  send: typeof send;
  /** Requests that had to be sent a second time, without those that a closed port refused. */
  repeated(): number;
}

/**
 * A caller as it should be: it takes the gateways in turn as a load balancer does, which passes over
 * a closed port; gives what writes an Idempotency-Key; and sends once more, to the next one, what was
 * not answered or a 503.
 */
export function sendToEither(bases: string[]): Sender {
  let turn = 0;
  let repeated = 0;

  return {
    send: async (url, method, body, headers) => {
      const { pathname, search } = new URL(url);
      const named = method === 'GET' ? headers : { 'idempotency-key': randomUUID(), ...headers };
      const mine = (turn += 1);
      const sendTo = (at: number) =>
        send(`${bases[at % bases.length]}${pathname}${search}`, method, body, named);
      const sendToOpen = async (at: number) => {
        try {
          return await sendTo(at);
        } catch (error) {
          if (wasNotSent((error as Error).cause)) return sendTo(at + 1);
          throw error;
        }
      };
      const answer = await sendToOpen(mine).catch(() => undefined);
      if (answer !== undefined && answer.status !== 503) return answer;
      repeated += 1;
      return sendToOpen(mine + 1);
    },
    repeated: () => repeated,
  };
}
