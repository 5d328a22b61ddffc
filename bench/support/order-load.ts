import { until } from '@fiado/chassis/testing/until';
import type { Subject } from './alternate';
import { Load, type Measured, type Sent } from './load';
import { orderBody } from './market';
import type { World } from './world';

const SETTLE_DEADLINE_MS = 180_000;

/** The nth createTransaction of the market, with an Idempotency-Key, for another store each time. */
export function orderOf({ market }: Pick<World, 'market'>, n: number): Sent {
  const body = orderBody(market, n) as { wholesalerTransactionId: string };
  const headers = { 'idempotency-key': body.wholesalerTransactionId };
  return { method: 'POST', path: '/v1/transaction', body, headers };
}

/** createTransaction at a URL, on all connections. */
export function orderLoad(world: World, url: string, apiKey = world.market.apiKey): Load {
  return new Load({
    url,
    headers: { authorization: apiKey },
    connections: world.options.connections,
    draw: (n) => orderOf(world, n),
  });
}

/**
 * A load whose round ends when the last of its SMS reached the provider, and not with its last
 * answer: what is put off is not free.
 */
export function ordersWithSms({ twilio }: World, name: string, load: Load): Subject {
  return {
    name,
    round: async (seconds): Promise<Measured> => {
      const [answered, called] = [load.answered, twilio.posts.length];
      const measured = await load.round(seconds);
      const answeredAtMs = Date.now();
      const wanted = called + load.answered - answered;
      await untilCalled({ twilio }, wanted);
      const lastCallMs = twilio.posts[wanted - 1]?.at ?? answeredAtMs;
      const elapsed = measured.count / measured.perSecond;
      const late = Math.max(0, lastCallMs - answeredAtMs) / 1_000;
      return { ...measured, perSecond: measured.count / (elapsed + late) };
    },
  };
}

/**
 * A load whose requests make SMS, which are no part of the round: the next round waits until all of
 * them are sent.
 */
export function settlingSms(
  { twilio }: World,
  name: string,
  { load, smsOfOne }: { load: Load; smsOfOne: number },
): Subject {
  let wanted = 0;
  return {
    name,
    round: async (seconds) => {
      const [answered, called] = [load.answered, twilio.posts.length];
      const measured = await load.round(seconds);
      wanted = called + (load.answered - answered) * smsOfOne;
      return measured;
    },
    settle: () => untilCalled({ twilio }, wanted),
  };
}

/** Waits until the provider was called that often. */
export function untilCalled({ twilio }: Pick<World, 'twilio'>, wanted: number): Promise<void> {
  const all = () => Promise.resolve(twilio.posts.length >= wanted);
  return until('all SMS are sent', all, SETTLE_DEADLINE_MS);
}
