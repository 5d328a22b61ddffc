import type { ProcessName } from '@fiado/contracts/process-names';
import { setTimeout as sleep } from 'node:timers/promises';
import { isReady } from '../../e2e/support/api';
import { pidOf } from '../../e2e/support/system';
import type { TwilioStandIn } from '@fiado/chassis/testing/twilio-stand-in';
import type { Deployment } from './deployment';
import {
  PROXIED,
  targetOf,
  type Fault,
  type PlannedFault,
  type Proxied,
  type TWILIO_MODES,
} from './schedule';

/** How soon a service is ready again once the database is back, on a machine with nothing else to do. */
const READY_BAR_MS = 5_000;
/** A service that is not ready by then stays away. A machine with other work needs some seconds. */
const READY_DEADLINE_MS = 60_000;
const READY_POLL_MS = 50;

/** A time in which a process of ours was hit, or the database was down. */
interface Span {
  from: number;
  to: number;
}

/** Injected faults, for the checker. */
export interface Damage {
  /** What really happened of the schedule. */
  inflicted: Fault[];
  kills: Array<{ service: ProcessName; at: number }>;
  pauses: Array<{ service: ProcessName } & Span>;
  outages: Span[];
  /** Times without Redis; `to` is Infinity until it is back. */
  redisOutages: Span[];
  /** How long each service took to be ready after each outage. */
  readyAfterMs: number[];
  /** Ids of the jobs that a scenario made fail for good. */
  deadLetters: string[];
  /** Figures, for a person. */
  measured: string[];
  violations: string[];
}

/**
 * Runs a schedule to its end; when this resolves everything is healed. A fault waits until the one
 * before it on the same target is healed, which takes longer than planned on a busy machine.
 */
export async function inflict(
  deployment: Deployment,
  schedule: PlannedFault[],
  damage = noDamage(),
): Promise<Damage> {
  const startedAt = Date.now();
  const healed = new Map<string, Promise<void>>();
  await Promise.all(
    schedule.map(async ({ atMs, fault }) => {
      await sleep(Math.max(0, startedAt + atMs - Date.now()));
      const target = targetOf(fault);
      const before = healed.get(target) ?? Promise.resolve();
      const turn = before.then(() => inflictOne(deployment, fault, damage));
      healed.set(target, turn);
      await turn;
    }),
  );
  return damage;
}

export function noDamage(): Damage {
  return {
    inflicted: [],
    kills: [],
    pauses: [],
    outages: [],
    redisOutages: [],
    readyAfterMs: [],
    deadLetters: [],
    measured: [],
    violations: [],
  };
}

async function inflictOne(deployment: Deployment, fault: Fault, damage: Damage): Promise<void> {
  const { proxies, redis, twilio } = deployment;
  if (fault.kind === 'kill' || fault.kind === 'pause') {
    return inflictOnProcess(deployment, fault, damage);
  }
  damage.inflicted.push(fault);
  switch (fault.kind) {
    case 'database':
      return stopDatabase(deployment, fault.forMs, damage);
    case 'network':
      proxies[fault.service].setMode(fault.mode);
      await sleep(fault.forMs);
      proxies[fault.service].setMode('pass');
      return;
    case 'twilio':
      await failTwilio(twilio, fault.mode);
      await sleep(fault.forMs);
      await failTwilio(twilio, 'accept');
      return;
    case 'redis-kill':
      return stopRedis(deployment, fault.forMs, damage);
    case 'redis-flush':
      await redis?.flush();
  }
}

/** False when the service is just being started again. */
function signal({ system }: Deployment, service: ProcessName, name: NodeJS.Signals): boolean {
  try {
    process.kill(pidOf(system.supervisorPid, service), name);
    return true;
  } catch {
    return false;
  }
}

async function inflictOnProcess(
  deployment: Deployment,
  fault: Extract<Fault, { kind: 'kill' | 'pause' }>,
  damage: Damage,
): Promise<void> {
  const { service } = fault;
  const from = Date.now();
  if (!signal(deployment, service, fault.kind === 'kill' ? 'SIGKILL' : 'SIGSTOP')) return;
  damage.inflicted.push(fault);
  if (fault.kind === 'kill') {
    damage.kills.push({ service, at: from });
    return;
  }
  await sleep(fault.forMs);
  signal(deployment, service, 'SIGCONT');
  damage.pauses.push({ service, from, to: Date.now() });
}

/** Kills Redis with all it holds, and brings it back empty. */
export async function stopRedis(
  { redis }: Deployment,
  forMs: number,
  damage: Damage,
): Promise<void> {
  const outage = { from: Date.now(), to: Infinity };
  damage.redisOutages.push(outage);
  await redis?.kill();
  await sleep(forMs);
  outage.to = Date.now();
  await redis?.launch();
}

async function stopDatabase(deployment: Deployment, forMs: number, damage: Damage): Promise<void> {
  const from = Date.now();
  await deployment.database.stopAtOnce();
  await sleep(forMs);
  await deployment.database.start();
  const outage = { from, to: Date.now() };
  damage.outages.push(outage);
  await Promise.all(PROXIED.map((service) => awaitReady(deployment, service, { outage, damage })));
}

/** Waits until a service is ready after an outage, and notes how long that took. */
export async function awaitReady(
  deployment: Deployment,
  service: Proxied,
  { outage, damage }: { outage: Span; damage: Damage },
): Promise<void> {
  let ready = await isReady(deployment.ports[service]);
  while (!ready && Date.now() < outage.to + READY_DEADLINE_MS) {
    await sleep(READY_POLL_MS);
    ready = await isReady(deployment.ports[service]);
  }
  if (!ready) {
    damage.violations.push(`${service} did not become ready after the database came back`);
    return;
  }
  // A service that was killed or paused meanwhile may become ready later.
  if (wasHit(damage, service, { from: outage.from, to: Date.now() })) return;
  damage.readyAfterMs.push(Math.max(0, Date.now() - outage.to));
}

/** For scenarios, which run alone: the longest of `readyAfterMs`, a violation above the bar. */
export function slowestReady(damage: Damage): number {
  const ms = Math.max(0, ...damage.readyAfterMs);
  if (ms > READY_BAR_MS) {
    damage.violations.push(`a service became ready only ${ms} ms after the database`);
  }
  return ms;
}

/** Whether this service was killed or paused in that time, or shortly before it. */
export function wasHit(damage: Damage, service: ProcessName, { from, to }: Span): boolean {
  const START_MS = 15_000; // a start of its own, its pause before it included
  return (
    damage.kills.some(
      (kill) => kill.service === service && kill.at > from - START_MS && kill.at < to,
    ) ||
    damage.pauses.some((one) => one.service === service && one.to > from - 1_000 && one.from < to)
  );
}

/** Lets Twilio behave so; a Twilio that refuses closes its port. */
async function failTwilio(
  twilio: TwilioStandIn,
  mode: (typeof TWILIO_MODES)[number] | 'accept',
): Promise<void> {
  if (mode === 'refuse') return twilio.stop();
  twilio.behaviours = [mode === 'storm' ? { refuse: 429, code: 20429 } : mode];
  return twilio.open();
}
