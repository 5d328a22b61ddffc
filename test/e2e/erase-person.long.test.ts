import type { Answer } from '@fiado/chassis/testing/call';
import { hasRedisServer, RedisServer } from '@fiado/chassis/testing/redis-server';
import { S3StandIn } from '@fiado/chassis/testing/s3-stand-in';
import { TwilioStandIn } from '@fiado/chassis/testing/twilio-stand-in';
import { strFromU8, unzipSync } from 'fflate';
import type { Client } from 'pg';
import { waitFor } from './support/api';
import { type MarkedPerson, type Parties, seedMarkedPerson } from './support/marked-person';
import { filesOf, keysOf, rowsOf } from './support/leaks/sources';
import { endCompletedJobs, textsIn } from './support/stored-texts';
import { verify } from './support/month';
import { endOpenJobs } from './support/open-jobs';
import { createProvider, createWholesaler } from './support/story';
import { startSystem, type System } from './support/system';

const hasRedis = hasRedisServer('queues in Redis are not searched');

/** Ends what hangs: on a busy machine each of these takes a minute. */
const ERASED_DEADLINE_MS = 150_000;

/** Not in the copy for the person. */
const NOT_IN_COPY = new Set([
  // Replaced by later values.
  'importedFirst',
  'importedLast',
  'first',
  'last',
  'storeName',
  'rejection',
  // Of other persons: masked.
  'contactPhone',
  'otherContactPhone',
  // Not kept.
  'limitReason',
  'refusedNote',
  'image',
  // What a wholesaler's server answered to an event.
  'answer',
]);

