import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { freePorts } from '@fiado/chassis/testing/free-ports';
import { waitFor } from '../../e2e/support/api';

const RULES = resolve(__dirname, '../../../ops/prometheus');
const START_DEADLINE_MS = 30_000;

/** A real Prometheus with the alerts of ops/prometheus, from Debian's package `prometheus`. */
export class ChaosPrometheus {
  private constructor(
    private readonly server: ChildProcess,
    private readonly folder: string,
    private readonly url: string,
  ) {}

  /** @param targets ports of each job's instances */
  static async start(targets: Record<string, number[]>): Promise<ChaosPrometheus> {
    const folder = await mkdtemp(join(tmpdir(), 'fiado-chaos-prometheus-'));
    const [port = 0] = await freePorts(1);
    const config = {
      global: { scrape_interval: '1s', evaluation_interval: '1s' },
      rule_files: ['alerts.yml', 'expected-instances.yml'].map((file) => join(RULES, file)),
      scrape_configs: Object.keys(targets).map((job) => ({
        job_name: job,
        // As in a network: a service that the lookup no longer finds is no target.
        file_sd_configs: [{ files: [join(folder, `${job}.json`)], refresh_interval: '1s' }],
      })),
    };
    // JSON is YAML, too.
    await writeFile(join(folder, 'prometheus.yml'), JSON.stringify(config));
    const server = spawn(
      'prometheus',
      [
        `--config.file=${join(folder, 'prometheus.yml')}`,
        `--storage.tsdb.path=${join(folder, 'data')}`,
        `--web.listen-address=127.0.0.1:${port}`,
      ],
      { stdio: 'ignore' },
    );
    let failure: Error | undefined;
    server.once('error', (error) => (failure = error));
    const prometheus = new ChaosPrometheus(server, folder, `http://127.0.0.1:${port}`);
    for (const [job, ports] of Object.entries(targets)) await prometheus.discover(job, ports);
    await waitFor(async () => {
      if (failure !== undefined) throw failure;
      return (await fetch(`${prometheus.url}/-/ready`).catch(() => undefined))?.ok || undefined;
    }, START_DEADLINE_MS);
    return prometheus;
  }

  /** The targets that service discovery returns for a job from now on. */
  async discover(job: string, ports: number[]): Promise<void> {
    const targets = ports.map((port) => `127.0.0.1:${port}`);
    await writeFile(join(this.folder, `${job}.json`), JSON.stringify([{ targets }]));
  }

  /** Alerts that fire, as `name job`. */
  async firing(): Promise<string[]> {
    const { data } = (await this.ask('alerts')) as {
      data: { alerts: Array<{ state: string; labels: Record<string, string> }> };
    };
    return data.alerts
      .filter(({ state }) => state === 'firing')
      .map(({ labels }) => `${labels.alertname} ${labels.job ?? ''}`);
  }

  /** The first value of an expression; undefined when it has none. */
  async value(expression: string): Promise<number | undefined> {
    const { data } = (await this.ask(`query?query=${encodeURIComponent(expression)}`)) as {
      data: { result: Array<{ value: [number, string] }> };
    };
    const text = data.result[0]?.value[1];
    return text === undefined ? undefined : Number(text);
  }

  async stop(): Promise<void> {
    if (this.server.exitCode === null && this.server.pid !== undefined) {
      const gone = once(this.server, 'exit');
      this.server.kill('SIGTERM');
      await gone;
    }
    await rm(this.folder, { recursive: true, force: true });
  }

  private async ask(path: string): Promise<unknown> {
    return (await fetch(`${this.url}/api/v1/${path}`)).json();
  }
}
