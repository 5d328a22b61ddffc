import { randomBytes, randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { PROCESS_NAMES, SERVICES, type ProcessName } from '@fiado/contracts/process-names';
import { Child } from './child';
import { freePorts } from '@fiado/chassis/testing/free-ports';
import { testKeyVariables, testSigningKey } from '@fiado/chassis/testing/process-keys';
import type { TwilioStandIn } from '@fiado/chassis/testing/twilio-stand-in';
import { until } from '@fiado/chassis/testing/until';

const ROOT = resolve(__dirname, '../../..');
const READY_DEADLINE_MS = 240_000;
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
  twilio: TwilioStandIn;
  secrets: Secrets;
  /** For logs and uploads. */
  folder: string;
  /** Processes of a service, where there are more than one. */
  instances?: Partial<Record<ProcessName, number>>;
  /** Variables in addition to those of all systems. */
  env?: Record<string, string>;
  /** Root of another build of this repository, whose services run instead. */
  root?: string;
  /** Folder for a CPU profile of each process but the notifier. */
  profileInto?: string;
}

/** A process of a service. */
interface Member {
  service: ProcessName;
  name: string;
}

/**
 * All of Fiado in real processes, each logging at its default level into a file, without a rate
 * limit. Started one by one and not by `npm start`, whose supervisor copies every log line.
 */
export class System {
  /** By name; the second process of a service is called notifier-2. */
  readonly services = new Map<string, Child>();
  private startsLeft = MAX_STARTS_AGAIN;
  private stopped = false;
  private env: Record<string, string> = {};
  private ports = new Map<string, number>();
  private readonly members: Member[];

  constructor(private readonly options: SystemOptions) {
    this.members = PROCESS_NAMES.flatMap((service) =>
      Array.from({ length: options.instances?.[service] ?? 1 }, (_, at) => ({
        service,
        name: at === 0 ? service : `${service}-${at + 1}`,
      })),
    );
  }

  get opsKey(): string {
    return this.options.secrets.OPS_API_KEY;
  }

  urlOf(service: ProcessName): string {
    return `http://127.0.0.1:${this.ports.get(service)}`;
  }

  /** Of all processes of a service, as its callers are configured. */
  private urlsOf(service: ProcessName): string {
    return this.members
      .filter((member) => member.service === service)
      .map(({ name }) => `http://127.0.0.1:${this.ports.get(name)}`)
      .join(',');
  }

  /** Migrates, starts every service, and waits until they are ready. */
  async start(): Promise<void> {
    this.stopped = false;
    const free = await freePorts(this.members.length);
    this.ports = new Map(this.members.map(({ name }, at) => [name, free[at] ?? 0]));
    this.env = this.environment();
    for (const service of SERVICES) {
      await this.spawn({ service, name: service }, ['migrate']).finish();
    }
    for (const member of this.members) this.services.set(member.name, this.spawn(member));
    await this.untilReady();
  }

  async startService(name: ProcessName): Promise<void> {
    this.services.set(name, this.spawn({ service: name, name }));
    await this.untilReady();
  }

  async stopService(name: ProcessName): Promise<void> {
    await this.services.get(name)?.stop();
  }

  /** Callers before the called. */
  async stop(): Promise<void> {
    this.stopped = true;
    for (const { name } of this.members) await this.services.get(name)?.stop();
  }

  /** Suspends all processes until `goOn`. */
  pause(): void {
    for (const child of this.services.values()) child.pause();
  }

  goOn(): void {
    for (const child of this.services.values()) child.goOn();
  }

  /** Calls the API as ops does. @throws Error on anything but a success */
  ops<T>(method: string, path: string, body?: object): Promise<T> {
    return this.call<T>(this.opsKey, method, path, body);
  }

  /** Calls the API with a key. @throws Error on anything but a success */
  call<T>(key: string, method: string, path: string, body?: object): Promise<T> {
    return this.send<T>(method, path, { headers: { authorization: key }, body });
  }

  /** The same with an Idempotency-Key of its own. */
  callOnce<T>(key: string, method: string, path: string, body: object): Promise<T> {
    const headers = { authorization: key, 'idempotency-key': randomUUID() };
    return this.send<T>(method, path, { headers, body });
  }

  private async send<T>(
    method: string,
    path: string,
    { headers, body }: { headers: Record<string, string>; body: object | undefined },
  ): Promise<T> {
    const response = await fetch(`${this.urlOf('gateway')}/v1${path}`, {
      method,
      headers: { ...headers, 'content-type': 'application/json' },
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
        this.members.map(({ name }) =>
          fetch(`http://127.0.0.1:${this.ports.get(name)}/health/ready`).then(
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
    if (this.stopped) throw new Error('The system was stopped while it started');
    for (const member of this.members) {
      const child = this.services.get(member.name);
      if (child === undefined || child.running) continue;
      this.startsLeft -= 1;
      if (this.startsLeft < 0) throw new Error(`${member.name} ended:\n${child.tail()}`);
      this.services.set(member.name, this.spawn(member));
    }
  }

  private spawn({ service, name }: Member, args: string[] = []): Child {
    const port = service === 'gateway' ? 'PORT' : `${service.toUpperCase()}_PORT`;
    return new Child({
      name: `${this.options.name}-${name}`,
      command: process.execPath,
      args: [
        ...this.profiling(name),
        `${this.options.root ?? ROOT}/services/${service}/dist/main.js`,
        ...args,
      ],
      env: {
        ...this.env,
        ...testKeyVariables(service),
        [port]: String(this.ports.get(name)),
      },
      folder: this.options.folder,
    });
  }

  private profiling(name: string): string[] {
    const { profileInto, name: system } = this.options;
    if (profileInto === undefined || name === 'notifier') return [];
    const file = `${system}-${name}-${Date.now()}.cpuprofile`;
    return ['--cpu-prof', `--cpu-prof-dir=${profileInto}`, `--cpu-prof-name=${file}`];
  }

  private environment(): Record<string, string> {
    const { databaseUrl, redisUrl, twilio, secrets, folder, name } = this.options;
    return {
      ...secrets,
      DATABASE_URL: databaseUrl,
      ...(redisUrl === undefined ? {} : { REDIS_URL: redisUrl, QUEUE_PREFIX: name }),
      ACCOUNTS_URL: this.urlsOf('accounts'),
      TRANSACTIONS_URL: this.urlsOf('transactions'),
      PAYMENTS_URL: this.urlsOf('payments'),
      NOTIFIER_URL: this.urlsOf('notifier'),
      DATA_DIR: folder,
      JOB_BUNDLES: 'on',
      // Counted, and never reached.
      RATE_LIMIT_PER_SECOND: '1000000',
      ...twilio.variables,
      SMS_PER_PHONE_PER_DAY: NO_CAP,
      SMS_PER_WHOLESALER_PER_MINUTE: NO_CAP,
      ...this.options.env,
    };
  }
}
