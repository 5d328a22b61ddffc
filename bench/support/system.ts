import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import { PROCESS_NAMES, SERVICES, type ProcessName } from '@fiado/shared/contracts/process-names';
import { Child } from './child';
import { freePorts } from '@fiado/shared/testing/free-ports';
import { testKeyVariables, testSigningKey } from '@fiado/shared/testing/process-keys';
import { until } from '@fiado/shared/testing/until';

const ROOT = resolve(__dirname, '../../..');
const READY_DEADLINE_MS = 60_000;
const MAX_STARTS_AGAIN = 10;
/** The caps against SMS pumping would end a run after some seconds. */
const NO_CAP = '1000000';

/** The secrets of all systems of a run: copies of one database need the same keys. */
export type Secrets = ReturnType<typeof drawSecrets>;

export function drawSecrets() {
  const secret = (): string => randomBytes(32).toString('base64url');
  return {
    CODE_PEPPER: secret(),
    ENCRYPTION_KEY: secret(),
    OPS_API_KEY: `fiado_test_${secret()}`,
    ACCESS_TOKEN_PRIVATE_KEY: testSigningKey('access tokens'),
  };
}

export interface SystemOptions {
  name: string;
  databaseUrl: string;
  /** With it the queues live in Redis. */
  redisUrl?: string;
  /** Where the SMS go: a stand-in for Twilio. */
  twilioUrl: string;
  secrets: Secrets;
  /** For logs and uploads. */
  folder: string;
  /** Folder for a CPU profile of each process but the notifier. */
  profileInto?: string;
}

/**
 * All of Fiado in real processes, each logging at its default level into a file, without a rate
 * limit. Started one by one and not by `npm start`, whose supervisor copies every log line.
 */
export class System {
  readonly services = new Map<ProcessName, Child>();
  private startsLeft = MAX_STARTS_AGAIN;
  private env: Record<string, string> = {};
  private ports = new Map<ProcessName, number>();

  constructor(private readonly options: SystemOptions) {}

  get opsKey(): string {
    return this.options.secrets.OPS_API_KEY;
  }

  urlOf(service: ProcessName): string {
    return `http://127.0.0.1:${this.ports.get(service)}`;
  }

  /** Migrates, starts every service, and waits until they are ready. */
  async start(): Promise<void> {
    const free = await freePorts(PROCESS_NAMES.length);
    this.ports = new Map(PROCESS_NAMES.map((name, at) => [name, free[at] ?? 0]));
    this.env = this.environment();
    for (const name of SERVICES) await this.spawn(name, ['migrate']).finish();
    for (const name of PROCESS_NAMES) this.services.set(name, this.spawn(name));
    await this.untilReady();
  }

  async startService(name: ProcessName): Promise<void> {
    this.services.set(name, this.spawn(name));
    await this.untilReady();
  }

  async stopService(name: ProcessName): Promise<void> {
    await this.services.get(name)?.stop();
  }

  /** Callers before the called. */
  async stop(): Promise<void> {
    for (const name of PROCESS_NAMES) await this.stopService(name);
  }

  /** Calls the API as ops does. @throws Error on anything but a success */
  async ops<T>(method: string, path: string, body?: object): Promise<T> {
    const response = await fetch(`${this.urlOf('gateway')}/v1${path}`, {
      method,
      headers: { authorization: this.opsKey, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return JSON.parse(text) as T;
  }

  private async untilReady(): Promise<void> {
    const isReady = async (): Promise<boolean> => {
      this.startAgain();
      const answers = await Promise.all(
        PROCESS_NAMES.map((name) =>
          fetch(`${this.urlOf(name)}/health/ready`).then(
            ({ ok }) => ok,
            () => false,
          ),
        ),
      );
      return answers.every(Boolean);
    };
    await until('the services are ready', isReady, READY_DEADLINE_MS);
  }

  /** As a supervisor does: on a busy machine a start may miss its time to connect. */
  private startAgain(): void {
    for (const [name, child] of this.services) {
      if (child.running) continue;
      this.startsLeft -= 1;
      if (this.startsLeft < 0) throw new Error(`${name} ended:\n${child.tail()}`);
      this.services.set(name, this.spawn(name));
    }
  }

  private spawn(name: ProcessName, args: string[] = []): Child {
    return new Child({
      name: `${this.options.name}-${name}`,
      command: process.execPath,
      args: [...this.profiling(name), `${ROOT}/services/${name}/dist/main.js`, ...args],
      env: { ...this.env, ...testKeyVariables(name) },
      folder: this.options.folder,
    });
  }

  private profiling(name: ProcessName): string[] {
    const { profileInto, name: system } = this.options;
    if (profileInto === undefined || name === 'notifier') return [];
    const file = `${system}-${name}-${Date.now()}.cpuprofile`;
    return ['--cpu-prof', `--cpu-prof-dir=${profileInto}`, `--cpu-prof-name=${file}`];
  }

  private environment(): Record<string, string> {
    const { databaseUrl, redisUrl, twilioUrl, secrets, folder, name } = this.options;
    const port = (service: ProcessName): string => String(this.ports.get(service));
    return {
      ...secrets,
      DATABASE_URL: databaseUrl,
      ...(redisUrl === undefined ? {} : { REDIS_URL: redisUrl, QUEUE_PREFIX: name }),
      PORT: port('gateway'),
      ACCOUNTS_PORT: port('accounts'),
      TRANSACTIONS_PORT: port('transactions'),
      PAYMENTS_PORT: port('payments'),
      NOTIFIER_PORT: port('notifier'),
      ACCOUNTS_URL: this.urlOf('accounts'),
      TRANSACTIONS_URL: this.urlOf('transactions'),
      PAYMENTS_URL: this.urlOf('payments'),
      NOTIFIER_URL: this.urlOf('notifier'),
      DATA_DIR: folder,
      RATE_LIMIT_PER_SECOND: '0',
      SMS_PROVIDER: 'twilio',
      SMS_PER_PHONE_PER_DAY: NO_CAP,
      SMS_PER_WHOLESALER_PER_MINUTE: NO_CAP,
      TWILIO_ACCOUNT_SID: 'AC00000000000000000000000000000001',
      TWILIO_AUTH_TOKEN: 'a-token-of-twilio',
      TWILIO_FROM: '+15005550006',
      TWILIO_API_BASE_URL: twilioUrl,
    };
  }
}
