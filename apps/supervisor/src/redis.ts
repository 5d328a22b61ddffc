import { pingRedis } from '@fiado/chassis/jobs/ping-redis';

import { messageOf, StartupError } from './startup-error';

/**
 * Ends the start when REDIS_URL cannot be used, before five services repeat it line by line.
 * @throws StartupError of one line, without the password
 */
export async function requireRedis(url: string | undefined): Promise<void> {
  if (url === undefined) return;
  await pingRedis(url).catch((error: unknown) => {
    throw new StartupError(`REDIS_URL: no connection: ${messageOf(error)}`);
  });
}
