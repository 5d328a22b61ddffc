import { advance, bringOne, comeToRest, createHistory, passTime, type History } from './history';
import { say } from './house/house';
import type { Random } from './random';
import { batch, cancel, confirm, deliver, order, resend } from './steps/orders';
import { askForBill, assign, deposit, detect, repeatDeposit, reverse } from './steps/money';
import { changeStore, expire, toggleAccounts, wait } from './steps/world';

const STEPS = 60;

/** How often each thing happens, against the others: in an order desk's life, and in a cashier's. */
const WEIGHTS: Array<[desk: number, cashier: number, step: (history: History) => void]> = [
  [12, 5, order],
  [4, 6, batch],
  [12, 4, confirm],
  [3, 1, resend],
  [12, 16, deliver],
  [2, 1, cancel],
  [10, 14, deposit],
  [2, 1, repeatDeposit],
  [2, 2, assign],
  [3, 8, reverse],
  [3, 4, detect],
  [2, 1, askForBill],
  [3, 2, changeStore],
  [1, 0, toggleAccounts],
  [4, 2, wait],
  [2, 1, expire],
  [25, 25, bringOne],
  [12, 6, advanceOne],
  [1, 2, comeToRest],
];
const TOTALS = [0, 1].map((life) => WEIGHTS.reduce((sum, row) => sum + Number(row[life]), 0));

/**
 * Lives one history through, which its seed tells to the last draw.
 * @returns how it ended, for statistics
 * @throws Error with the seed and all that happened, where house and model differ
 */
export function runHistory(seed: number): History {
  const history = createHistory(seed);
  const { house, model, random, world } = history;
  for (const [id, terms] of world.stores) {
    const news = { cornerStoreId: id, version: 1, terms };
    if (model.stores.has(id)) say(house, { type: 'corner-store.changed', ...news });
  }
  try {
    const life = random.pick([0, 1] as const);
    for (let step = 0; step < STEPS; step += 1) {
      // Nothing happens at the same moment as something else: newest first has one meaning.
      passTime(history, 1);
      drawStep(random, life)(history);
    }
    comeToRest(history);
    return history;
  } catch (error) {
    throw new Error(tell(seed, history, error), { cause: error });
  }
}

function drawStep(random: Random, life: 0 | 1): (history: History) => void {
  let left = random.below(TOTALS[life] ?? 0);
  for (const row of WEIGHTS) {
    left -= row[life];
    if (left < 0) return row[2];
  }
  throw new Error('The weights sum up to their total');
}

function advanceOne(history: History): void {
  const { running, random } = history;
  if (running.length > 0) advance(history, random.pick(running));
}

function tell(seed: number, { log, world }: History, error: unknown): string {
  const settings = JSON.stringify([...world.settings]);
  const stores = JSON.stringify([...world.stores]);
  const happened = [`settings ${settings}`, `stores ${stores}`, ...log];
  return [
    error instanceof Error ? error.message : String(error),
    `replay: SIMULATION_SEED=${seed} SIMULATION_HISTORIES=1 npm run test:simulation`,
    ...happened.map((line, index) => `${String(index).padStart(4)}  ${line}`),
  ].join('\n');
}
