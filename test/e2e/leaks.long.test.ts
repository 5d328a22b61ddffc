import { randomUUID } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { QUEUES_SCHEMA, rolePassword } from '@fiado/chassis/db/roles';
import { Redis } from 'ioredis';
import { Client } from 'pg';
import { SERVICES } from '@fiado/contracts/process-names';
import { hasRedisServer, RedisServer } from '@fiado/chassis/testing/redis-server';
import { SUCCESSES } from '../contract/support/successes';
import { ERRORS } from '../contract/support/transaction-errors';
import { buildWorld, type World } from '../contract/support/world';
import { provokeDatabase, provokeDeadLetter, provokeThirdParties } from './support/leaks/faults';
import {
  startTracedDeployment,
  THIRD_PARTY_SECRETS,
  type TracedDeployment,
} from './support/leaks/deployment';
import { Needles, type Finding, type NeedleKind, type Place } from './support/leaks/needles';
import { filesOf, keysOf, metricsOf, rowsOf } from './support/leaks/sources';
import { blunder, buy, NAMES, onboard, payIn } from './support/leaks/story';
import { harvestSms, watched, type Watched } from './support/leaks/watched-system';
import { waitFor } from './support/api';
import { randomPhone } from './support/story';

/** A webhook endpoint, with a secret that is replaced; nothing listens there. */
async function subscribe({ system, wholesaler }: World): Promise<void> {
  const headers = { 'idempotency-key': randomUUID() };
  const post = (path: string, body: object) =>
    system.call(wholesaler.key, 'POST', path, { body, headers });
  const endpoint = { url: 'http://127.0.0.1:9/', signatures: ['v1', 'v1a'] };
  const { body } = await post('/webhook-endpoints', endpoint);
  await post(`/webhook-endpoints/${body.webhookEndpointId}/rotate-secret`, {});
}

const SCHEMAS = [...SERVICES, QUEUES_SCHEMA];

/** Allowed findings, each with its reason. */
const ALLOWED: Array<{ place: RegExp; kinds: NeedleKind[]; why: string }> = [
  {
    place: /^payments\.(deposits\.(body|numero_referencia)|deposit_conflicts\.body)$/,
    kinds: ['phone', 'note'],
    why: 'a provider’s notice of money is evidence, stored as it was sent',
  },
  {
    place: /^(accounts\.users|transactions\.transactions)\.metadata$/,
    kinds: ['note'],
    why: 'metadata is the wholesaler’s own, stored as it was sent',
  },
  {
    place: /^accounts\.corner_stores\.rejection_reason$/,
    kinds: ['note'],
    why: 'the words of ops, who are told to name nobody',
  },
];

/** Files that only their owner may read. */
const PRIVATE_FILES = /(^|\/)(secrets|demo)\.json$|^postgres\/data|password/;

const hasRedis = hasRedisServer('the search for leaks in Redis is skipped');

