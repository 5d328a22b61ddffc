import 'reflect-metadata';
import { Worker } from 'bullmq';
import { Redis } from 'ioredis';
import twilio from 'twilio';
import { Message, openTextbookDatabase } from './textbook-tables';

/** As many jobs at a time as a worker of Fiado; BullMQ's own default is one. */
const CONCURRENCY = 10;

/**
 * The notifier of the textbook system: a BullMQ worker that sends each SMS by Twilio's SDK and saves
 * a row. A job that fails between the two is sent again, which Fiado never does.
 */
async function main(): Promise<void> {
  const [databaseUrl = '', redisUrl = '', twilioUrl = ''] = process.argv.slice(2);
  const db = await openTextbookDatabase(databaseUrl);
  const connection = new Redis(redisUrl, { maxRetriesPerRequest: null });
  const client = twilio('AC00000000000000000000000000000001', 'a-token-of-twilio');
  client.api.baseUrl = twilioUrl;
  const messages = db.getRepository(Message);

  const worker = new Worker<{ orderId: string; to: string; text: string }>(
    'textbook-sms',
    async ({ data: { orderId, to, text } }) => {
      const { sid } = await client.messages.create({ to, body: text, from: '+15005550006' });
      await messages.save(messages.create({ orderId, sid }));
    },
    { connection, concurrency: CONCURRENCY },
  );
  worker.on('failed', (_job, error) => process.stderr.write(`${error.message}\n`));
  process.on('SIGTERM', () => process.exit(0));
}

void main();
