import { spawnSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { Aftermath, Drills, Fault, Ground } from './drills/drill';
import { GROUNDS } from './drills/grounds';
import { alertOf } from './drills/alert-of';
import type { FormPost } from '@fiado/chassis/testing/twilio-stand-in';
import { checkSms } from './support/check-sms';
import { checkDeadLetters, checkSums } from './support/check-sums';
import type { Deployment } from './support/deployment';
import { openMarket, raiseCredit } from './support/market';
import { settle } from './support/settle';
import { orderLoad, statusesOf, type Sent, type SteadyLoad } from './support/steady-load';

const ALL = GROUNDS.flatMap(({ faults }) => Object.keys(faults));
const HELP = `npm run drill -- [--only NAME,NAME] [--rate 15] [--seconds N]

Runs Fiado in real processes with two instances of transactions, places orders at a steady rate, and injects one
fault after the other. Prints a row of docs/operations/drills.md for each, and checks at the end that no acknowledged
order is missing, no SMS was sent twice and \`fiado verify\` finds nothing. --seconds is how long each fault lasts.
Some faults need root (they mount a disk or a resolv.conf, or drop packets, in namespaces of their own), nginx or
pgbouncer.

${ALL.join('\n')}
`;
/** Orders before and after each fault. */
const CALM_MS = 5_000;
const RATE_PER_SECOND = 15;
/** The least that an order may be: the credit lines last for a run of all faults. */
const ORDER_PESOS = 100;
const STORES = 24;
/** Set in a run that has namespaces of its own. */
const IN_NAMESPACE = 'FIADO_DRILL_NAMESPACE';

interface Options {
  names: string[];
  rate: number;
  /** In place of each fault's own time. */
  faultMs: number | undefined;
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      only: { type: 'string', default: ALL.join(',') },
      rate: { type: 'string', default: String(RATE_PER_SECOND) },
      seconds: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  const names = namesIn(values.only);
  if (values.help || names === undefined) {
    say(HELP);
    return values.help ? 0 : 2;
  }
  const faultMs = values.seconds === undefined ? undefined : Number(values.seconds) * 1_000;
  const options = { names, rate: Number(values.rate), faultMs };
  const grounds = GROUNDS.filter(({ faults }) => names.some((name) => name in faults));
  if (grounds.some(({ isolated }) => isolated) && process.env[IN_NAMESPACE] === undefined) {
    return runInNamespace();
  }
  delete process.env.REDIS_URL;
  say('| date | fault | requests failed | slowest | recovery | codes unknown | lost | alert |');
  say('| --- | --- | --- | --- | --- | --- | --- | --- |');
  let problems = 0;
  for (const ground of grounds) problems += await runOn(ground, options);
  return problems === 0 ? 0 : 1;
}

/** Names have commas, so they are looked for in the text. */
function namesIn(text: string): string[] | undefined {
  const names = ALL.filter((name) => text.includes(name));
  const rest = names
    .toSorted((a, b) => b.length - a.length)
    .reduce((left, name) => left.replace(name, ''), text);
  return /^[,\s]*$/.test(rest) ? names : undefined;
}

/** What this process mounts and drops is seen by its children alone, and is gone with them. */
function runInNamespace(): number {
  const again = ['sh', '-c', 'ip link set lo up && exec "$0" "$@"', process.execPath];
  const { status } = spawnSync(
    'unshare',
    ['--mount', '--net', ...again, ...process.argv.slice(1)],
    {
      stdio: 'inherit',
      env: { ...process.env, [IN_NAMESPACE]: '1' },
    },
  );
  return status ?? 1;
}

/** @returns how many problems there were */
async function runOn({ open, faults }: Drills, options: Options): Promise<number> {
  const ground = await open();
  const { deployment } = ground;
  try {
    return await drill(ground, faults, options);
  } finally {
    await ground.second.stop();
    await deployment.dispose();
    await ground.dispose();
  }
}

async function drill(ground: Ground, faults: Drills['faults'], options: Options): Promise<number> {
  const { deployment } = ground;
  const market = await openMarket(deployment.system, STORES);
  await raiseCredit(deployment.system, market);
  const load = orderLoad(ground.baseUrl ?? deployment.system.baseUrl, market, ORDER_PESOS);
  load.start(options.rate);
  try {
    return await injectAll(ground, { faults, load }, options);
  } finally {
    await load.stop();
  }
}

/** @returns how many problems there were */
async function injectAll(
  ground: Ground,
  { faults, load }: { faults: Drills['faults']; load: SteadyLoad },
  { names, faultMs }: Options,
): Promise<number> {
  const { deployment } = ground;
  const forgotten: Array<{ from: number; to: number }> = [];
  const problems: string[] = [];
  for (const [name, fault] of Object.entries(faults)) {
    if (!names.includes(name)) continue;
    const unknownBefore = await countUnknown(deployment);
    await sleep(CALM_MS);
    const startedAt = Date.now();
    const end = await fault.inflict(ground);
    await sleep(fault.faultMs === 0 ? 0 : (faultMs ?? fault.faultMs));
    const endedAt = Date.now();
    const aftermath: Aftermath = (await end()) ?? {};
    const wholeAt = Date.now();
    await sleep(2 * CALM_MS);
    await load.settled();
    const sent = load.since(startedAt);
    const unknown = (await countUnknown(deployment)) - unknownBefore;
    const lost = await lostOrders(deployment, sent);
    const lasted = `${((endedAt - startedAt) / 1_000).toFixed(0)} s`;
    const row = [
      new Date().toISOString().slice(0, 10),
      `${name}, ${lasted}`,
      ...cellsOf(sent, endedAt),
      Math.max(0, unknown),
      lost.length,
      alertOf(fault.runbook),
    ];
    say(`| ${row.join(' | ')} |`);
    say(`  answers by status: ${statusesOf(sent)}; the end took ${wholeAt - endedAt} ms`);
    for (const line of aftermath.measured ?? []) say(`  ${line}`);
    if (aftermath.forgotten) forgotten.push(aftermath.forgotten);
    const late = lateness(fault, { startedAt, wholeAt, sent, posts: deployment.twilio.posts });
    for (const line of late.measured) say(`  ${line}`);
    problems.push(...late.problems.map((problem) => `${name}: ${problem}`));
    problems.push(...unexpected(sent).map((status) => `${name}: an answer ${status}`));
  }
  await load.stop();
  const settled = await settle(deployment.database);
  const isForgotten = (at: number) => forgotten.some(({ from, to }) => at >= from && at <= to);
  const acknowledged = load.sent.filter(({ id }) => id !== undefined);
  const kept = acknowledged.filter(({ at, ms }) => !isForgotten(at + ms));
  const posts = deployment.twilio.posts.filter(({ at }) => !isForgotten(at));
  problems.push(
    ...(acknowledged.length === 0 ? ['no order was accepted at all'] : []),
    ...settled.violations,
    ...(await lostOrders(deployment, kept)).map((id) => `the order ${id} is lost`),
    ...(await checkSms(deployment.database, posts)),
    ...(await checkDeadLetters(deployment.database)),
    ...(await checkSums(deployment.system)),
  );
  for (const problem of problems) say(`PROBLEM ${problem}`);
  say(`${acknowledged.length} orders acknowledged; ${problems.length} problems`);
  return problems.length;
}

/** When orders and SMS worked again after a fault that says how soon they must. */
function lateness(
  { worksAgain }: Fault,
  {
    startedAt,
    wholeAt,
    sent,
    posts,
  }: { startedAt: number; wholeAt: number; sent: Sent[]; posts: readonly FormPost[] },
): { measured: string[]; problems: string[] } {
  if (worksAgain === undefined) return { measured: [], problems: [] };
  const isAccepted = ({ id }: Sent) => id !== undefined;
  const answered = sent.filter(isAccepted).map(({ at, ms }) => at + ms);
  const failed = sent.filter((one) => !isAccepted(one)).map(({ at }) => at);
  const span = { from: startedAt, to: wholeAt };
  const withoutOrder = longestGap(answered, span);
  const lastFailure = Math.max(0, ...failed.map((at) => at - startedAt));
  const withoutSms = longestGap(
    posts.map(({ at }) => at),
    span,
  );
  return {
    measured: [
      `longest time without an accepted order ${inSeconds(withoutOrder)}; the last that failed was sent after ${inSeconds(lastFailure)}`,
      `longest time without an SMS ${inSeconds(withoutSms)}`,
    ],
    problems: [
      ...(Math.max(withoutOrder, lastFailure) > worksAgain.orders
        ? ['orders work again late']
        : []),
      ...(withoutSms > worksAgain.sms ? ['SMS work again late'] : []),
    ],
  };
}

/** The longest time in a span without any of these moments. */
function longestGap(moments: number[], { from, to }: { from: number; to: number }): number {
  const within = moments.filter((at) => at > from && at < to).toSorted((a, b) => a - b);
  return Math.max(...[...within, to].map((at, index) => at - (within[index - 1] ?? from)));
}

function inSeconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}

