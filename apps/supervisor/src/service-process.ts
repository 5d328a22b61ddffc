import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { EXIT_BAD_CONFIG } from '@fiado/chassis/config';
import { HELD, RELEASE, SERVING, START_DEADLINE_MS } from '@fiado/chassis/process';
import type { Say } from './say';
import type { ServiceOutput } from './service-output';

/** Pause before a process that died is started again: doubles up to the longest. */
const FIRST_BACKOFF_MS = 200;
const LONGEST_BACKOFF_MS = 10_000;

/** A process that ran this long was healthy: after its next crash the delay starts over. */
const HEALTHY_LIFE_MS = 30_000;

/**
 * A process that does not serve by then is killed and started again. It ends itself before, if it
 * still can.
 */
export const START_TIMEOUT_MS = START_DEADLINE_MS + 5_000;

/** How long a process may take to finish its requests and jobs. */
const STOP_TIMEOUT_MS = 20_000;

/**
 * Old generation of a process, in MB, because six share a machine. By itself it grows to gigabytes
 * before it is collected. The tests of attacks with large bodies pass with 256 MB (docs/security.md).
 */
const HEAP_MB = 256;

/**
 * A semi-space, a third of the young generation, in MB, of a process that no order runs through: a start leaves accounts
 * and payments with 27 MB less. The others keep Node's 16 MB: 2 MB cost 27 % of the CPU time of transactions.
 */
const SEMI_SPACE_MB = 8;

export interface ServiceProcessOptions {
  name: string;
  script: string;
  env: NodeJS.ProcessEnv;
  /** Whether its young generation has Node's size. */
  servesOrders?: boolean;
  say: Say;
  output: ServiceOutput;
  /** The process rejected its configuration; a restart would not help. */
  onRefused: (name: string) => void;
  /** Whether it loads and opens nothing until it is released. */
  isHeld?: boolean;
  stopTimeoutMs?: number;
  startTimeoutMs?: number;
}

/** One service or the console, kept alive until it is stopped. */
export class ServiceProcess {
  #child: ChildProcess | undefined;
  #late: NodeJS.Timeout | undefined;
  #restart: NodeJS.Timeout | undefined;
  #backoffMs = FIRST_BACKOFF_MS;
  #isHeld: boolean;
  #stopping = false;
  #settleStart = () => {};
  /** Settled once the process serves, or has ended without. */
  readonly started = new Promise<void>((settle) => (this.#settleStart = settle));

  constructor(private readonly options: ServiceProcessOptions) {
    this.#isHeld = options.isHeld === true;
  }

  start(): void {
    const { name, script, env, servesOrders = false, output } = this.options;
    const bornAt = Date.now();
    // Through this channel the service notices that the supervisor ended, even after SIGKILL.
    const child = fork(script, this.#isHeld ? [HELD] : [], {
      env: { ...env, NODE_OPTIONS: nodeOptions(env, servesOrders) },
      execArgv: [],
      stdio: ['ignore', output.stdio, output.stdio, 'ipc'],
    });
    this.#child = child;
    output.follow(name, child);
    if (!this.#isHeld) this.#limitStart(child);
    child.on('message', (message) => {
      if (message !== SERVING) return;
      clearTimeout(this.#late);
      this.#settleStart();
    });
    // Without a pid it never ran, so no exit follows.
    child.on('error', () => {
      if (child.pid === undefined) this.#ended(bornAt, 'could not be started');
    });
    child.once('exit', (code, signal) => {
      if (code === EXIT_BAD_CONFIG && !this.#stopping) {
        this.#forget();
        return this.options.onRefused(name);
      }
      this.#ended(bornAt, signal ? `was ended by ${signal}` : `ended with code ${code}`);
    });
  }

  /** Lets a held process open what it works with, and any later one of the same service. */
  release(): void {
    if (!this.#isHeld) return;
    this.#isHeld = false;
    if (this.#child === undefined) return;
    this.#limitStart(this.#child);
    // One that has just ended is started again, and then it is not held.
    this.#child.send(RELEASE, () => {});
  }

  /** Stops the process: SIGTERM, and SIGKILL after a time-out. Resolves when it has ended. */
  async stop(): Promise<void> {
    const { name, say, stopTimeoutMs = STOP_TIMEOUT_MS } = this.options;
    this.#stopping = true;
    clearTimeout(this.#restart);
    const child = this.#child;
    if (!child) return;

    const gone = once(child, 'exit');
    child.kill('SIGTERM');
    const killer = setTimeout(() => {
      say(`${name} did not stop within ${stopTimeoutMs / 1000} s and was killed`);
      child.kill('SIGKILL');
    }, stopTimeoutMs);
    await gone;
    clearTimeout(killer);
  }

  /** Kills the process at once, after the second signal. */
  kill(): void {
    this.#stopping = true;
    clearTimeout(this.#restart);
    this.#child?.kill('SIGKILL');
  }

  #limitStart(child: ChildProcess): void {
    const { name, say, startTimeoutMs = START_TIMEOUT_MS } = this.options;
    this.#late = setTimeout(() => {
      say(`${name} does not serve after ${startTimeoutMs / 1000} s and was killed`);
      child.kill('SIGKILL');
    }, startTimeoutMs);
  }

  #forget(): void {
    this.#child = undefined;
    clearTimeout(this.#late);
    this.#settleStart();
  }

  #ended(bornAt: number, how: string): void {
    this.#forget();
    if (this.#stopping) return;

    if (Date.now() - bornAt >= HEALTHY_LIFE_MS) this.#backoffMs = FIRST_BACKOFF_MS;
    this.options.say(`${this.options.name} ${how}, restarting in ${this.#backoffMs} ms`);
    this.#restart = setTimeout(() => this.start(), this.#backoffMs);
    this.#backoffMs = Math.min(this.#backoffMs * 2, LONGEST_BACKOFF_MS);
  }
}

/** The limits of the heap, and behind them the person's own options, which win. */
function nodeOptions({ NODE_OPTIONS: own = '' }: NodeJS.ProcessEnv, servesOrders: boolean): string {
  const young = servesOrders ? '' : `--max-semi-space-size=${SEMI_SPACE_MB} `;
  return `--max-old-space-size=${HEAP_MB} ${young}${own}`.trimEnd();
}
