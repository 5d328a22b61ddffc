import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { isReady, waitFor } from '../../e2e/support/api';
import { publicKeysText } from '@fiado/chassis/keys/process-keys';
import { freePorts } from '@fiado/chassis/testing/free-ports';
import type { ProcessName } from '@fiado/contracts/process-names';
import type { Deployment } from './deployment';
import { secretsOf } from './secrets';

const ROOT = resolve(__dirname, '../../..');
/** A start takes seconds; a machine that is busy with something else needs more. */
const START_DEADLINE_MS = 150_000;
/** On a busy machine a start may miss its time to connect. */
const MAX_STARTS = 5;

interface InstanceOptions {
  /** Unset: a free one. */
  port?: number;
  /** By how much turnClock turns its clock, in milliseconds. */
  clockTurnMs?: number;
  /** In place of those of the deployment. */
  variables?: Record<string, string>;
}

/**
 * One more process of a service, in addition to the supervisor's: the two share its jobs. Without the
 * port that its callers know it gets no requests, so that faults affect only its worker.
 */
export class Instance {
  private constructor(
    readonly service: ProcessName,
    readonly process: ChildProcess,
    readonly port: number,
  ) {}

  static async start(
    deployment: Deployment,
    service: ProcessName,
    options: InstanceOptions = {},
  ): Promise<Instance> {
    let printed = '';
    for (let starts = 0; starts < MAX_STARTS; starts += 1) {
      const instance = await Instance.spawn(deployment, service, options);
      const listen = (chunk: Buffer) => (printed += chunk.toString());
      instance.process.stdout?.on('data', listen);
      instance.process.stderr?.on('data', listen);
      if (await instance.becomesReady()) return instance;
    }
    throw new Error(`A second ${service} ended at each start:\n${printed}`);
  }

  private static async spawn(
    deployment: Deployment,
    service: ProcessName,
    { clockTurnMs = 0, variables = {}, ...options }: InstanceOptions,
  ): Promise<Instance> {
    const port = options.port ?? (await freePorts(1))[0] ?? 0;
    const { dataDir } = deployment.system;
    const secrets = await secretsOf(deployment.system);
    const privateKeyOf = (name: string) =>
      secrets[`${name.toUpperCase()}_INTERNAL_TOKEN_PRIVATE_KEY`] ?? '';
    const turnClock = ['--require', join(__dirname, 'turn-clock.js')];
    const child = spawn(
      process.execPath,
      [...(clockTurnMs === 0 ? [] : turnClock), `services/${service}/dist/main.js`],
      {
        cwd: ROOT,
        env: {
          PATH: process.env.PATH,
          HOME: process.env.HOME,
          ...secrets,
          INTERNAL_TOKEN_PRIVATE_KEY: privateKeyOf(service),
          INTERNAL_TOKEN_PUBLIC_KEYS: publicKeysText(privateKeyOf),
          ...deployment.environment,
          ...variables,
          FIADO_MODE: 'sandbox',
          DATA_DIR: dataDir,
          LOG_LEVEL: 'warn',
          CLOCK_TURN_MS: String(clockTurnMs),
          [service === 'gateway' ? 'PORT' : `${service.toUpperCase()}_PORT`]: String(port),
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    return new Instance(service, child, port);
  }

  /** @returns false when the process ended */
  private async becomesReady(): Promise<boolean> {
    return waitFor(async () => {
      if (this.process.exitCode !== null) return false;
      return (await isReady(this.port)) || undefined;
    }, START_DEADLINE_MS);
  }

  /** SIGSTOP: it keeps its jobs, claims and connections, and does nothing. */
  pause(): void {
    this.process.kill('SIGSTOP');
  }

  resume(): void {
    this.process.kill('SIGCONT');
  }

  /** Makes its clock wrong, or right again. */
  turnClock(): void {
    this.process.kill('SIGUSR2');
  }

  /** kill -9. */
  async kill(): Promise<void> {
    const gone = once(this.process, 'exit');
    this.process.kill('SIGKILL');
    await gone;
  }

  /** A graceful stop. @returns its exit code */
  async stop(): Promise<number | null> {
    if (this.process.exitCode !== null || this.process.signalCode !== null) {
      return this.process.exitCode;
    }
    const gone = once(this.process, 'exit');
    this.process.kill('SIGTERM');
    const [code] = (await gone) as [number | null];
    return code;
  }
}
