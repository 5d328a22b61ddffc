import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { createTestDatabase, type TestDatabase } from '@fiado/shared/testing/database';
import { freePorts } from '@fiado/shared/testing/free-ports';
import { until } from '@fiado/shared/testing/until';
import { notifierSchema } from '../src/db/schema';
import { startNotifierProcess } from './support/notifier-process';

/** The number of the database in the URL; a fresh connection has 0. */
const DATABASE_NUMBER = 3;
/** With characters that a URL must escape. */
const PASSWORD = 'p@ss/word:1';
const PREFIX = 'fiado';

/** The rights that a managed Redis gives an application. */
const ACL = `user fiado on >${PASSWORD} ~{${PREFIX}-notifier}:* resetchannels +@all -@admin -@dangerous +info`;

const hasRedis = ['redis-server', 'openssl'].every(
  (program) => spawnSync(program, [program === 'openssl' ? 'version' : '--version']).status === 0,
);
if (!hasRedis) process.stdout.write('No redis-server or openssl: Redis by TLS is not tested\n');

let folder: string;
let port: number;
let redis: ChildProcess;
let database: TestDatabase;
let notifier: ChildProcess | undefined;

(hasRedis ? describe : describe.skip)('with REDIS_URL of a Redis that wants TLS and a user', () => {
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'fiado-redis-tls-'));
    makeCertificate();
    [port = 0] = await freePorts(1);
    writeFileSync(join(folder, 'redis.conf'), redisConfiguration());
    redis = spawn('redis-server', ['redis.conf'], { cwd: folder, stdio: 'ignore' });
    database = await createTestDatabase(notifierSchema);
  });
  afterAll(async () => {
    await end(notifier);
    await end(redis);
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('a service works its queue in the database of that number, and nowhere else', async () => {
    const url = await startNotifier();
    await until('the notifier reaches its queues', async () => {
      const { checks } = (await (await fetch(url)).json()) as { checks: Record<string, string> };
      return checks.queues === 'ok';
    });
    await until('its jobs are there', async () => (await keysIn(DATABASE_NUMBER)).length > 0);
    expect(await keysIn(0)).toEqual([]);
  });
});

function redisConfiguration(): string {
  return `
    port 0
    tls-port ${port}
    bind 127.0.0.1
    tls-cert-file cert.pem
    tls-key-file key.pem
    tls-auth-clients no
    save ""
    user default off
    ${ACL}
  `;
}

function makeCertificate(): void {
  const options =
    'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 ' +
    '-keyout key.pem -out cert.pem -subj /CN=127.0.0.1 -addext subjectAltName=IP:127.0.0.1';
  execFileSync('openssl', options.split(' '), { cwd: folder, stdio: 'ignore' });
}

/** A process of its own: Node reads the authority's certificate only at its start. */
async function startNotifier(): Promise<string> {
  const password = encodeURIComponent(PASSWORD);
  const [ownPort = 0] = await freePorts(1);
  notifier = await startNotifierProcess({
    ...database.environment,
    REDIS_URL: `rediss://fiado:${password}@127.0.0.1:${port}/${DATABASE_NUMBER}`,
    QUEUE_PREFIX: PREFIX,
    NODE_EXTRA_CA_CERTS: join(folder, 'cert.pem'),
    NOTIFIER_PORT: String(ownPort),
  });
  return `http://127.0.0.1:${ownPort}/health/ready`;
}

async function keysIn(db: number): Promise<string[]> {
  const tls = { ca: readFileSync(join(folder, 'cert.pem')) };
  const client = new Redis({
    host: '127.0.0.1',
    port,
    tls,
    db,
    username: 'fiado',
    password: PASSWORD,
  });
  try {
    return (await client.scan(0, 'COUNT', 1000))[1];
  } finally {
    client.disconnect();
  }
}

async function end(child: ChildProcess | undefined): Promise<void> {
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}
