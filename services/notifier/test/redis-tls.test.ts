import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { createTestDatabase, type TestDatabase } from '@fiado/chassis/testing/database';
import { freePorts } from '@fiado/chassis/testing/free-ports';
import { until } from '@fiado/chassis/testing/until';
import { notifierSchema } from '../src/db/schema';
import { startNotifierProcess } from './support/notifier-process';

/** The number of the database in the URL; a fresh connection has 0. */
const DATABASE_NUMBER = 3;
/** With characters that a URL must escape. */
const PASSWORD = 'p@ss/word:1';
const LOGIN = `fiado:${encodeURIComponent(PASSWORD)}`;
const PREFIX = 'fiado';
/** As the Sentinel calls the server. */
const MASTER = 'fiado';

/** The rights that a managed Redis gives an application. */
const ACL = `user fiado on >${PASSWORD} ~{${PREFIX}-notifier}:* resetchannels +@all -@admin -@dangerous +info`;
/** Of whatever listens, which no connection without TLS reaches. */
const ONLY_TLS = `
  port 0
  bind 127.0.0.1
  tls-cert-file cert.pem
  tls-key-file key.pem
  tls-ca-cert-file cert.pem
  tls-auth-clients no
`;
const SERVER = `
  ${ONLY_TLS}
  save ""
  user default off
  user owner on >${PASSWORD} ~* &* +@all
  ${ACL}
`;

const hasRedis = ['redis-server', 'openssl'].every(
  (program) => spawnSync(program, [program === 'openssl' ? 'version' : '--version']).status === 0,
);
if (!hasRedis) process.stdout.write('No redis-server or openssl: Redis by TLS is not tested\n');

let folder: string;
let database: TestDatabase;
const running: ChildProcess[] = [];

/** A REDIS_URL, and where the jobs are then. */
interface Started {
  url: string;
  port: number;
  databaseNumber: number;
}

(hasRedis ? describe : describe.skip)('with REDIS_URL by TLS and with a user', () => {
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'fiado-redis-tls-'));
    makeCertificate();
    database = await createTestDatabase(notifierSchema);
  });
  afterEach(async () => {
    for (const child of running.splice(0).toReversed()) await end(child);
  });
  afterAll(async () => {
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  it.each([
    ['a server', startServer],
    ['a Sentinel and its server', startSentinel],
    ['a Cluster', startCluster],
  ])(
    'of %s a service works its queue in the database of that number, and nowhere else',
    async (_form, start) => {
      const { url, port, databaseNumber } = await start();
      const health = await startNotifier(url);
      await until('the notifier reaches its queues', async () => {
        const { checks } = (await (await fetch(health)).json()) as {
          checks: Record<string, string>;
        };
        return checks.queues === 'ok';
      });
      const keys = () => keysIn(port, databaseNumber);
      await until('its jobs are there', async () => (await keys()).length > 0);
      if (databaseNumber > 0) expect(await keysIn(port, 0)).toEqual([]);
    },
  );
});

async function startServer(): Promise<Started> {
  const [port = 0] = await freePorts(1);
  launch('redis', `${SERVER}\ntls-port ${port}`);
  const url = `rediss://${LOGIN}@127.0.0.1:${port}/${DATABASE_NUMBER}`;
  return { url, port, databaseNumber: DATABASE_NUMBER };
}

async function startSentinel(): Promise<Started> {
  const { port } = await startServer();
  const [sentinel = 0] = await freePorts(1);
  const monitor = `
    ${ONLY_TLS}
    tls-port ${sentinel}
    tls-replication yes
    sentinel monitor ${MASTER} 127.0.0.1 ${port} 1
    sentinel auth-user ${MASTER} owner
    sentinel auth-pass ${MASTER} ${PASSWORD}
  `;
  launch('sentinel', monitor, ['--sentinel']);
  const url = `rediss+sentinel://${LOGIN}@127.0.0.1:${sentinel}/${MASTER}/${DATABASE_NUMBER}`;
  return { url, port, databaseNumber: DATABASE_NUMBER };
}

async function startCluster(): Promise<Started> {
  const [port = 0, bus = 0] = await freePorts(2);
  launch(
    'cluster',
    `${SERVER}\ntls-port ${port}\ntls-cluster yes\ncluster-enabled yes\ncluster-announce-ip 127.0.0.1\ncluster-port ${bus}`,
  );
  const node = openNode(port, 0, 'owner');
  await node.call('CLUSTER', 'ADDSLOTSRANGE', '0', '16383');
  node.disconnect();
  return { url: `rediss+cluster://${LOGIN}@127.0.0.1:${port}`, port, databaseNumber: 0 };
}

function launch(name: string, configuration: string, options: string[] = []): void {
  writeFileSync(join(folder, `${name}.conf`), configuration);
  const place = { cwd: folder, stdio: 'ignore' } as const;
  running.push(spawn('redis-server', [`${name}.conf`, ...options], place));
}

function makeCertificate(): void {
  const options =
    'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 ' +
    '-keyout key.pem -out cert.pem -subj /CN=127.0.0.1 -addext subjectAltName=IP:127.0.0.1';
  execFileSync('openssl', options.split(' '), { cwd: folder, stdio: 'ignore' });
}

/** A process of its own: Node reads the authority's certificate only at its start. */
async function startNotifier(redisUrl: string): Promise<string> {
  const [port = 0] = await freePorts(1);
  running.push(
    await startNotifierProcess({
      ...database.environment,
      REDIS_URL: redisUrl,
      QUEUE_PREFIX: PREFIX,
      NODE_EXTRA_CA_CERTS: join(folder, 'cert.pem'),
      NOTIFIER_PORT: String(port),
    }),
  );
  return `http://127.0.0.1:${port}/health/ready`;
}

async function keysIn(port: number, db: number): Promise<string[]> {
  const client = openNode(port, db, 'fiado');
  try {
    return (await client.scan(0, 'COUNT', 1000))[1];
  } finally {
    client.disconnect();
  }
}

function openNode(port: number, db: number, username: string): Redis {
  const tls = { ca: readFileSync(join(folder, 'cert.pem')) };
  const client = new Redis({ host: '127.0.0.1', port, tls, db, username, password: PASSWORD });
  client.on('error', () => undefined); // it connects again until the server has started
  return client;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}
