import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { startTestService } from '@fiado/chassis/testing/service';
import { TwilioStandIn } from '@fiado/chassis/testing/twilio-stand-in';
import { until } from '@fiado/chassis/testing/until';
import { sendMessage, type SendMessage } from '@fiado/contracts/jobs/send-message';
import { TcpProxy } from '../../../test/support/tcp-proxy';
import { NotifierConfig } from '../src/config';
import { MAX_CALLS } from '../src/messages/sms-provider';
import { notifierService } from '../src/service';
import { codeJob, insertPending, TWILIO, untilStatus, type Notifier } from './support/notifier';

let twilio: TwilioStandIn;
let line: TcpProxy;
let notifier: Notifier;
/** Past the proxy. */
let owner: Client;

beforeAll(async () => {
  twilio = await TwilioStandIn.start();
  line = await TcpProxy.start(0);
  notifier = await startTestService(notifierService, NotifierConfig, {
    config: { ...TWILIO, FIADO_MODE: 'production', TWILIO_API_BASE_URL: twilio.url },
    through: (databaseUrl) => {
      line.moveTo(databaseUrl);
      return line.urlOf(databaseUrl);
    },
  });
  owner = new Client({ connectionString: notifier.ownerUrl, options: '-c search_path=notifier' });
  await owner.connect();
});
afterAll(async () => {
  await owner.end();
  await notifier.stop();
  await line.stop();
  await twilio.stop();
});

/** Loses the answer of the statement that waits for the owner's open transaction, and that claims the message. */
async function loseAnswer(id: string, end: 'COMMIT' | 'ROLLBACK'): Promise<void> {
  await until('the claim waits', async () => {
    // Otherwise a transaction sees only the connections that it saw first.
    await owner.query('SELECT pg_stat_clear_snapshot()');
    const { rowCount } = await owner.query(
      `SELECT FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'
          AND pg_backend_pid() = ANY (pg_blocking_pids(pid))`,
    );
    return rowCount !== 0;
  });
  line.setMode('drop-answer');
  await owner.query(end);
  await until('the message is claimed, and the answer lost', async () => {
    const { rows } = await owner.query<{ claim_id: string | null }>(
      'SELECT claim_id FROM messages WHERE id = $1',
      [id],
    );
    return notifier.context.sender.calls.lostClaims.has(rows[0]?.claim_id ?? '');
  });
  line.setMode('pass');
}

async function expectSentOnce(id: string): Promise<void> {
  expect(await untilStatus(notifier, id, 'sent')).toMatchObject({ attempts: 2 });
  const attempts = await notifier.rows(
    'SELECT outcome FROM message_attempts WHERE message_id = $1 ORDER BY number',
    [id],
  );
  expect(attempts).toEqual([{ outcome: 'pending' }, { outcome: 'sent' }]);
  expect(twilio.posts).toHaveLength(1);
}

beforeEach(() => twilio.posts.splice(0));

test('a message is sent once whose storing claimed it and lost the answer', async () => {
  const id = randomUUID();
  const job = await newJob();
  const deliver = () => notifier.handle(sendMessage, { id: job.subjectId, version: 1 }, job, id);

  await owner.query('BEGIN');
  await insertPending(owner, id, job);
  // A claim of the sender's own round would have all places, so that the storing claims nothing.
  await until('no claim is being made', () => notifier.context.sender.calls.free === MAX_CALLS);
  // It fails, unless its lane has repeated it.
  const delivering = deliver().catch(() => {});
  await loseAnswer(id, 'ROLLBACK');
  await delivering;
  await deliver();

  await expectSentOnce(id);
});

test('a message is sent once whose claim lost its answer', async () => {
  const id = randomUUID();
  const job = await newJob();

  await owner.query('BEGIN');
  await owner.query('LOCK TABLE phone_claims IN ACCESS EXCLUSIVE MODE');
  await insertPending(owner, id, job);
  await loseAnswer(id, 'COMMIT');

  await expectSentOnce(id);
});

/** Of a wholesaler that has had messages before: the first claim of a new one only counts it. */
async function newJob(): Promise<SendMessage> {
  const job = codeJob();
  await owner.query('INSERT INTO claims_of_minute VALUES ($1, now(), 0)', [job.wholesalerId]);
  return job;
}
