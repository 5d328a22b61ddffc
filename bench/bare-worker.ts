import { Agent, request } from 'node:http';
import { queuesDatabaseUrl } from '@fiado/chassis/db/roles';
import { JOB_OPTIONS, WORKER_TIMING } from '@fiado/chassis/jobs/queue-settings';
import {
  createPostgresBackend,
  createRedisBackend,
  withBackend,
  type PostgresConnectionOptions,
} from 'bullmq';
import { Redis } from 'ioredis';
import { Pool } from 'pg';

/**
 * The baseline of the notifier: plain BullMQ, with the same settings and connections, whose jobs
 * make the same HTTP call and nothing else. Adds so many jobs, works on them, and ends.
 */
const QUEUE = 'bare';
const POOL_SIZE = 8;
/** As long as the form of Twilio's SDK for a delivery word. */
const FORM = new URLSearchParams({
  To: '+525550000000',
  From: '+15005550006',
  Body: 'Fiado: tu pedido de Abarrotera de la Medida. Di la palabra "naranja" al recibirlo.',
  ValidityPeriod: '36000',
}).toString();

/** As in the notifier: connections are used again. */
const agent = new Agent({ keepAlive: true });

async function main(): Promise<void> {
  const [backend, url = '', target = '', count = ''] = process.argv.slice(2);
  const { Queue, Worker, connection } = backend === 'redis' ? onRedis(url) : onPostgres(url);
  const queue = new Queue(QUEUE, { connection, defaultJobOptions: JOB_OPTIONS });
  const jobs = Array.from({ length: Number(count) }, (_, n) => ({ name: 'sms', data: { n } }));
  await queue.addBulk(jobs);

  let done = 0;
  const worker = new Worker(QUEUE, () => post(target), { connection, ...WORKER_TIMING });
  worker.on('completed', () => {
    done += 1;
    if (done === jobs.length) process.exit(0);
  });
}

// The two backends have types of their own; they are alike in what is used here.
function onRedis(url: string) {
  const connection = new Redis(url, { maxRetriesPerRequest: null });
  const { Queue, Worker } = withBackend(createRedisBackend);
  return { Queue, Worker, connection } as unknown as ReturnType<typeof onPostgres>;
}

function onPostgres(url: string) {
  const pool = new Pool({ connectionString: queuesDatabaseUrl(url), max: POOL_SIZE });
  const connection = pool as unknown as PostgresConnectionOptions;
  return { ...withBackend(createPostgresBackend), connection };
}

function post(target: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = {
      'content-type': 'application/x-www-form-urlencoded',
      'content-length': Buffer.byteLength(FORM),
    };
    const sent = request(`${target}/bare`, { method: 'POST', agent, headers }, (answer) => {
      answer.resume();
      answer.once('end', resolve);
    });
    sent.once('error', reject);
    sent.end(FORM);
  });
}

void main();