/** Failed requests, the slowest answer, and the time from the end of the fault to the last request that failed. */
function cellsOf(sent: Sent[], endedAt: number): string[] {
  const failed = sent.filter(({ id }) => id === undefined);
  const slowest = Math.max(0, ...sent.map(({ ms }) => ms));
  const lastFailure = Math.max(endedAt, ...failed.map(({ at }) => at));
  const failures = `${failed.length} of ${sent.length}`;
  return [failures, inSeconds(slowest), inSeconds(lastFailure - endedAt)];
}

/** Answers that no outage excuses: a fault is a 503, a 504 or a connection that broke. */
function unexpected(sent: Sent[]): number[] {
  return [...new Set(sent.map(({ status }) => status))].filter(
    (status) => status >= 300 && ![503, 504].includes(status),
  );
}

/** Ids of acknowledged orders that the database does not hold. */
async function lostOrders({ database }: Deployment, sent: Sent[]): Promise<string[]> {
  const rows = await database.query<{ id: string }>('SELECT id FROM transactions.transactions');
  const known = new Set(rows.map(({ id }) => id));
  return sent.flatMap(({ id }) => (id === undefined || known.has(id) ? [] : [id]));
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

main().then(
  (code) => (process.exitCode = code),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
    process.exitCode = 1;
  },
);