describe.each([
  ['Postgres', () => Promise.resolve(undefined)],
  ...(hasRedis ? [['Redis', () => RedisServer.start()] as const] : []),
] as const)('with the queues in %s', (_backend, startRedis) => {
  let redis: RedisServer | undefined;
  let store: S3StandIn;
  let twilio: TwilioStandIn;
  let system: System;
  let owner: Client;

  beforeAll(async () => {
    redis = await startRedis();
    store = await S3StandIn.start();
    twilio = await TwilioStandIn.start();
    system = await startSystem({
      env: {
        RETENTION_YEARS: '0',
        LOG_LEVEL: 'info',
        ...store.config,
        ...twilio.variables,
        ...(redis && { REDIS_URL: redis.url }),
      },
    });
    owner = await system.connect();
  });
  afterAll(async () => {
    await system?.dispose();
    await Promise.all([store.stop(), twilio.stop(), redis?.stop()]);
  });

  it('a person gets a copy of all of it and nothing of others, and is then nowhere', async () => {
    const provider = await createProvider(system);
    const settings = { deliveryWordRequired: false, settlementEvery: 'on-demand' };
    const wholesalers: Parties['wholesalers'] = [
      await createWholesaler(system, settings),
      await createWholesaler(system, settings),
    ];
    const parties = { wholesalers, provider };
    const other = await seedMarkedPerson(system, parties);
    const person = await seedMarkedPerson(system, parties);
    const texts = [...Object.values(person.marks.all), ...person.tokens];
    expect(new Set(texts).size).toBeGreaterThanOrEqual(40);

    const wanted = await grant(person.userId, 'access');
    await settle();
    const copy = await copyAt(wanted);
    const expected = Object.entries(person.marks.all)
      .filter(([name]) => !NOT_IN_COPY.has(name))
      .map(([, text]) => text);
    expect(expected.filter((text) => !copy.includes(text))).toEqual([]);
    const others = [...Object.values(other.marks.all), ...other.tokens];
    expect(others.filter((text) => copy.includes(text))).toEqual([]);

    const sums = await sumsOf(owner);
    expect(textsIn(await rowsOf(owner), texts).join()).toContain(person.marks.text('external'));
    const phones = ['phone', 'newPhone'].map((name) => person.marks.phone(name));
    const sids = twilio.posts
      .filter(({ form }) => phones.includes(form.To ?? ''))
      .map(({ sid }) => sid);
    expect(sids.length).toBeGreaterThan(2);

    const request = await cancel(person);
    await settle();
    await waitFor(
      () => Promise.resolve(sids.every((sid) => twilio.deletions.includes(sid ?? '')) || undefined),
      ERASED_DEADLINE_MS,
    );

    expect(textsIn(await rowsOf(owner), texts)).toEqual([]);
    if (redis !== undefined) expect(textsIn(await keysOf(redis.url), texts)).toEqual([]);
    const objects = [...store.objects].map(([place, { content }]) => ({
      place,
      text: content.toString('latin1'),
    }));
    expect(textsIn(objects, texts)).toEqual([]);
    expect(textsIn(await filesOf(system.dataDir), texts)).toEqual([]);
    expect(texts.filter((text) => system.output().includes(text))).toEqual([]);
    expect(await sumsOf(owner)).toEqual(sums);
    expect(await verify(system)).toEqual({ ok: true, broken: [] });
    expect(await ops('GET', `${request}/verify`)).toMatchObject({ holds: true, left: [] });
    // Of the other person nothing is gone.
    const left = textsIn(await rowsOf(owner), [other.marks.text('external')]);
    expect(left.length).toBeGreaterThan(0);
  });

  const ops = async (method: string, path: string, body?: object): Promise<Answer['body']> => {
    const answer = await system.call(system.opsKey, method, path, body && { body });
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.text}`);
    return answer.body;
  };
  const grant = async (userId: string, kind: string): Promise<string> => {
    const request = { userId, kind, channel: 'email', identityProof: 'official-id' };
    const { privacyRequestId } = await ops('POST', '/admin/privacy-requests', request);
    const path = `/admin/privacy-requests/${privacyRequestId}`;
    await ops('POST', `${path}/answer`, { outcome: 'granted' });
    return path;
  };

  /** @param path of the request for it */
  async function copyAt(path: string): Promise<string> {
    const isDone = async (): Promise<true | undefined> =>
      (await ops('GET', path)).status === 'done' || undefined;
    await waitFor(isDone, ERASED_DEADLINE_MS);
    const zip = await fetch(`${system.baseUrl}/v1${path}/package`, {
      headers: { authorization: system.opsKey },
    });
    expect(zip.status).toBe(200);
    const { 'data.json': data = new Uint8Array(), ...files } = unzipSync(
      new Uint8Array(await zip.arrayBuffer()),
    );
    expect(Object.keys(files).filter((name) => name.startsWith('imagenes/'))).toHaveLength(4);
    return strFromU8(data);
  }

  /** @returns the path of the request */
  async function cancel({ userId }: MarkedPerson): Promise<string> {
    const path = await waitFor(() => grant(userId, 'cancellation').catch(() => undefined));
    const isErased = async (): Promise<true | undefined> => {
      const { rows } = await owner.query(
        `SELECT FROM accounts.erasures WHERE user_id = $1 AND phase = 'suppress' AND state = 'done'`,
        [userId],
      );
      return rows.length === 1 || undefined;
    };
    await waitFor(isErased, ERASED_DEADLINE_MS);
    return path;
  }

  /** Waits until no job is open, and forgets the completed ones. */
  async function settle(): Promise<void> {
    await endOpenJobs(owner, ERASED_DEADLINE_MS);
    if (redis !== undefined) await endCompletedJobs(redis.url);
    else await owner.query(`DELETE FROM bullmq.job WHERE state = 'completed'`);
  }
});

async function sumsOf(owner: Client): Promise<unknown> {
  const { rows } = await owner.query(
    `SELECT (SELECT sum(amount_cents) FROM transactions.transactions) AS ordered,
            (SELECT sum(amount_cents) FROM transactions.credit_entries) AS held,
            (SELECT sum(gross_cents - commission_cents) FROM transactions.settlement_lines) AS settled,
            (SELECT sum(valor_cents) FROM payments.deposits) AS paid,
            (SELECT sum(amount_cents) FROM payments.payouts) AS returned,
            (SELECT sum(cents) FROM payments.credit_balance_entries) AS credited,
            (SELECT sum(paid_principal_cents + paid_interest_cents + paid_iva_cents)
               FROM payments.receivables) AS applied`,
  );
  return rows;
}
