import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { waitFor } from '../../e2e/support/api';
import { freePorts } from '@fiado/shared/testing/free-ports';

const START_DEADLINE_MS = 10_000;

/** A Redis of the harness's own that keeps nothing on disk: a kill loses every job it holds. */
export class ChaosRedis {
  #server: ChildProcess | undefined;

  private constructor(
    private readonly port: number,
    private readonly folder: string,
  ) {}

  static async start(): Promise<ChaosRedis> {
    const [port] = await freePorts(1);
    if (port === undefined) throw new Error('No port is free');
    const redis = new ChaosRedis(port, await mkdtemp(join(tmpdir(), 'fiado-chaos-redis-')));
    await redis.launch();
    return redis;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  async launch(): Promise<void> {
    const options = ['--port', String(this.port), '--bind', '127.0.0.1', '--dir', this.folder];
    const server = spawn('redis-server', [...options, '--save', '', '--appendonly', 'no'], {
      stdio: 'ignore',
    });
    let failure: Error | undefined;
    server.once('error', (error) => (failure = error));
    this.#server = server;
    await waitFor(async () => {
      if (failure) throw failure;
      return this.#ask((client) => client.ping()).catch(() => undefined);
    }, START_DEADLINE_MS);
  }

  /** kill -9: whatever it held is gone. */
  async kill(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    if (server === undefined || server.exitCode !== null || server.signalCode !== null) return;
    const gone = once(server, 'exit');
    server.kill('SIGKILL');
    await gone;
  }

  async flush(): Promise<void> {
    await this.#ask((client) => client.flushall());
  }

  async dispose(): Promise<void> {
    await this.kill();
    await rm(this.folder, { recursive: true, force: true });
  }

  async #ask<T>(question: (client: Redis) => Promise<T>): Promise<T> {
    const client = new Redis(this.url, { lazyConnect: true, retryStrategy: () => null });
    client.on('error', () => undefined); // the command fails with the error
    try {
      await client.connect();
      return await question(client);
    } finally {
      client.disconnect();
    }
  }
}
