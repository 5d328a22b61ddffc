import { measureForwarding } from './phases/forwarding';
import { measureSizes, type Sized } from './phases/sizes';
import { measureSms } from './phases/sms';
import { BenchDatabase } from './support/database';
import { drawSecrets, House, type Secrets } from './support/house';
import { openMarket } from './support/market';
import { isInstalled } from './support/programs';
import { startRedis } from './support/redis';
import { numberStores, seedTransactions } from './support/seed';
import { startTwilioStandIn } from './support/twilio';
import { verifyHouse } from './support/verify';
import type { Ground, PhaseResult, World } from './support/world';

const SMALL = 'fiado_small';
const LARGE = 'fiado_large';
const ON_REDIS = 'fiado_redis';

/** Builds what is measured, measures it, and takes it down again. */
export async function runBench(ground: Ground): Promise<PhaseResult[]> {
  const { options, say } = ground;
  const phases: PhaseResult[] = [];
  if (options.phases.includes('forwarding')) {
    say('forwarding');
    phases.push(await measureForwarding(ground));
  }
  if (!options.phases.some((phase) => phase !== 'forwarding')) return phases;

  const world = await buildWorld(ground);
  if (options.phases.includes('sizes')) {
    say('sizes');
    phases.push(await measureSizesOf(world));
  }
  if (options.phases.includes('sms')) phases.push(...(await measureBackends(world)));
  return phases;
}

/** One database is filled by the API and by SQL; all others are copies of it, made before any service runs. */
async function buildWorld(ground: Ground): Promise<World> {
  const { options, folder, cleanup, say } = ground;
  const db = await BenchDatabase.start(`${folder}/postgres`, options.profile);
  cleanup.add(() => db.stop());
  const twilio = await startTwilioStandIn();
  cleanup.add(() => twilio.stop());
  const secrets = drawSecrets();

  say(`${options.stores} corner stores, by the API`);
  await db.create(SMALL);
  const house = houseOf({ ...ground, db, twilio, secrets }, SMALL);
  cleanup.add(() => house.stop());
  await house.start();
  const market = await openMarket(house, { db, name: SMALL }, options.stores);
  await house.stop();
  await numberStores(db, SMALL, market);

  say(`${options.small} transactions, by SQL`);
  await seedTransactions(db, SMALL, { market, from: 0, to: options.small });
  await db.create(`${SMALL}_sql`, SMALL);
  await db.create(ON_REDIS, SMALL);
  if (options.large > 0 && options.phases.includes('sizes')) {
    say(`${options.large} transactions, by SQL`);
    await db.create(LARGE, SMALL);
    await seedTransactions(db, LARGE, { market, from: options.small, to: options.large });
    await db.create(`${LARGE}_sql`, LARGE);
  }
  return { ...ground, db, twilio, secrets, market };
}

async function measureSizesOf(world: World): Promise<PhaseResult> {
  const { options } = world;
  const sizes = [{ label: shortNumber(options.small), count: options.small, database: SMALL }];
  if (options.large > 0) {
    sizes.push({ label: shortNumber(options.large), count: options.large, database: LARGE });
  }
  // As in production where that can be had: what queues in Postgres cost, an SMS' own phase shows.
  const redisUrl = isInstalled('redis-server')
    ? await startRedis(world.cleanup, world.folder)
    : undefined;
  const running: Sized[] = [];
  for (const size of sizes) {
    const house = houseOf(world, size.database, redisUrl);
    world.cleanup.add(() => house.stop());
    await house.start();
    running.push({ ...size, house });
  }
  const result = await measureSizes(world, running, redisUrl === undefined ? 'Postgres' : 'Redis');
  for (const { house, label } of running) {
    const failure = await verifyHouse(house, world.folder);
    const what = `fiado verify @ ${label} finds nothing`;
    world.say(failure ?? `  ${what}`);
    const value = failure === undefined ? 1 : 0;
    result.findings.push({ what, value, unit: '', target: { least: 1 } });
    await house.stop();
  }
  return result;
}

async function measureBackends(world: World): Promise<PhaseResult[]> {
  world.say('SMS, queues on Postgres');
  const house = houseOf(world, SMALL);
  world.cleanup.add(() => house.stop());
  await house.start();
  const queuesUrl = world.db.urlOf(SMALL);
  const onPostgres = { backend: 'postgres' as const, house, database: SMALL, queuesUrl };
  const phases = [await measureSms(world, onPostgres)];
  await house.stop();
  if (!isInstalled('redis-server')) {
    world.say('SMS, queues on Redis: skipped, redis-server is not installed');
    return phases;
  }

  world.say('SMS, queues on Redis');
  const redisUrl = await startRedis(world.cleanup, world.folder);
  const other = houseOf(world, ON_REDIS, redisUrl);
  world.cleanup.add(() => other.stop());
  await other.start();
  const onRedis = { backend: 'redis' as const, house: other, database: ON_REDIS };
  phases.push(await measureSms(world, { ...onRedis, queuesUrl: redisUrl }));
  await other.stop();
  return phases;
}

function houseOf(
  { db, twilio, secrets, folder, options }: Omit<World, 'market'> & { secrets: Secrets },
  database: string,
  redisUrl?: string,
): House {
  return new House({
    name: database,
    databaseUrl: db.urlOf(database),
    twilioUrl: twilio.url,
    secrets,
    folder,
    ...(redisUrl === undefined ? {} : { redisUrl }),
    ...(options.profile ? { profileInto: folder } : {}),
  });
}

/** 10k, 1M. */
function shortNumber(count: number): string {
  return new Intl.NumberFormat('en', { notation: 'compact' }).format(count);
}
