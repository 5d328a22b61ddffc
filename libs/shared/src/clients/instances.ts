import dns from 'node:dns/promises';
import { type LookupFunction, isIP } from 'node:net';
import { Pool } from 'undici';

/** How often a service's name is looked up: a new instance has requests about a second later. */
const LOOK_UP_EVERY_MS = 1_000;
/**
 * How long an instance that refused or closed a connection is skipped while there are others.
 * Longer than the usual DRAIN_MS: a caller that sees an instance stop does not call it again before
 * it is gone.
 */
const ASIDE_MS = 3_000;
/** More instances than these refusing one request means that something else is wrong. */
const MAX_TRIES = 3;

type PoolOptions = Omit<Pool.Options, 'connect'>;

/** One process of a service. */
interface Instance {
  url: URL;
  /** Undefined: whatever the URL's host means when a connection is opened. */
  address: string | undefined;
  pool: Pool;
  /** On the monotonic clock, in milliseconds. */
  asideUntil: number;
}

export interface InstancesLoad {
  /** Requests that were sent and not answered. */
  running: number;
  /** Requests that wait for a connection. */
  waiting: number;
  /** Instances that are called in turn. */
  inTurn: number;
  /** Instances that are skipped for a moment. */
  aside: number;
}

/**
 * The instances of one service, called in turn. They are the addresses of the names in its URLs,
 * resolved repeatedly; an IP address and localhost are one instance each. Nothing is looked up for
 * a request.
 */
export class Instances {
  readonly #options: PoolOptions;
  readonly #followed: URL[];
  readonly #timer: NodeJS.Timeout | undefined;
  /** Those that are gone, while their last requests run. */
  readonly #leaving = new Set<Pool>();
  #instances: Instance[];
  #turn = 0;
  #lookingUp = false;
  #closed = false;

  /** @param urls one URL, or several with commas between them */
  constructor(urls: string, options: PoolOptions) {
    this.#options = options;
    const all = urls.split(',').map((url) => new URL(url.trim()));
    // Until its name is known, an instance is reached by the name itself.
    this.#instances = all.map((url) => this.#open(url, undefined));
    this.#followed = all.filter(isFollowed);
    if (this.#followed.length === 0) return;
    this.#timer = setInterval(() => void this.#lookUp(), LOOK_UP_EVERY_MS).unref();
    void this.#lookUp();
  }

  /** How often a request that was not sent may be tried, each time at another instance. */
  get tries(): number {
    return Math.min(this.#instances.length, MAX_TRIES);
  }

  /** Connections to the instance whose turn it is. */
  next(): Pool {
    const instances = this.#instances;
    if (instances.length > 1) {
      const now = performance.now();
      for (let passed = 0; passed < instances.length; passed += 1) {
        this.#turn += 1;
        const instance = instances[this.#turn % instances.length] as Instance;
        if (instance.asideUntil <= now) return instance.pool;
      }
      // All instances are skipped: use any.
      this.#turn += 1;
    }
    return (instances[this.#turn % instances.length] as Instance).pool;
  }

  /** Skips the instance of these connections for a moment, while there are others. */
  setAside(pool: Pool): void {
    const instance = this.#instances.find((one) => one.pool === pool);
    if (instance !== undefined) instance.asideUntil = performance.now() + ASIDE_MS;
    void this.#lookUp();
  }

  /** Requests in flight to the instances, and which instances are in use. */
  load(): InstancesLoad {
    const now = performance.now();
    const aside = this.#instances.filter(({ asideUntil }) => asideUntil > now).length;
    const stats = this.#instances.map(({ pool }) => pool.stats);
    return {
      running: stats.reduce((sum, one) => sum + one.running, 0),
      waiting: stats.reduce((sum, one) => sum + one.queued, 0),
      inTurn: this.#instances.length - aside,
      aside,
    };
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#timer);
    const pools = [...this.#instances.map(({ pool }) => pool), ...this.#leaving];
    await Promise.all(pools.map((pool) => pool.destroy()));
  }

  #open(url: URL, address: string | undefined): Instance {
    // The name stays the URL's, for the Host header and for TLS.
    const connect = address === undefined ? {} : { connect: { lookup: always(address) } };
    const pool = new Pool(url.origin, { ...this.#options, ...connect });
    pool.on('disconnect', (_origin, _targets, error) => {
      if (isClosedByInstance(error)) this.setAside(pool);
    });
    return { url, address, pool, asideUntil: 0 };
  }

  async #lookUp(): Promise<void> {
    if (this.#lookingUp || this.#closed) return;
    this.#lookingUp = true;
    await Promise.all(this.#followed.map((url) => this.#follow(url)));
    this.#lookingUp = false;
  }

  async #follow(url: URL): Promise<void> {
    // Without an answer of DNS the known addresses stay in use.
    const found = await dns.lookup(url.hostname, { all: true, order: 'ipv4first' }).catch(() => []);
    if (found.length === 0 || this.#closed) return;

    // One family: an instance with an address of each would have two turns.
    const family = found[0]?.family;
    const wanted = found.filter((one) => one.family === family).map(({ address }) => address);
    const ours = this.#instances.filter((one) => one.url === url);
    const gone = ours.filter(({ address }) => address === undefined || !wanted.includes(address));
    const known = new Set(ours.map(({ address }) => address));
    const fresh = [...new Set(wanted)].filter((address) => !known.has(address));
    if (gone.length === 0 && fresh.length === 0) return;

    this.#instances = [
      ...this.#instances.filter((one) => !gone.includes(one)),
      ...fresh.map((address) => this.#open(url, address)),
    ];
    for (const { pool } of gone) this.#leave(pool);
  }

  /** Lets running requests finish. */
  #leave(pool: Pool): void {
    this.#leaving.add(pool);
    void pool
      .close()
      .catch(() => undefined) // destroyed meanwhile
      .then(() => this.#leaving.delete(pool));
  }
}

/**
 * Whether a failed request has surely not been sent, so that asking another instance is harmless.
 */
export function wasNotSent(error: unknown): boolean {
  const { code, syscall } = error as { code?: unknown; syscall?: unknown };
  return syscall === 'connect' || code === 'ECONNREFUSED' || code === 'UND_ERR_CONNECT_TIMEOUT';
}

/** localhost has two addresses where one process listens on one of them. */
function isFollowed({ hostname }: URL): boolean {
  return isIP(hostname.replace(/^\[|\]$/g, '')) === 0 && hostname !== 'localhost';
}

function always(address: string): LookupFunction {
  const family = isIP(address);
  return (_hostname, options, callback) => {
    if (options.all === true) callback(null, [{ address, family }]);
    else callback(null, address, family);
  };
}

/** Not closed by us: a connection that was idle for long, or whose request was cancelled. */
function isClosedByInstance(error: Error): boolean {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'UND_ERR_INFO') return message === 'reset';
  return code !== 'UND_ERR_ABORTED' && code !== 'UND_ERR_DESTROYED' && code !== 'UND_ERR_CLOSED';
}
