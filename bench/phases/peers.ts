import { HOLD_CENTS, type LedgerPeer } from '../peers/ledger-peer';
import {
  alternate,
  median,
  rateOf,
  ratioOf,
  type Rounds,
  type Subject,
} from '../support/alternate';
import { cpuSeconds } from '../support/cpu';
import { Load, type Measured } from '../support/load';
import { orderLoad, ordersWithSms } from '../support/order-load';
import type { System } from '../support/system';
import { rowFinding, type Finding, type PhaseResult, type World } from '../support/world';

/**
 * Requests of each before the measured ones: V8 compiles the hot functions in the first thousands, and a
 * program in Go was compiled before.
 */
const FIRST_REQUESTS = 3_000;
const OURS = 'order and SMS';

/** The processes of a subject, by name, beside Postgres and Redis. */
type Pids = Map<string, number>;

interface Contender {
  load: Load;
  subject: Subject;
  pids: Pids;
  /** Absent: it is our own system. */
  peer?: LedgerPeer;
}

/**
 * An order with its SMS, and the hold of ledgers that others wrote, on one Postgres and one Redis, with the
 * same corner stores. The round of a peer ends with its last answer, ours with its last SMS.
 * @param redisPid of the Redis, which Blnk and our queues use
 */
export async function measurePeers(
  world: World,
  { system, peers, redisPid }: { system: System; peers: LedgerPeer[]; redisPid: number },
): Promise<PhaseResult> {
  const serverPid = await world.db.serverPid();
  const cpu = new Map<string, number[]>();
  const counted = ({ round, ...subject }: Subject, pids: Pids): Subject => ({
    ...subject,
    round: (seconds) =>
      countCpu(() => round(seconds), { name: subject.name, pids, serverPid, cpu }),
  });

  const all = [ownOrders(world, system), ...peers.map((peer) => holdsOf(world, peer))];
  for (const { load, subject } of all) {
    while (load.answered < FIRST_REQUESTS) await subject.round(world.options.seconds);
  }
  const subjects = all.map(({ subject, pids }) =>
    counted(subject, new Map([...pids, ['redis', redisPid]])),
  );
  const rounds = await alternate(subjects, { ...world.options, warmUps: 0, say: world.say });
  for (const { peer, load } of all) {
    if (peer !== undefined) await checkHeld(peer, load.answered);
  }
  const cpuMs = Object.fromEntries([...cpu].map(([name, values]) => [name, median(values)]));
  return {
    phase: `peers, ${world.options.connections} connections`,
    findings: findingsOf(rounds, cpuMs),
    rounds: { rates: Object.fromEntries(rounds), cpuMs: Object.fromEntries(cpu) },
  };
}

function ownOrders(world: World, system: System): Contender {
  const load = orderLoad(world, system.urlOf('gateway'));
  const pids = new Map([...system.services].map(([name, child]) => [name, child.pid]));
  return { load, subject: ordersWithSms(world, OURS, load), pids };
}

function holdsOf({ options }: World, peer: LedgerPeer): Contender {
  const { name, url, headers, order: draw, pid } = peer;
  const load = new Load({ url, headers, connections: options.connections, draw });
  const round = (seconds: number): Promise<Measured> => load.round(seconds);
  return { load, subject: { name, round }, pids: new Map([[name, pid]]), peer };
}

/** @throws Error when the balances differ from what was answered: an answer then is no hold */
async function checkHeld({ name, heldCents }: LedgerPeer, answered: number): Promise<void> {
  const [held, wanted] = [await heldCents(), answered * HOLD_CENTS];
  if (held === wanted) return;
  throw new Error(`${name} answered ${answered} holds, ${wanted} cents, and holds ${held} cents`);
}

/** The round, and the CPU time of one of its requests in all processes together. */
async function countCpu(
  round: () => Promise<Measured>,
  into: { name: string; pids: Pids; serverPid: number; cpu: Map<string, number[]> },
): Promise<Measured> {
  const { name, pids, serverPid, cpu } = into;
  const before = sumOf(cpuSeconds(pids, serverPid));
  const measured = await round();
  const used = sumOf(cpuSeconds(pids, serverPid)) - before;
  cpu.set(name, [...(cpu.get(name) ?? []), (1_000 * used) / measured.count]);
  return measured;
}

function sumOf(seconds: Map<string, number>): number {
  return [...seconds.values()].reduce((sum, value) => sum + value, 0);
}

function findingsOf(rounds: Rounds, cpuMs: Record<string, number>): Finding[] {
  const each = [...rounds.keys()].flatMap((name) => [
    { what: name, value: rateOf(rounds, name), unit: '/s' },
    { what: `${name}: CPU of one`, value: cpuMs[name] ?? Number.NaN, unit: 'ms' },
  ]);
  const ratios = [...rounds.keys()].filter((name) => name !== OURS);
  return [
    ...each,
    ...ratios.map((name) => {
      const ratio = ratioOf(rounds, OURS, name);
      if (name === 'Blnk') return rowFinding('Blnk', ratio);
      if (name === 'Formance') return rowFinding('Formance', ratio);
      return { what: `${OURS} in ${name}`, value: ratio, unit: '×' };
    }),
  ];
}
