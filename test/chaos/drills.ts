import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { checkSms } from './support/check-sms';
import { checkDeadLetters, checkSums } from './support/check-sums';
import { DRILLS, type Drill } from './support/drill-faults';
import { startDeployment, type Deployment } from './support/deployment';
import { Instance } from './support/instance';
import { openMarket, raiseCredit } from './support/market';
import { OrderLoad, type Sent } from './support/order-load';
import { settle } from './support/settle';

const HELP = `npm run drill -- [--only NAME,NAME] [--rate 15]

Runs Fiado in real processes with two instances of transactions, places orders at a steady rate, and injects one
fault after the other. Prints a row of docs/operations/drills.md for each, and checks at the end that no acknowledged
order is missing, no SMS was sent twice and \`fiado verify\` finds nothing.
`;
/** Orders before and after each fault. */
const CALM_MS = 5_000;
const RATE_PER_SECOND = 15;
/** The least that an order may be: the credit lines last for a run of all faults. */
const ORDER_PESOS = 100;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      only: { type: 'string', default: Object.keys(DRILLS).join(',') },
      rate: { type: 'string', default: String(RATE_PER_SECOND) },
      help: { type: 'boolean', default: false },
    },
  });
  const names = values.only.split(',');
  if (values.help || names.some((name) => !(name in DRILLS))) {
    say(`${HELP}\n${Object.keys(DRILLS).join('\n')}`);
    process.exit(values.help ? 0 : 2);
  }
  delete process.env.REDIS_URL;
  const deployment = await startDeployment('redis', {}, true);
  try {
    process.exitCode = (await drill(deployment, names, Number(values.rate))) ? 0 : 1;
  } finally {
    await deployment.dispose();
  }
}

/** @returns whether nothing was lost or sent twice */
async function drill(deployment: Deployment, names: string[], rate: number): Promise<boolean> {
  const second = await Instance.start(deployment, 'transactions', {
    port: deployment.secondTransactions,
  });
  const market = await openMarket(deployment.system, 6);
  await raiseCredit(deployment.system, market);
  const load = new OrderLoad(deployment.system.baseUrl, market, ORDER_PESOS);
  load.start(rate);
  const date = new Date().toISOString().slice(0, 10);
  say('| date | fault | requests failed | slowest answer | recovery | codes unknown | runbook |');
  say('| --- | --- | --- | --- | --- | --- | --- |');
  for (const name of names) {
    const { faultMs, runbook, inflict } = DRILLS[name] as Drill;
    const unknownBefore = await countUnknown(deployment);
    await sleep(CALM_MS);
    const startedAt = Date.now();
    const end = await inflict(deployment);
    await sleep(faultMs);
    await end();
    const endedAt = Date.now();
    await sleep(2 * CALM_MS);
    await load.settled();
    const sent = load.since(startedAt);
    const unknown = (await countUnknown(deployment)) - unknownBefore;
    say(
      `| ${date} | ${name}, ${faultMs / 1_000} s | ${rowOf(sent, endedAt)} | ${unknown} | [${runbook}](${runbook}.md) |`,
    );
  }
  await load.stop();
  const settled = await settle(deployment.database);
  await second.stop();
  const problems = [
    ...(load.acknowledged.length === 0 ? ['no order was accepted at all'] : []),
    ...settled.violations,
    ...(await lostOrders(deployment, load)),
    ...(await checkSms(deployment.database, deployment.twilio.posts)),
    ...(await checkDeadLetters(deployment.database)),
    ...(await checkSums(deployment.system)),
  ];
  for (const problem of problems) say(`PROBLEM ${problem}`);
  say(`${load.acknowledged.length} orders acknowledged; ${problems.length} problems`);
  return problems.length === 0;
}

function rowOf(sent: Sent[], endedAt: number): string {
  const failed = sent.filter(({ ok }) => !ok);
  const slowest = Math.max(0, ...sent.map(({ ms }) => ms));
  const lastFailure = Math.max(endedAt, ...failed.map(({ at }) => at));
  const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;
  return `${failed.length} of ${sent.length} | ${seconds(slowest)} | ${seconds(lastFailure - endedAt)}`;
}

/** Acknowledged orders that the database does not hold. */
async function lostOrders({ database }: Deployment, load: OrderLoad): Promise<string[]> {
  const rows = await database.query<{ id: string }>('SELECT id FROM transactions.transactions');
  const known = new Set(rows.map(({ id }) => id));
  return load.acknowledged.filter((id) => !known.has(id)).map((id) => `the order ${id} is lost`);
}

async function countUnknown({ database }: Deployment): Promise<number> {
  const [row] = await database
    .query<{ count: string }>("SELECT count(*) FROM notifier.messages WHERE status = 'unknown'")
    .catch(() => []);
  return Number(row?.count ?? 0);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

void main();
