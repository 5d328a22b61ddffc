import { measureForwarding } from './phases/forwarding';
import { measureSizes, type Sized } from './phases/sizes';
import { measureSms } from './phases/sms';
import { BenchDatabase } from './support/database';
import { drawSecrets, System, type Secrets } from './support/system';
import { openMarket } from './support/market';
import { isInstalled } from './support/programs';
import { startRedis } from './support/redis';
import { numberStores, seedTransactions } from './support/seed';
import { startTwilioStandIn } from './support/twilio';
import { verifySystem } from './support/verify';
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
  const system = systemOf({ ...ground, db, twilio, secrets }, SMALL);
  cleanup.add(() => system.stop());
  await system.start();
  const market = await openMarket(system, { db, name: SMALL }, options.stores);
  await system.stop();
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
    const system = systemOf(world, size.database, redisUrl);
    world.cleanup.add(() => system.stop());
    await system.start();
    running.push({ ...size, system });
  }
  const result = await measureSizes(world, running, redisUrl === undefined ? 'Postgres' : 'Redis');
  for (const { system, label } of running) {
    const failure = await verifySystem(system, world.folder);
    const what = `fiado verify @ ${label} finds nothing`;
    world.say(failure ?? `  ${what}`);
    const value = failure === undefined ? 1 : 0;
    result.findings.push({ what, value, unit: '', target: { least: 1 } });
    await system.stop();
  }
  return result;
}

async function measureBackends(world: World): Promise<PhaseResult[]> {
  world.say('SMS, queues on Postgres');
  const system = systemOf(world, SMALL);
  world.cleanup.add(() => system.stop());
  await system.start();
  const queuesUrl = world.db.urlOf(SMALL);
  const onPostgres = { backend: 'postgres' as const, system, database: SMALL, queuesUrl };
  const phases = [await measureSms(world, onPostgres)];
  await system.stop();
  if (!isInstalled('redis-server')) {
    world.say('SMS, queues on Redis: skipped, redis-server is not installed');
    return phases;
  }

  world.say('SMS, queues on Redis');
  const redisUrl = await startRedis(world.cleanup, world.folder);
  const other = systemOf(world, ON_REDIS, redisUrl);
  world.cleanup.add(() => other.stop());
  await other.start();
  const onRedis = { backend: 'redis' as const, system: other, database: ON_REDIS };
  phases.push(await measureSms(world, { ...onRedis, queuesUrl: redisUrl }));
  await other.stop();
  return phases;
}

function systemOf(
  { db, twilio, secrets, folder, options }: Omit<World, 'market'> & { secrets: Secrets },
  database: string,
  redisUrl?: string,
): System {
  return new System({
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
