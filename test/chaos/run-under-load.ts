import { mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkDeposits } from './support/check-deposits';
import { checkOrders } from './support/check-orders';
import { checkProcesses, Output } from './support/check-processes';
import { checkSms } from './support/check-sms';
import { checkDeadLetters, checkSums } from './support/check-sums';
import { History } from './support/history';
import { startDeployment, type Deployment } from './support/deployment';
import type { Damage } from './support/inflict';
import { openMarket, type Market } from './support/market';
import type { Backend, Fault, ReplicatedBackend } from './support/schedule';
import { settle } from './support/settle';
import { CLIENTS, work } from './support/workload';

export interface RunOptions {
  /** Names what was recorded. */
  name: string;
  /** The choices of the clients. */
  seed: number;
  backend: Backend | ReplicatedBackend;
  /** How long the clients work. */
  seconds: number;
  /** Variables of the system besides the usual ones. */
  environment?: Record<string, string>;
  /** Faults that are injected meanwhile. */
  disturb: (stage: Stage) => Promise<Damage>;
}

/** The system under load. */
export interface Stage {
  deployment: Deployment;
  market: Market;
  history: History;
  output: Output;
}

export interface Verdict {
  /** Violations, one line each; empty if there are none. */
  violations: string[];
  /** The faults of the seed's schedule that were injected. */
  inflicted: Fault[];
  operations: number;
  ok: number;
  unknown: number;
  unavailable: number;
  sms: number;
  readyAfterMs: number[];
  /** Further figures, for a person. */
  measured: string[];
  settledMs: number;
  /** Folder of what was recorded, where something is wrong. */
  record: string | undefined;
}

/** One run: real processes, working clients, injected faults, and the checks. */
export async function runUnderLoad(options: RunOptions): Promise<Verdict> {
  const deployment = await startDeployment(options.backend, {
    variables: options.environment ?? {},
  });
  const history = new History(deployment.system.baseUrl);
  try {
    const market = await openMarket(deployment.system, CLIENTS);
    const stage: Stage = { deployment, market, history, output: new Output(deployment) };
    const [damage] = await Promise.all([options.disturb(stage), work(stage, options)]);
    const settled = await settle(deployment.database);
    const violations = [
      ...damage.violations,
      ...history.violations,
      ...settled.violations,
      ...(await check(stage, damage)),
    ];
    const told = await summary(options, stage, violations);
    return { ...told, ...damage, violations, settledMs: settled.ms };
  } finally {
    await deployment.dispose();
  }
}

/** Each check by itself: what cannot be read is wrong, too, and must not hide the rest. */
async function check(
  { deployment, market, history, output }: Stage,
  damage: Damage,
): Promise<string[]> {
  const { system, database, twilio } = deployment;
  const { key } = market.wholesaler;
  const found: string[] = [];
  for (const looked of [
    () => checkOrders(system, key, history.operations),
    () => checkDeposits(system, history.operations),
    () => checkSms(database, twilio.posts),
    () => checkDeadLetters(database),
    () => checkSums(system),
    () => Promise.resolve(checkProcesses(output, damage)),
  ]) {
    found.push(...(await looked().catch((error: unknown) => [String(error)])));
  }
  const code = await system.stop();
  return code === 0 ? found : [...found, `npm start ended with code ${code}`];
}

async function summary(
  { name, backend }: RunOptions,
  { deployment, history, output }: Stage,
  violations: string[],
) {
  const { operations, unavailable } = history;
  const counted = (outcome: string) =>
    operations.filter((operation) => operation.outcome === outcome).length;
  let record: string | undefined;
  if (violations.length > 0) {
    record = join(tmpdir(), `fiado-chaos-record-${backend}-${name}-${process.pid}`);
    await mkdir(record, { recursive: true });
    const lines = output.lines.map(({ at, text }) => `${new Date(at).toISOString()} ${text}`);
    await writeFile(join(record, 'output.log'), lines.join('\n'));
    await writeFile(join(record, 'history.json'), JSON.stringify(operations, null, 1));
    await writeFile(join(record, 'twilio.json'), JSON.stringify(deployment.twilio.posts, null, 1));
  }
  return {
    operations: operations.length,
    ok: counted('ok'),
    unknown: counted('unknown'),
    unavailable,
    sms: deployment.twilio.posts.filter(({ accepted }) => accepted).length,
    record,
  };
}
