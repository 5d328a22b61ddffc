import { messageOf, StartupError } from './startup-error';

/**
 * Ends the start when REDIS_URL cannot be used, before five services repeat it line by line.
 * @throws StartupError of one line, without the password
 */
export async function requireRedis(url: string | undefined): Promise<void> {
  if (url === undefined) return;
  // Usually there is no Redis, and the supervisor has no other use for its client.
  const { pingRedis } = await import('@fiado/chassis/jobs/open-redis');
  await pingRedis(url).catch((error: unknown) => {
    throw new StartupError(`REDIS_URL: no connection: ${messageOf(error)}`);
  });
}
