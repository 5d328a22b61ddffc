import { testProcessKeys } from '@fiado/chassis/testing/process-keys';
import { queuesDatabaseUrl } from '@fiado/chassis/db/roles';
import { Queues } from '@fiado/chassis/jobs/queues';
import { createLogger } from '@fiado/chassis/logger';
import { waitFor } from '../../e2e/support/api';
import type { Stage } from '../run-under-load';
import type { ChaosDatabase } from '../support/database';
import type { Deployment } from '../support/deployment';
import { noDamage, type Damage } from '../support/inflict';
import type { Scenario } from './scenario';

const QUEUE = 'payments';
/** One that ops retries, and one that recovers by itself. */
const BROKEN = 2;
/** The sweeper sees a failed job after 30 to 40 s. */
const DEAD_DEADLINE_MS = 60_000;
/** Dead letters are looked at once a minute. */
const EFFECT_DEADLINE_MS = 90_000;

/** Spoils the next deliveries on their way into the outbox, and keeps what they were. */
const SPOIL = `
  CREATE TABLE public.chaos_spoilt (id uuid PRIMARY KEY, data jsonb NOT NULL);
  CREATE FUNCTION public.chaos_spoil() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
  BEGIN
    -- Deliveries at the same moment are counted one after the other.
    PERFORM pg_advisory_xact_lock(hashtext('chaos_spoil'));
    IF (SELECT count(*) FROM public.chaos_spoilt) < ${BROKEN} THEN
      INSERT INTO public.chaos_spoilt VALUES (NEW.id, NEW.data);
      NEW.data = '{}';
    END IF;
    RETURN NEW;
  END $$;
  CREATE TRIGGER chaos_spoil BEFORE INSERT ON transactions.outbox
    FOR EACH ROW WHEN (NEW.type = 'transaction.delivered') EXECUTE FUNCTION public.chaos_spoil()`;

const REPAIR = `
  UPDATE transactions.outbox SET data = spoilt.data FROM public.chaos_spoilt AS spoilt
   WHERE outbox.id = spoilt.id`;

/**
 * Two deliveries become dead letters, their cause is mended and their queue forgets them: one comes
 * back when ops retries it by its id, the other by itself.
 */
export const forgottenDeadLetter: Scenario = {
  backends: ['postgres', 'redis'],
  seconds: 30,
  disturb: async ({ deployment }: Stage): Promise<Damage> => {
    const damage = noDamage();
    const { database, system } = deployment;
    await database.query(SPOIL);
    const ids = await waitFor(async () => {
      const dead = await deadLetters(database);
      return dead.length === BROKEN ? dead : undefined;
    }, DEAD_DEADLINE_MS);
    damage.deadLetters.push(...ids);
    await database.query(REPAIR);
    await forget(deployment, ids);

    const forgottenAt = Date.now();
    const path = `/admin/jobs/${QUEUE}/${ids[0]}/retry`;
    const answer = await system.call(system.opsKey, 'POST', path);
    if (answer.status !== 200 || answer.body.jobId !== ids[0]) {
      damage.violations.push(`the retry of a forgotten job was answered ${answer.status}`);
    }
    const byOps = await effectAfter(database, ids.slice(0, 1), forgottenAt);
    const byItself = await effectAfter(database, ids.slice(1), forgottenAt);
    damage.measured.push(
      `${BROKEN} dead letters forgotten by their queue: effect ${byOps} ms later by ops, ` +
        `${byItself} ms later by itself`,
    );
    return damage;
  },
};

async function deadLetters(database: ChaosDatabase): Promise<string[]> {
  const rows = await database.query<{ id: string }>(
    `SELECT id FROM transactions.outbox WHERE dead_at IS NOT NULL AND queue = $1`,
    [QUEUE],
  );
  return rows.map(({ id }) => id);
}

/** As FLUSHALL does, or the week's end of a failed job. */
async function forget({ database, redis }: Deployment, ids: string[]): Promise<void> {
  if (redis !== undefined) return redis.flush();
  const queues = new Queues({
    redisUrl: undefined,
    queuesDatabaseUrl: queuesDatabaseUrl(database.url),
    prefix: '',
    keys: testProcessKeys('transactions'),
    log: createLogger('chaos', 'silent'),
  });
  for (const id of ids) await (await queues.queue(QUEUE).getJob(id))?.remove();
  await queues.close();
}

/** @returns milliseconds from a moment until the jobs have had their effect */
async function effectAfter(
  database: ChaosDatabase,
  ids: string[],
  moment: number,
): Promise<number> {
  await waitFor(async () => {
    const done = await database.query(
      'SELECT FROM payments.inbox WHERE message_id = ANY($1::uuid[])',
      [ids],
    );
    return done.length === ids.length || undefined;
  }, EFFECT_DEADLINE_MS);
  return Date.now() - moment;
}
