import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePorts } from '@fiado/chassis/testing/free-ports';
import { RedisServer } from '@fiado/chassis/testing/redis-server';
import { until } from '@fiado/chassis/testing/until';

/** How long a master may be silent before another one is elected. */
const SILENCE_MS = 2_000;
/** As the Sentinels call the master. */
const MASTER = 'fiado';
/** Of the servers, with a character that a URL must escape. */
const PASSWORD = 'p@ssword-of-replicas';

/** Servers with replicas, one of which takes the place of a master that dies. */
export interface RedisReplicas {
  /** A REDIS_URL. */
  url: string;
  /** Kills (-9) the master of a key, and returns when another server is the master. */
  failOver(key: string): Promise<void>;
  /** Starts the killed servers again, as replicas without data. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** A master with one replica, and three Sentinels. */
export async function startSentinels(): Promise<RedisReplicas> {
  const servers = await Servers.prepare();
  const [master = 0, replica = 0, ...sentinels] = await freePorts(5);
  const login = ['--requirepass', PASSWORD, '--masterauth', PASSWORD];
  const serverArguments = new Map([
    [master, login],
    [replica, [...login, '--replicaof', `127.0.0.1 ${master}`]],
  ]);
  for (const [port, options] of serverArguments) await servers.launch(port, options);
  await until('the replica follows', async () =>
    (await servers.ask(replica, 'info', 'replication')).includes('master_link_status:up'),
  );
  for (const port of sentinels) await servers.launchSentinel(port, master);
  await until('the Sentinels know each other and the replica', async () => {
    const told = await servers.ask(sentinels[0] ?? 0, 'sentinel', 'master', MASTER);
    return /num-slaves\n1\n[^]*num-other-sentinels\n2\n/.test(told);
  });
  const masterOf = async (sentinel: number) =>
    Number(
      (await servers.ask(sentinel, 'sentinel', 'get-master-addr-by-name', MASTER)).split('\n')[1],
    );

  return {
    url: `redis+sentinel://:${encodeURIComponent(PASSWORD)}@${sentinels.map((port) => `127.0.0.1:${port}`).join(',')}/${MASTER}`,
    failOver: async () => {
      const before = await masterOf(sentinels[0] ?? 0);
      await servers.kill(before);
      await until('a Sentinel names another master', async () => {
        return (await masterOf(sentinels[0] ?? 0)) !== before;
      });
    },
    restart: () => servers.restart(),
    stop: () => servers.stop(),
  };
}

/** A Cluster of three masters with one replica each. */
export async function startCluster(): Promise<RedisReplicas> {
  const servers = await Servers.prepare();
  const found = await freePorts(12);
  const ports = found.slice(0, 6);
  for (const [at, port] of ports.entries()) {
    await servers.launch(port, [
      '--cluster-enabled',
      'yes',
      '--cluster-config-file',
      `nodes-${port}.conf`,
      '--cluster-port',
      String(found[at + 6]),
      '--cluster-node-timeout',
      String(SILENCE_MS),
      '--requirepass',
      PASSWORD,
      '--masterauth',
      PASSWORD,
    ]);
  }
  const nodes = ports.map((port) => `127.0.0.1:${port}`);
  await servers.cli(['--cluster', 'create', ...nodes, '--cluster-replicas', '1', '--cluster-yes']);
  const isWhole = async (port: number) =>
    (await servers.ask(port, 'cluster', 'info')).includes('cluster_state:ok');
  const masterOf = async (asked: number, key: string) => {
    const slot = Number(await servers.ask(asked, 'cluster', 'keyslot', key));
    const known = await servers.ask(asked, 'cluster', 'nodes');
    const line = known.split('\n').find((node) => isMasterOf(node, slot)) ?? '';
    return Number(/:(\d+)@/.exec(line)?.[1]);
  };
  for (const port of ports) {
    await until('the Cluster is whole', () => isWhole(port));
    await until('its replicas follow', async () => {
      const told = await servers.ask(port, 'info', 'replication');
      return told.includes('master_link_status:up') || told.includes('connected_slaves:1');
    });
  }

  return {
    url: `redis+cluster://:${encodeURIComponent(PASSWORD)}@${nodes.slice(0, 3).join(',')}`,
    failOver: async (key) => {
      const before = await masterOf(ports[0] ?? 0, key);
      const others = ports.filter((port) => port !== before);
      await servers.kill(before);
      await until('all other nodes know another master', async () => {
        const masters = await Promise.all(others.map((port) => masterOf(port, key)));
        const whole = await Promise.all(others.map(isWhole));
        return masters.every((port) => port !== before && port > 0) && whole.every(Boolean);
      });
    },
    restart: () => servers.restart(),
    stop: () => servers.stop(),
  };
}

/** Whether a line of CLUSTER NODES is the master of a slot that works. */
function isMasterOf(line: string, slot: number): boolean {
  const [, , flags = '', , , , , link, ...ranges] = line.split(' ');
  if (!flags.split(',').includes('master') || flags.includes('fail') || link !== 'connected')
    return false;
  return ranges.some((range) => {
    const [from = Number.NaN, to = from] = range.split('-').map(Number);
    return slot >= from && slot <= to;
  });
}

/** Servers that find each other by their ports. */
class Servers {
  readonly #running = new Map<number, RedisServer>();
  readonly #killed = new Set<number>();

  private constructor(private readonly folder: string) {}

  static async prepare(): Promise<Servers> {
    return new Servers(await mkdtemp(join(tmpdir(), 'fiado-redis-replicas-')));
  }

  async launch(port: number, options: string[]): Promise<void> {
    this.#running.set(port, await RedisServer.start(options, port));
  }

  async launchSentinel(port: number, master: number): Promise<void> {
    // It rewrites its file.
    const file = join(this.folder, `sentinel-${port}.conf`);
    await writeFile(
      file,
      `port ${port}
       bind 127.0.0.1
       sentinel monitor ${MASTER} 127.0.0.1 ${master} 2
       sentinel auth-pass ${MASTER} ${PASSWORD}
       sentinel down-after-milliseconds ${MASTER} ${SILENCE_MS}
       sentinel failover-timeout ${MASTER} 10000
      `,
    );
    this.#running.set(port, await RedisServer.startSentinel(file, port));
  }

  /** The answer of a server, as redis-cli prints it; empty while there is none. */
  async ask(port: number, ...command: string[]): Promise<string> {
    return this.cli(['-p', String(port), ...command]).catch(() => '');
  }

  async cli(command: string[]): Promise<string> {
    const { stdout } = await promisify(execFile)('redis-cli', command, {
      // A Sentinel has no password, and takes any.
      env: { ...process.env, REDISCLI_AUTH: PASSWORD },
    });
    return stdout.replaceAll('\r', '');
  }

  async kill(port: number): Promise<void> {
    const server = this.#running.get(port);
    if (server === undefined) throw new Error(`No server on port ${port}`);
    this.#killed.add(port);
    await server.kill();
  }

  async restart(): Promise<void> {
    for (const port of this.#killed) await this.#running.get(port)?.launch();
    this.#killed.clear();
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#running.values()].map((server) => server.stop()));
    await rm(this.folder, { recursive: true, force: true });
  }
}
