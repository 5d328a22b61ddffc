import * as fc from 'fast-check';
import { perform, type Action, type History } from '../history';
import { receiveMessage } from '../model/receive-message';
import { deliverMessage as deliverTo, modelMessageOf, type Message } from '../system/messages';
import { at, position, type Command, type Step } from './step';

/** Any message that waits: they arrive in any order. */
export const deliverMessage: Step<{ message: number }> = {
  picks: fc.record({ message: position }),
  plan: (history, picked) => {
    const message = at(history.waiting, picked.message);
    return message && deliveryOf(history, message);
  },
};

/** A message that was delivered before, however long ago: queues deliver at least once. */
export const repeatMessage: Step<{ message: number }> = {
  picks: fc.record({ message: position }),
  plan: (history, picked) => {
    const message = at(history.delivered, picked.message);
    return message && deliveryOf(history, message);
  },
};

function deliveryOf(history: History, message: Message): Action {
  const { type, aggregateId, aggregateVersion, queue } = message;
  return {
    label: `${queue} receives ${type} ${aggregateId} version ${aggregateVersion}`,
    run: async () => {
      await deliverTo(history.system, message);
      return { answer: undefined };
    },
    expect: (model) => receiveMessage(model, modelMessageOf(message)),
    done: () => {
      if (!history.waiting.includes(message)) return;
      history.waiting = history.waiting.filter((one) => one !== message);
      history.delivered.push(message);
    },
  };
}

/** All messages that wait, at once and in no order. */
export function deliveryOfAll(history: History): Action {
  const deliveries = history.waiting.map((message) => deliveryOf(history, message));
  return {
    label: 'everything published is delivered',
    run: async () => {
      await Promise.all(deliveries.map(({ run }) => run()));
      return { answer: undefined };
    },
    expect: (model, outcome) => {
      for (const { expect } of deliveries) expect(model, outcome);
    },
    done: () => {
      for (const { done } of deliveries) done?.();
    },
  };
}

/** Delivers everything, and everything that comes of it. */
export async function deliverAll(history: History): Promise<void> {
  for (let next = history.waiting[0]; next !== undefined; next = history.waiting[0]) {
    await perform(history, deliveryOf(history, next));
  }
}

export const deliverAllWaiting: fc.Arbitrary<Command> = fc.constant({
  check: () => true,
  run: deliverAll,
  toString: () => 'deliver all',
});
