import { withRedis } from '@fiado/chassis/testing/redis-server';
import { Needles, type Place } from './leaks/needles';

/** The texts among these that stand in some of the places, as `place: text`. */
export function textsIn(places: Place[], texts: string[]): string[] {
  const needles = new Needles();
  for (const text of texts) needles.add('secret', text);
  return places
    .flatMap((place) => needles.search(place))
    .map(({ place, value }) => `${place}: ${value}`);
}

/** What ten minutes do in Redis: a completed job is kept for so long. */
export async function endCompletedJobs(url: string): Promise<void> {
  await withRedis(url, async (redis) => {
    for (const key of await redis.keys('*:completed')) {
      const ids = await redis.zrange(key, 0, -1);
      const jobs = ids.map((id) => key.replace(/completed$/, id));
      await redis.del(key, ...jobs);
    }
  });
}