describe.each(hasRedis ? ['Postgres', 'Redis'] : ['Postgres'])('with queues in %s', (backend) => {
  const needles = new Needles();
  let redis: RedisServer | undefined;
  let deployment: TracedDeployment;
  let owner: Client;
  let seen: Watched;

  beforeAll(async () => {
    redis = backend === 'Redis' ? await RedisServer.start() : undefined;
    deployment = await startTracedDeployment(redis === undefined ? {} : { REDIS_URL: redis.url });
    owner = new Client({ connectionString: deployment.databaseUrl });
    await owner.connect();
    await addSecrets(needles, deployment);
    seen = watched(deployment.system, needles);
    await live();
    harvestSms(deployment.twilio, needles);
  });
  afterAll(async () => {
    await owner?.end();
    await deployment?.dispose();
    await redis?.stop();
  });

  async function live(): Promise<void> {
    const world = await buildWorld(seen.system);
    await subscribe(world);
    await onboard(world);
    await buy(world, needles);
    await payIn(world, needles);
    if (backend === 'Postgres') {
      await blunder(world, needles);
      for (const provoke of Object.values(ERRORS)) await provoke(world);
      for (const { call } of Object.values(SUCCESSES)) await call(world);
      await provokeThirdParties(world, deployment);
      await provokeDatabase(world, owner);
    }
    await provokeDeadLetter(owner);
  }

  /** All that is searched, by the name of its source. */
  const sources: Record<string, () => Promise<Place[]>> = {
    'the output of the processes': async () =>
      deployment.system
        .output()
        .split('\n')
        .map((text) => ({ place: 'output', text })),
    'the body of an error': async () => seen.errors,
    'a row of the database': () => rowsOf(owner),
    'the text of a metric': () => metricsOf(deployment.system),
    'a file of the data folder': () => filesOf(deployment.system.dataDir, PRIVATE_FILES),
    'the log of the database': () => filesOf(deployment.databaseDir, /^(?!.*server\.log)/),
    ...(backend === 'Redis' ? { 'a key of Redis': () => keysOf(redis?.url ?? '') } : {}),
  };

  async function search(source: string, wanted: Needles): Promise<Finding[]> {
    const places = (await sources[source]?.()) ?? [];
    expect([source, places.length > 0]).toEqual([source, true]);
    return places.flatMap((place) => wanted.search(place));
  }

  it('the system processed enough for a leak to show', () => {
    const counts = ['phone', 'code', 'word', 'text', 'secret', 'image', 'note'] as const;
    const found = Object.fromEntries(counts.map((kind) => [kind, needles.count(kind)]));
    process.stdout.write(`Needles, queues in ${backend}: ${JSON.stringify(found)}\n`);
    for (const kind of counts) expect([kind, needles.count(kind) > 0]).toEqual([kind, true]);
  });

  it.each(Object.keys(sources))('%s tells no code, word, phone, name or key', async (source) => {
    const findings = await search(source, needles);
    const leaks = findings.filter(
      ({ place, kind }) =>
        !ALLOWED.some((one) => one.place.test(place) && one.kinds.includes(kind)),
    );
    expect(leaks).toEqual([]);
  });

  it('each exception is one that this run needed', async () => {
    if (backend === 'Redis') return;
    const findings = await search('a row of the database', needles);
    for (const { place, why } of ALLOWED) {
      expect([why, findings.some((finding) => place.test(finding.place))]).toEqual([why, true]);
    }
  });

  it('a value that is planted in a source is found', async () => {
    const planted = new Needles();
    const phone = randomPhone();
    planted.add('phone', phone);
    planted.add('text', NAMES.fullName);
    await plant({ deployment, owner, seen, redis, text: `${NAMES.fullName}, ${phone.slice(1)}` });

    const found: string[] = [];
    for (const source of Object.keys(sources)) {
      if ((await search(source, planted)).length > 0) found.push(source);
    }
    // Nothing that anyone sends becomes a part of a metric: needles.test.ts looks into its text.
    expect([...found, 'the text of a metric'].sort()).toEqual(Object.keys(sources).sort());
  });
});

interface Garden {
  deployment: TracedDeployment;
  owner: Client;
  seen: Watched;
  redis: RedisServer | undefined;
  text: string;
}

/** Puts a text where it must not be, in each source in another disguise. */
async function plant({ deployment, owner, seen, redis, text }: Garden): Promise<void> {
  const { system } = deployment;
  // The id of a request is its caller's to choose, and stands in the logs.
  const digits = text.replaceAll(/\D/g, '');
  await seen.system.call(system.opsKey, 'GET', '/admin/jobs', {
    headers: { 'x-request-id': digits },
  });
  // Log lines are written some milliseconds after their requests.
  await waitFor(async () => system.output().includes(digits) || undefined);
  // A field that no route knows is named to who sent it.
  const body = { name: 'Abarrotera', [text]: 1 };
  await seen.system.call(system.opsKey, 'POST', '/admin/wholesalers', { body });
  await owner.query('CREATE TABLE notifier.planted (value jsonb)');
  await owner.query('INSERT INTO notifier.planted VALUES ($1)', [
    JSON.stringify({ nested: [Buffer.from(`x${text}`).toString('base64')] }),
  ]);
  await owner.query(
    `DO $$ BEGIN RAISE WARNING '${encodeURIComponent(text).replaceAll('%', '%%')}'; END $$`,
  );
  await writeFile(join(system.dataDir, 'planted'), Buffer.from(text, 'utf16le').toString('hex'));
  if (redis !== undefined) {
    const client = new Redis(redis.url);
    await client.hset('planted', 'field', JSON.stringify(text));
    client.disconnect();
  }
}

/** The secrets of all processes, third parties' and the database's included. */
async function addSecrets(
  needles: Needles,
  { system, databaseUrl }: TracedDeployment,
): Promise<void> {
  const file = await readFile(join(system.dataDir, 'secrets.json'), 'utf8');
  const passwords = SCHEMAS.map((schema) => rolePassword(databaseUrl, schema));
  for (const secret of [
    ...Object.values(JSON.parse(file) as Record<string, string>),
    ...THIRD_PARTY_SECRETS,
    ...passwords,
    decodeURIComponent(new URL(databaseUrl).password),
  ]) {
    needles.add('secret', secret);
  }
  for (const note of [NAMES.email, NAMES.payer, NAMES.rejected]) needles.add('note', note);
}
