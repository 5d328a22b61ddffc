import { AppError } from '@fiado/contracts/errors';
import { checkHolds, compareState, same } from './compare';
import { comparePublished } from './compare-published';
import { newest, type Model, type Published } from './model/model';
import { codeIn, type Message } from './system/messages';
import { readState, type State } from './system/state';
import type { System } from './system/system';

/** One history while it runs: the product, its model, and the messages between the services. */
export interface History {
  system: System;
  model: Model;
  /** The product's rows after the last step. */
  state: State;
  /** Messages that were published and not delivered yet, and those that were. */
  waiting: Message[];
  delivered: Message[];
  /** Codes that were sent for an order, oldest first. */
  codes: Map<string, string[]>;
  log: string[];
}

/** What the product answered, in a form that can be compared, and ids that it gave. */
export interface Outcome {
  answer: unknown;
  ids?: Array<string | undefined>;
}

/** A step that is ready to be taken. */
export interface Action {
  label: string;
  run: () => Promise<Outcome>;
  /** Takes the step on the model. @returns the answer that the product should have given */
  expect: (model: Model, outcome: Outcome) => unknown;
  /** Refusals that all apply: taken at the same time as another step, it may answer any of them. */
  refusals?: (model: Model) => string[];
  /** Called once the step is over and both agree. */
  done?: () => void;
}

/** Two steps never share a moment: "newest first" has one meaning. */
const STEP_MS = 1;

/** @returns the answer of a use case, or the code of its error */
export async function answerOf(work: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AppError) return { answer: error.code };
    throw error;
  }
}

/** Moves the time of the next step. */
export async function passTime({ system }: History, ms: number): Promise<void> {
  system.now += ms;
  await system.database.setTime(system.now);
}

/** Takes a step on both sides and compares them. @throws Error where they differ */
export async function perform(history: History, action: Action): Promise<void> {
  history.log.push(action.label);
  history.model.now = history.system.now;
  const outcome = await action.run();
  const expected = action.expect(history.model, outcome);
  const before = history.state;
  const sms = await look(history);
  same(action.label, outcome.answer, expected);
  settle(history.model, history.state, sms);
  checkHolds(before, history.state);
  action.done?.();
}

/**
 * Takes two steps at the same time. The product may have taken them in either order, and accounts
 * may have been asked at any moment: one of these courses must explain what is seen.
 */
export async function performTogether(history: History, pair: [Action, Action]): Promise<void> {
  const [a, b] = pair;
  history.log.push(`together: ${a.label} | ${b.label}`);
  history.model.now = history.system.now;
  const [ofA, ofB] = await Promise.all([a.run(), b.run()]);
  const sms = await look(history);

  const failures: unknown[] = [];
  for (const askedBefore of [undefined, 0, 1]) {
    for (const order of [
      [
        { action: a, outcome: ofA },
        { action: b, outcome: ofB },
      ],
      [
        { action: b, outcome: ofB },
        { action: a, outcome: ofA },
      ],
    ]) {
      const model = structuredClone(history.model);
      try {
        order.forEach(({ action, outcome }, at) => {
          if (askedBefore === at) adoptCopies(model, history.state);
          // A refusal changes nothing but copies, and those are adopted.
          if (action.refusals?.(model).includes(String(outcome.answer))) return;
          same(action.label, outcome.answer, action.expect(model, outcome));
        });
        adoptCopies(model, history.state);
        settle(model, history.state, sms);
        Object.assign(history.model, model);
        a.done?.();
        b.done?.();
        return;
      } catch (error) {
        failures.push(error);
      }
    }
  }
  throw failures[0];
}

/** transactions may have copied what accounts knows: never less than the model, never untrue. */
function adoptCopies(model: Model, { lines, wholesalers }: State): void {
  const adopt = (published: Published<unknown> | undefined, version: number): void => {
    if (published === undefined || version > published.versions.length) return;
    published.copied = Math.max(published.copied, version);
  };
  for (const { id, version } of lines) adopt(model.stores.get(id), version);
  for (const { id, version } of wholesalers) adopt(model.wholesalers.get(id), version);
}

/** Reads the product's rows and collects new messages. @returns new codes by SMS */
async function look(history: History): Promise<Array<{ order: string; code: string }>> {
  const { system } = history;
  history.state = await readState(system, system.now + STEP_MS);
  system.now += STEP_MS;
  const sms: Array<{ order: string; code: string }> = [];
  const known = new Set([...history.waiting, ...history.delivered].map(({ id }) => id));
  for (const message of history.state.messages) {
    // A deposit is there until it is applied.
    if (known.has(message.id)) continue;
    if (message.queue !== 'notifier') {
      history.waiting.push(message);
      continue;
    }
    const code = codeIn(system, message);
    if (code === undefined) continue;
    const order = message.aggregateId;
    sms.push({ order, code });
    history.codes.set(order, [...(history.codes.get(order) ?? []), code]);
  }
  return sms;
}

/** Compares what is seen after a step, and lets the model learn the codes that were sent. */
function settle(model: Model, state: State, sms: Array<{ order: string; code: string }>): void {
  for (const { order, code } of sms) {
    const known = model.orders.get(order)?.code;
    if (known === undefined) throw new Error(`A code was sent for ${order}, which needs none`);
    if (known.text !== undefined) same(`code of order ${order}`, code, known.text);
    known.text = code;
  }
  for (const message of state.messages) comparePublished(model, message);
  compareState(model, state);
}

/** A copy of the newest version with some changes, as the next version. */
export function publishVersion<Content extends object>(
  published: Published<Content>,
  changes: Partial<Content>,
): void {
  published.versions.push({ ...newest(published), ...changes });
}

/** Begins a history whose product and model are in the same state. */
export async function beginHistory(system: System, model: Model): Promise<History> {
  const history: History = {
    system,
    model,
    state: {
      orders: [],
      lines: [],
      wholesalers: [],
      stores: [],
      receivables: [],
      balances: [],
      deposits: [],
      settlement: [],
      statements: [],
      messages: [],
    },
    waiting: [],
    delivered: [],
    codes: new Map(),
    log: [],
  };
  const sms = await look(history);
  settle(model, history.state, sms);
  return history;
}
