import { isDeepStrictEqual } from 'node:util';
import { checkAtRest, checkEverywhere, checkGrants, fail } from './checks';
import { hear } from './house/hear';
import type { House, Message, Operation } from './house/house';
import { expectNews } from './model/hear';
import { createModel, type Model } from './model/model';
import { createIds, createRandom, type Random } from './random';
import { drawWorld, type World } from './world';

/** A use case that is on its way, beside what the model expects of it. */
interface Running {
  label: string;
  house: Operation<unknown>;
  model: Operation<unknown>;
  /** Compares both ends, and tells the model what only the house can know, such as a new id. */
  settle: (actual: unknown, expected: unknown) => void;
}

/** One life of the house: its state, the model's, and all that happened. */
export interface History {
  random: Random;
  world: World;
  house: House;
  model: Model;
  /** Messages that were heard already and may be brought again. */
  heard: Message[];
  running: Running[];
  /** Entries of credit that were looked at already. */
  granted: number;
  /** What happened, for whoever has to understand a failure. */
  log: string[];
}

/** Probability that a use case is interrupted where production awaits something. */
const INTERRUPTION = 0.25;
/** Probability that a message that was heard comes again one day. */
const REPETITION = 0.2;

export function createHistory(seed: number): History {
  const random = createRandom(seed);
  const world = drawWorld(random);
  const house: House = {
    random,
    newId: createIds(),
    now: world.start,
    settings: world.settings,
    customers: world.customers,
    accounts: {
      stores: new Map([...world.stores].map(([id, terms]) => [id, { ...terms, version: 1 }])),
      away: false,
    },
    transactions: { lines: new Map(), orders: new Map(), entries: [], inbox: new Set(), codes: [] },
    payments: {
      receivables: new Map(),
      ledger: [],
      balances: new Map(),
      balanceEntries: [],
      deposits: new Map(),
      overdueVersions: new Map(),
      inbox: new Set(),
      facturas: 1,
      referencias: 1,
    },
    outbox: [],
  };
  const model = createModel(world);
  return { random, world, house, model, heard: [], running: [], granted: 0, log: [] };
}

/** Moves both clocks. */
export function passTime({ house, model }: History, ms: number): void {
  model.now += ms;
  house.now = new Date(model.now);
}

/** Begins a use case on both sides; it may stop on the way and be taken up later. */
export function run(history: History, running: Running): void {
  history.log.push(running.label);
  history.running.push(running);
  advance(history, running);
}

/** Takes a use case on, section by section: both sides need equally many. */
export function advance(history: History, running: Running): void {
  const { random } = history;
  for (;;) {
    passTime(history, 1);
    const actual = running.house.next();
    const expected = running.model.next();
    if (actual.done !== expected.done) {
      fail(`${running.label} ends for one side only`, { actual, expected });
    }
    if (actual.done === true) {
      history.running = history.running.filter((one) => one !== running);
      running.settle(actual.value, expected.value);
      history.log.push(`  ${running.label} → ${JSON.stringify(actual.value)}`);
    }
    check(history);
    if (actual.done === true) return;
    if (random.chance(INTERRUPTION)) {
      history.log.push(`  ${running.label} waits`);
      return;
    }
  }
}

/** Does something that nobody can come in between of, on both sides. */
export function atOnce(history: History, label: string, actual: unknown, expected: unknown): void {
  history.log.push(`${label} → ${JSON.stringify(actual)}`);
  if (!isDeepStrictEqual(actual, expected)) fail(label, { actual, expected });
  check(history);
}

export function finishRunning(history: History): void {
  while (history.running.length > 0) advance(history, history.running[0]!);
}

/** Brings any message that is on its way, or one that came before, to its consumer. */
export function bringOne(history: History): void {
  const { random, house, model, heard } = history;
  const again = heard.length > 0 && (house.outbox.length === 0 || random.chance(REPETITION));
  const from = again ? heard : house.outbox;
  if (from.length === 0) return;
  const [message] = from.splice(random.below(from.length), 1);
  if (message === undefined) return;
  passTime(history, 1);
  history.log.push(`news ${JSON.stringify(message)}`);
  hear(house, message);
  expectNews(model, message);
  if (!again || random.chance(REPETITION)) heard.push(message);
  check(history);
}

/** Everything ends and every message arrives: then all sums must agree. */
export function comeToRest(history: History): void {
  finishRunning(history);
  while (history.house.outbox.length > 0) bringOne(history);
  history.log.push('all is quiet');
  checkAtRest(history.house, history.model);
}

function check(history: History): void {
  const { house, model } = history;
  checkGrants(house, history.granted);
  history.granted = house.transactions.entries.length;
  learnCodes(house, model);
  checkEverywhere(house, model);
}

/** The store reads the code on its phone; one that is sent again must be the same. */
function learnCodes(house: House, model: Model): void {
  const { codes } = house.transactions;
  if (codes.length !== model.codesSent.length) fail('codes sent', { codes });
  const last = codes.at(-1);
  const order = model.codesSent.at(-1);
  if (last === undefined || order?.code === undefined) return;
  if (order.id !== last.transactionId) fail('whose code', { last, order });
  order.code.text ??= last.code;
  if (order.code.text !== last.code) fail('which code', { last, order });
}
