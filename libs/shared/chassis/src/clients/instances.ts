import dns from 'node:dns/promises';
import { type LookupFunction, isIP } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, Pool } from '../undici';

/** How often a service's name is looked up: a new instance has requests about a second later. */
const LOOK_UP_EVERY_MS = 1_000;
/**
 * How long an instance that refused or closed a connection is skipped while there are others.
 * Longer than the usual DRAIN_MS: a caller that sees an instance stop does not call it again before
 * it is gone.
 */
const ASIDE_MS = 3_000;
/**
 * Time for a process to answer that it lives, in milliseconds. It needs nothing but its event loop, which may lag on a
 * busy machine.
 */
const LIFE_SIGN_MS = 2_000;
/** Pause between two questions to a process that gave no sign of life. */
const ASK_AGAIN_MS = 1_000;
/** More instances than these refusing one request means that something else is wrong. */
const MAX_TRIES = 3;

type PoolOptions = Omit<Pool.Options, 'connect'>;

/** One process of a service. */
interface Instance {
  url: URL;
  /** Undefined: the address that the URL's host has when a connection is opened. */
  address: string | undefined;
  pool: Pool;
  /** The question whether it lives, while it is asked. */
  asked?: Promise<boolean>;
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

  /** Instances that are known, also those that are skipped. */
  get count(): number {
    return this.#instances.length;
  }

  /** How often a request that was not sent may be tried, each time at another instance. */
  get tries(): number {
    return Math.min(this.#instances.length, MAX_TRIES);
  }

  /**
   * Connections to the instance whose turn it is.
   * @param refused connections to the instance that did not take the request: if there are others, the next is one of them
   */
  next(refused?: Pool): Pool {
    const instances = this.#instances;
    if (instances.length > 1) {
      const now = performance.now();
      for (let passed = 0; passed < instances.length; passed += 1) {
        this.#turn += 1;
        const instance = instances[this.#turn % instances.length] as Instance;
        if (instance.asideUntil <= now) return instance.pool;
      }
      // All instances are skipped: use any other.
      this.#turn += 1;
      if (instances[this.#turn % instances.length]?.pool === refused) this.#turn += 1;
    }
    return (instances[this.#turn % instances.length] as Instance).pool;
  }

  /** Skips the instance of these connections for a moment, while there are others. */
  setAside(pool: Pool): void {
    const instance = this.#instances.find((one) => one.pool === pool);
    if (instance !== undefined) {
      instance.asideUntil = Math.max(instance.asideUntil, performance.now() + ASIDE_MS);
    }
    void this.#lookUp();
  }

  /**
   * Asks whether the process of these connections lives. One that is suspended, or whose machine is gone, answers
   * nothing and closes nothing; it is skipped until it answers.
   */
  async isAlive(pool: Pool): Promise<boolean> {
    const instance = this.#instances.find((one) => one.pool === pool);
    if (instance === undefined) return true; // It leaves, and its last requests run.
    instance.asked ??= givesLifeSign(instance).finally(() => delete instance.asked);
    const isAlive = await instance.asked;
    if (!isAlive && instance.asideUntil !== Infinity) void this.#skipUntilAlive(instance);
    return isAlive;
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
    const pool = new Pool(url.origin, { ...this.#options, ...connectTo(address) });
    pool.on('disconnect', (_origin, _targets, error) => {
      if (isClosedByInstance(error)) this.setAside(pool);
    });
    return { url, address, pool, asideUntil: 0 };
  }

  async #skipUntilAlive(instance: Instance): Promise<void> {
    instance.asideUntil = Infinity;
    const isOurs = () => !this.#closed && this.#instances.includes(instance);
    while (isOurs() && !(await givesLifeSign(instance))) {
      await sleep(ASK_AGAIN_MS, undefined, { ref: false });
    }
    instance.asideUntil = 0;
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

/** The name stays the URL's, for the Host header and for TLS. */
function connectTo(address: string | undefined): Pick<Client.Options, 'connect'> {
  return address === undefined ? {} : { connect: { lookup: always(address) } };
}

/** On a connection of its own: those of the pool may all wait for this process. */
async function givesLifeSign({ url, address }: Instance): Promise<boolean> {
  const client = new Client(url.origin, connectTo(address));
  try {
    const signal = AbortSignal.timeout(LIFE_SIGN_MS);
    const { body } = await client.request({ method: 'GET', path: '/health/live', signal });
    await body.dump();
    return true;
  } catch {
    return false;
  } finally {
    await client.destroy();
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
