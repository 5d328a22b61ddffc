import { alternate, rateOf, ratioOf } from '../support/alternate';
import { createEndpoint, startReceiver } from '../support/endpoints';
import { orderLoad, ordersWithSms } from '../support/order-load';
import type { System } from '../support/system';
import { insertMessages, useUpCap } from '../support/waiting-sms';
import { measureFlood } from './neighbours-flood';
import { rowFinding, type PhaseResult, type World } from '../support/world';

/** Ratios near to 1 need more rounds than others. */
const ROUNDS_FACTOR = 2;

/** Four systems, each on its copy of one database. */
export interface Neighbours {
  plain: { system: System; database: string };
  waiting: { system: System; database: string };
  endpoint: System;
  traced: System;
}

/**
 * What an order with its SMS costs while many SMS of another wholesaler wait behind its cap, with a
 * webhook endpoint that takes each event, and with a trace of each order, beside a system without
 * them; and how long one takes there while another wholesaler floods it.
 */
export async function measureNeighbours(
  world: World,
  { plain, waiting, endpoint, traced }: Neighbours,
): Promise<PhaseResult> {
  const { options, say, market } = world;
  await useUpCap(world.db, waiting.database);
  await insertMessages(world.db, waiting.database, options.counts.waiting);
  const receiver = await startReceiver(world, { answers: true });
  await createEndpoint(endpoint, market.apiKey, receiver.url);

  const subjects = [
    ordersWithSms(world, 'plain', orderLoad(world, plain.system.urlOf('gateway'))),
    ordersWithSms(world, 'SMS wait', orderLoad(world, waiting.system.urlOf('gateway'))),
    ordersWithSms(world, 'webhook', orderLoad(world, endpoint.urlOf('gateway'))),
    ordersWithSms(world, 'traced', orderLoad(world, traced.urlOf('gateway'))),
  ];
  const rounds = await alternate(subjects, {
    ...options,
    rounds: options.rounds * ROUNDS_FACTOR,
    say,
  });
  const flood = await measureFlood(world, plain);
  return {
    phase: 'neighbours',
    findings: [
      { what: 'order and SMS', value: rateOf(rounds, 'plain'), unit: '/s' },
      {
        what: `the same, ${options.counts.waiting} SMS wait`,
        value: rateOf(rounds, 'SMS wait'),
        unit: '/s',
      },
      { what: 'the same, with a webhook', value: rateOf(rounds, 'webhook'), unit: '/s' },
      { what: 'the same, each one traced', value: rateOf(rounds, 'traced'), unit: '/s' },
      { what: 'webhooks received', value: receiver.connections, unit: '' },
      rowFinding('waiting SMS', ratioOf(rounds, 'plain', 'SMS wait')),
      rowFinding('endpoint', ratioOf(rounds, 'plain', 'webhook')),
      rowFinding('traces', ratioOf(rounds, 'plain', 'traced')),
      ...flood.findings,
    ],
    rounds: { ...Object.fromEntries(rounds), flood: flood.rounds },
  };
}
