import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createTestSealer } from '@fiado/chassis/testing/sealed-columns';
import { SMS_PURPOSE, type SealedSms } from '@fiado/contracts/jobs/send-message';
import { until } from '@fiado/chassis/testing/until';
import type { Stage } from '../run-under-load';
import type { ChaosDatabase } from '../support/database';
import type { Deployment } from '../support/deployment';
import { inflict, noDamage, type Damage } from '../support/inflict';
import { raiseCredit } from '../support/market';
import { secretsOf } from '../support/secrets';
import type { Scenario } from './scenario';

/** Far more than the clients send in a minute, far less than what waits. */
const CAP = 2_000;
const WORK_FIRST_MS = 4_000;
/** One statement's: some seconds of work. */
const INSERTED_AT_ONCE = 20_000;
/** SMS of the backlog that went out before the notifier is killed. */
const SENT_BEFORE_KILL = 200;
/** From the kill to the end of the backlog: two starts of a minute, at which SMS go out again. */
const WAIT_MS = 130_000;
/** The messages that still wait then expire, 500 in an iteration. */
const EXPIRY_DEADLINE_MS = 120_000;
/** Until the killed notifier works again, its restart included. */
const RESTART_MS = 15_000;
/** From the job of another wholesaler's SMS to its end, while the notifier runs. */
const OTHERS_BAR_MS = 3_000;

/**
 * A wholesaler has 100,000 SMS behind its cap, and the only notifier is killed while it sends some of
 * them. The other wholesaler's SMS go out at once, the cap is kept, and what waits is not written until
 * its turn or its end.
 */
export const smsBacklog: Scenario = {
  backends: ['postgres', 'redis'],
  seconds: (WORK_FIRST_MS + WAIT_MS) / 1_000,
  environment: { SMS_PER_WHOLESALER_PER_MINUTE: String(CAP) },
  disturb: async (stage: Stage, { waiting }): Promise<Damage> => {
    const { database, system, twilio } = stage.deployment;
    const damage = noDamage();
    await sleep(WORK_FIRST_MS);
    await raiseCredit(system, stage.market);
    const wholesalerId = randomUUID();
    const endsAt = Date.now() + WAIT_MS;
    await insertBacklog(stage.deployment, { wholesalerId, waiting, endsAt });

    const backlog = await idsOf(database, wholesalerId);
    const sent = () => twilio.posts.filter(({ messageId }) => backlog.has(messageId)).length;
    await until('the backlog is being sent', () => sent() > SENT_BEFORE_KILL);
    await inflict(
      stage.deployment,
      [{ atMs: 0, fault: { kind: 'kill', service: 'notifier' } }],
      damage,
    );

    // Before the end: what waits is as it was inserted.
    await sleep(Math.max(0, endsAt - Date.now() - 5_000));
    const written = await countWritten(database);
    await until(
      'the backlog has ended',
      async () => (await countOpen(database, wholesalerId)) === 0,
      EXPIRY_DEADLINE_MS,
    );
    await judge(stage, damage, { wholesalerId, written });
    return damage;
  },
};

interface Backlog {
  wholesalerId: string;
  waiting: number;
  endsAt: number;
}

/** Messages as their jobs would have written them, to as many phones. */
async function insertBacklog(
  { database, system }: Deployment,
  { wholesalerId, waiting, endsAt }: Backlog,
): Promise<void> {
  const subjectId = randomUUID();
  const sms: SealedSms = {
    phone: '+525550000001',
    values: { word: 'limón', wholesaler: 'Abarrotera', amountCents: 50_000 },
  };
  const sealer = createTestSealer((await secretsOf(system)).ENCRYPTION_KEY);
  const sealed = sealer.seal(JSON.stringify(sms), SMS_PURPOSE, subjectId);
  await database.query(
    `INSERT INTO notifier.claims_of_minute (wholesaler_id, minute, claimed) VALUES ($1, now(), 0)`,
    [wholesalerId],
  );
  // Where each row is and what wrote it: an update changes both.
  await database.query(
    'CREATE TABLE public.backlog (id uuid PRIMARY KEY, place tid, written_by xid)',
  );
  for (let first = 0; first < waiting; first += INSERTED_AT_ONCE) {
    const count = Math.min(INSERTED_AT_ONCE, waiting - first);
    await database.query(
      `WITH inserted AS (
         INSERT INTO notifier.messages (id, template, wholesaler_id, subject_id, phone_index,
                                        phone_masked, sealed, expires_at)
         SELECT gen_random_uuid(), 'delivery-word', $1, $2, decode(md5(n::text), 'hex'), '***', $3,
                to_timestamp($4)
           FROM generate_series($5::integer, $6::integer) n
         RETURNING id, ctid, xmin
       )
       INSERT INTO public.backlog SELECT * FROM inserted`,
      [wholesalerId, subjectId, sealed, endsAt / 1_000, first, first + count - 1],
    );
  }
}

