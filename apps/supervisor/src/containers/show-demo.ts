import { localUrl } from '../config';
import type { Say } from '../say';
import { seedDemo } from '../seed-demo';
import type { House } from '../service-environment';
import { welcomeLines } from '../welcome';

/** Where the sandbox keeps its ops key, as the person who started it reads it. */
const OPS_KEY_PLACE = 'docker-compose run --rm --entrypoint cat demo /data/secrets.json';

export interface ShowDemoOptions {
  house: House;
  /** The gateway, as it is reached from here. */
  baseUrl: string;
  dataDir: string;
  say: Say;
}

/** Makes the demo of a sandbox and says how to begin; of production it says only where it is. */
export async function showDemo(options: ShowDemoOptions, signal: AbortSignal): Promise<void> {
  const { house, baseUrl, dataDir, say } = options;
  const { config, secrets } = house;
  const outside = config.PUBLIC_URL ?? localUrl('127.0.0.1', config.PORT);
  const production = config.FIADO_MODE === 'production';
  const demo = production
    ? undefined
    : await seedDemo({ baseUrl, opsKey: secrets.OPS_API_KEY, dataDir }, signal);

  const lines = welcomeLines({
    baseUrl: outside,
    demoKey: demo?.wholesaler?.apiKey,
    opsKeyPlace: config.OPS_API_KEY ? 'yours, from OPS_API_KEY' : OPS_KEY_PLACE,
    dataDir,
  });
  for (const line of lines) say(line);
}
