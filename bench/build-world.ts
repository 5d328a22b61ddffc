import type { PhaseName } from './options';
import { BenchDatabase } from './support/database';
import { openMarket } from './support/market';
import { numberStores, seedHistory } from './support/seed-history';
import { drawSecrets, System, type Secrets, type SystemOptions } from './support/system';
import { TwilioStandIn } from '@fiado/chassis/testing/twilio-stand-in';
import type { Ground, World } from './support/world';

/** The database that is filled; all others are copies of it. */
export const SMALL = 'fiado_small';
export const LARGE = 'fiado_large';
export const ON_REDIS = 'fiado_redis';
export const LOAD = 'fiado_load';
export const PEERS = 'fiado_peers';
export const NEIGHBOURS = {
  plain: 'fiado_plain',
  waiting: 'fiado_waiting',
  endpoint: 'fiado_endpoint',
  traced: 'fiado_traced',
};
/** One instance of each service, with queues on Postgres. */
export const SCALE_ON_POSTGRES = 'fiado_scale_queues';
/** Instances of transactions and notifier. */
export const INSTANCES = [1, 2, 4];

/** Copies of the small database that a phase needs. */
const COPIES: Array<[PhaseName, string[]]> = [
  ['sizes', [`${SMALL}_sql`]],
  ['sms', [ON_REDIS]],
  ['peers', [PEERS]],
  ['load', [LOAD]],
  ['neighbours', Object.values(NEIGHBOURS)],
  ['scale', [...INSTANCES.map(scaleDatabase), SCALE_ON_POSTGRES]],
];

export function scaleDatabase(instances: number): string {
  return `fiado_scale_${instances}`;
}

/** One database is filled by the API and by SQL; all others are copies of it, made before any service runs. */
export async function buildWorld(ground: Ground): Promise<World> {
  const { options, folder, cleanup, say } = ground;
  const db = await BenchDatabase.start(`${folder}/postgres`, options.profile);
  cleanup.add(() => db.stop());
  const twilio = await TwilioStandIn.start();
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
  const seed = { market, onHold: true, say };
  await seedHistory(db, SMALL, { ...seed, from: 0, to: options.small });
  const copies = COPIES.filter(([phase]) => options.phases.includes(phase));
  for (const name of copies.flatMap(([, names]) => names)) await db.create(name, SMALL);
  if (options.large > 0 && options.phases.includes('sizes')) {
    say(`${options.large} transactions, by SQL`);
    await db.create(LARGE, SMALL);
    await seedHistory(db, LARGE, { ...seed, from: options.small, to: options.large });
    await db.create(`${LARGE}_sql`, LARGE);
  }
  return { ...ground, db, twilio, secrets, market };
}

/** How a system differs from the others. */
type Differences = Pick<SystemOptions, 'instances' | 'env'>;

/** Starts a system, which stops with the phase. */
export async function startedSystem(
  world: World,
  database: string,
  redisUrl?: string,
  more?: Differences,
): Promise<System> {
  const system = systemOf(world, database, redisUrl, more);
  world.cleanup.add(() => system.stop());
  await system.start();
  return system;
}

export function systemOf(
  { db, twilio, secrets, folder, options }: Omit<World, 'market'> & { secrets: Secrets },
  database: string,
  redisUrl?: string,
  more: Differences = {},
): System {
  return new System({
    ...more,
    name: database,
    databaseUrl: db.urlOf(database),
    twilio,
    secrets,
    folder,
    ...(redisUrl === undefined ? {} : { redisUrl }),
    ...(options.profile ? { profileInto: folder } : {}),
  });
}