async function idsOf(database: ChaosDatabase, wholesalerId: string): Promise<Set<string>> {
  const rows = await database.query<{ id: string }>(
    'SELECT id FROM notifier.messages WHERE wholesaler_id = $1',
    [wholesalerId],
  );
  return new Set(rows.map(({ id }) => id));
}

/** How many of the waiting messages were written since they were inserted. */
async function countWritten(
  database: ChaosDatabase,
): Promise<{ waiting: number; written: number }> {
  const [row] = await database.query<{ waiting: number; written: number }>(
    `SELECT count(*)::integer AS waiting,
            (count(*) FILTER (WHERE messages.ctid <> place OR messages.xmin <> written_by))::integer
              AS written
       FROM public.backlog JOIN notifier.messages USING (id)
      WHERE status = 'pending'`,
  );
  return row ?? { waiting: 0, written: 0 };
}

async function countOpen(database: ChaosDatabase, wholesalerId: string): Promise<number> {
  const [row] = await database.query<{ open: number }>(
    `SELECT count(*)::integer AS open FROM notifier.messages
      WHERE wholesaler_id = $1 AND status IN ('pending', 'sending')`,
    [wholesalerId],
  );
  return row?.open ?? 0;
}

interface Judged {
  wholesalerId: string;
  written: { waiting: number; written: number };
}

async function judge(
  { deployment }: Stage,
  damage: Damage,
  { wholesalerId, written }: Judged,
): Promise<void> {
  const { database } = deployment;
  const [busiest] = await database.query<{ claimed: number }>(
    `SELECT count(*)::integer AS claimed FROM notifier.messages
      WHERE wholesaler_id = $1 AND attempts > 0
      GROUP BY date_trunc('minute', attempted_at) ORDER BY 1 DESC LIMIT 1`,
    [wholesalerId],
  );
  const [ends] = await database.query<{ sent: number; lost: number; expired: number }>(
    `SELECT (count(*) FILTER (WHERE status IN ('sent', 'delivered')))::integer AS sent,
            (count(*) FILTER (WHERE status = 'unknown'))::integer AS lost,
            (count(*) FILTER (WHERE status = 'expired'))::integer AS expired
       FROM notifier.messages WHERE wholesaler_id = $1`,
    [wholesalerId],
  );
  const killedAt = damage.kills[0]?.at ?? 0;
  const [others] = await database.query<{ count: number; middle: number; longest: number }>(
    `SELECT count(*)::integer AS count,
            coalesce(percentile_cont(0.5) WITHIN GROUP (ORDER BY ms), 0)::float8 AS middle,
            coalesce(max(ms), 0)::float8 AS longest
       FROM (SELECT EXTRACT(EPOCH FROM sent_at - created_at) * 1000 AS ms FROM notifier.messages
              WHERE wholesaler_id <> $1 AND sent_at IS NOT NULL
                AND created_at > (SELECT min(created_at) FROM notifier.messages WHERE wholesaler_id = $1)
                AND created_at NOT BETWEEN to_timestamp($2) AND to_timestamp($3)) other`,
    [wholesalerId, (killedAt - OTHERS_BAR_MS) / 1_000, (killedAt + RESTART_MS) / 1_000],
  );

  damage.measured.push(
    `${written.waiting} SMS waited to the end, ${written.written} of them written meanwhile; ` +
      `${ends?.sent} sent, ${ends?.lost} unknown after the kill, ${ends?.expired} expired; ` +
      `at most ${busiest?.claimed} in a minute`,
    `${others?.count} SMS of the other wholesaler sent after ${Math.round(others?.middle ?? 0)} ms ` +
      `(p50), at most ${Math.round(others?.longest ?? 0)} ms`,
  );
  const mustHold: Array<[boolean, string]> = [
    [written.waiting > CAP, 'hardly anything waited behind the cap'],
    [written.written === 0, `${written.written} waiting messages were written`],
    [(busiest?.claimed ?? 0) <= CAP, `${busiest?.claimed} were sent in a minute of ${CAP}`],
    [(ends?.sent ?? 0) > CAP, 'the backlog was not sent on after the kill'],
    [(others?.count ?? 0) > 0, 'the other wholesaler sent nothing'],
    [
      (others?.longest ?? 0) <= OTHERS_BAR_MS,
      `an SMS of the other wholesaler waited ${others?.longest} ms`,
    ],
  ];
  for (const [holds, problem] of mustHold) if (!holds) damage.violations.push(problem);
}
