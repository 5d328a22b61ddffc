import { integer, oneOf, randomOf, shuffled, type Random } from '../../e2e/support/random';
import {
  PROCESS_NAMES,
  SERVICES,
  type ProcessName,
  type Service,
} from '@fiado/contracts/process-names';

export type Backend = 'postgres' | 'redis';
/** Redis with replicas, for scenarios alone: a master that is killed is replaced. */
export type ReplicatedBackend = 'redis-sentinel' | 'redis-cluster';
/** Services that others reach through a proxy. */
export const PROXIED = SERVICES;
export type Proxied = Service;

/** Something that goes wrong. What has `forMs` heals by itself after it. */
export type Fault =
  | { kind: 'kill'; service: ProcessName }
  | { kind: 'pause'; service: ProcessName; forMs: number }
  | { kind: 'database'; forMs: number }
  | { kind: 'network'; service: Proxied; mode: (typeof NETWORK_MODES)[number]; forMs: number }
  | { kind: 'twilio'; mode: (typeof TWILIO_MODES)[number]; forMs: number }
  | { kind: 'redis-kill'; forMs: number }
  | { kind: 'redis-flush' };

export interface PlannedFault {
  atMs: number;
  fault: Fault;
}

/** How often each kind comes in a round; each round has all of them, in an order of its own. */
const ROUND: Record<Backend, Array<Fault['kind']>> = {
  postgres: ['kill', 'kill', 'kill', 'pause', 'database', 'network', 'network', 'twilio', 'twilio'],
  redis: [
    'kill',
    'kill',
    'pause',
    'database',
    'network',
    'twilio',
    'twilio',
    'redis-kill',
    'redis-flush',
  ],
};
export const NETWORK_MODES = ['stall', 'reset', 'drop-answer'] as const;
export const TWILIO_MODES = ['accept-then-500', 'accept-then-hang', 'refuse', 'storm'] as const;
/** Time between two faults. */
const GAP_MS = { min: 300, max: 2_200 };
/** Work comes first, so that there is something to lose. */
const QUIET_START_MS = 1_000;
/** A Redis outage of every few seeds lasts this long, as in the list of what must be survived. */
export const LONG_OUTAGE_MS = 20_000;
/** Every fifth seed has it: two of any ten in a row. */
const LONG_OUTAGE_EACH = 5;

/** The faults of a seed, the same for the same seed: as many as begin within the time given. */
export function scheduleOf(
  seed: number,
  { seconds, backend }: { seconds: number; backend: Backend },
): PlannedFault[] {
  const random = randomOf(seed);
  const planned: PlannedFault[] = [];
  /** Until when something is already broken: one thing fails in one way at a time. */
  const busyUntil = new Map<string, number>();
  const waiting = dueFaults(seed, backend, random);
  let kinds: Array<Fault['kind']> = [];

  for (let atMs = QUIET_START_MS; atMs < seconds * 1_000;) {
    const isFree = (fault: Fault) => (busyUntil.get(targetOf(fault)) ?? 0) <= atMs;
    if (kinds.length === 0) kinds = shuffled(random, ROUND[backend]);
    const due = waiting.findIndex(isFree);
    const fault = waiting.splice(due, due < 0 ? 0 : 1)[0] ?? faultOf(kinds.pop(), random);
    if (isFree(fault)) {
      planned.push({ atMs, fault });
      busyUntil.set(targetOf(fault), atMs + ('forMs' in fault ? fault.forMs : 0));
    }
    atMs += integer(random, GAP_MS.min, GAP_MS.max);
  }
  return planned;
}

/**
 * The first fault of a seed. The kinds rotate from seed to seed, so that ten consecutive seeds
 * include every kind, in addition to the random ones.
 */
function dueFaults(seed: number, backend: Backend, random: Random): Fault[] {
  const turn = <T>(items: readonly T[]) => items[seed % items.length] as T;
  const service = turn(PROCESS_NAMES);
  const due: Fault[] = [
    { ...faultOf('kill', random), service } as Fault,
    { ...faultOf('pause', random), service: turn(PROCESS_NAMES.toReversed()) } as Fault,
    { ...faultOf('network', random), mode: turn(NETWORK_MODES) } as Fault,
    { ...faultOf('twilio', random), mode: turn(TWILIO_MODES) } as Fault,
    faultOf('database', random),
  ];
  if (backend === 'redis') {
    const long = seed % LONG_OUTAGE_EACH === 0;
    due.push(long ? { kind: 'redis-kill', forMs: LONG_OUTAGE_MS } : faultOf('redis-kill', random), {
      kind: 'redis-flush',
    });
  }
  return shuffled(random, due);
}

function faultOf(kind: Fault['kind'] = 'kill', random: Random): Fault {
  switch (kind) {
    case 'kill':
      return { kind, service: oneOf(random, PROCESS_NAMES) };
    case 'pause':
      return { kind, service: oneOf(random, PROCESS_NAMES), forMs: integer(random, 500, 6_000) };
    case 'database':
      return { kind, forMs: integer(random, 200, 5_000) };
    case 'network': {
      const mode = oneOf(random, NETWORK_MODES);
      return { kind, service: oneOf(random, PROXIED), mode, forMs: integer(random, 300, 4_000) };
    }
    case 'twilio':
      return { kind, mode: oneOf(random, TWILIO_MODES), forMs: integer(random, 500, 3_000) };
    case 'redis-kill':
      return { kind, forMs: integer(random, 100, 5_000) };
    case 'redis-flush':
      return { kind };
  }
}

/** The target of a fault. A target has one fault at a time. */
export function targetOf(fault: Fault): string {
  switch (fault.kind) {
    case 'kill':
    case 'pause':
      return `process ${fault.service}`;
    case 'network':
      return `network ${fault.service}`;
    case 'redis-kill':
    case 'redis-flush':
      return 'redis';
    case 'database':
    case 'twilio':
      return fault.kind;
  }
}

/** A line for a person. */
export function faultText(fault: Fault): string {
  const parts: string[] = [fault.kind];
  if ('service' in fault) parts.push(fault.service);
  if ('mode' in fault) parts.push(fault.mode);
  if ('forMs' in fault) parts.push(`for ${(fault.forMs / 1_000).toFixed(1)} s`);
  return parts.join(' ');
}
