import { randomInt } from 'node:crypto';
import type { History } from './history';
import { runHistory } from './run-history';

const SEEDS = 2 ** 31;
const seed = Number(process.env.SIMULATION_SEED ?? randomInt(SEEDS));
const histories = Number(process.env.SIMULATION_HISTORIES ?? 2_000);

it(`${histories} histories from seed ${seed} go as the design says`, () => {
  process.stdout.write(`simulation: seed ${seed}, ${histories} histories\n`);
  const seen = new Map<string, number>();

  for (let index = 0; index < histories; index += 1) count(seen, runHistory(seed + index));

  process.stdout.write(`simulation: ${JSON.stringify(Object.fromEntries(seen))}\n`);
}, 300_000);

/** What the histories came through, so that a simulation in which nothing happens is seen. */
function count(seen: Map<string, number>, { house }: History): void {
  const { transactions, payments } = house;
  const what = [
    ...[...transactions.orders.values()].map(({ status }) => `order ${status}`),
    ...[...payments.deposits.values()].map(({ status }) => `deposit ${status}`),
    ...transactions.entries.map(({ kind }) => `entry ${kind}`),
  ];
  for (const one of what) seen.set(one, (seen.get(one) ?? 0) + 1);
}
