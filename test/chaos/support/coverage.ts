import { PROCESS_NAMES } from '@fiado/contracts/process-names';
import { LONG_OUTAGE_MS, NETWORK_MODES, TWILIO_MODES, type Backend, type Fault } from './schedule';

/** Number of consecutive seeds that include every kind of fault. */
export const SEEDS_THAT_MEET_ALL = 10;

const LONG_OUTAGE = `redis-kill for ${LONG_OUTAGE_MS / 1_000} s`;

/** Every kind of fault that a run on this backend must be able to survive. */
export function allKinds(backend: Backend): string[] {
  return [
    ...PROCESS_NAMES.map((service) => `kill ${service}`),
    ...PROCESS_NAMES.map((service) => `pause ${service}`),
    'database',
    ...NETWORK_MODES.map((mode) => `network ${mode}`),
    ...TWILIO_MODES.map((mode) => `twilio ${mode}`),
    ...(backend === 'redis' ? ['redis-kill', LONG_OUTAGE, 'redis-flush'] : []),
  ];
}

/** The kind that a fault is counted as. */
export function kindOf(fault: Fault): string {
  switch (fault.kind) {
    case 'kill':
    case 'pause':
      return `${fault.kind} ${fault.service}`;
    case 'network':
    case 'twilio':
      return `${fault.kind} ${fault.mode}`;
    case 'redis-kill':
      return fault.forMs === LONG_OUTAGE_MS ? LONG_OUTAGE : fault.kind;
    case 'database':
    case 'redis-flush':
      return fault.kind;
  }
}

/** How often each kind really happened on a backend; a kill of who is just starting does not. */
export class Coverage {
  readonly #counts: Map<string, number>;

  constructor(private readonly backend: Backend) {
    this.#counts = new Map(allKinds(backend).map((kind) => [kind, 0]));
  }

  add(faults: Fault[]): void {
    for (const kind of faults.map(kindOf)) {
      this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + 1);
    }
  }

  /** For a person: all kinds with their counts. */
  text(): string {
    const counts = [...this.#counts].map(([kind, count]) => `${kind} ${count}`);
    return `faults on ${this.backend}: ${counts.join(', ')}`;
  }

  /** Kinds that never happened. */
  missing(): string[] {
    return [...this.#counts].filter(([, count]) => count === 0).map(([kind]) => kind);
  }
}
