import { inviteDemoAdmin } from '../invite-demo-admin';
import { localUrl } from '../local-url';
import type { Say } from '../say';
import { seedDemo } from '../seed-demo';
import { consoleUrl, type Installation } from '../service-environment';
import { messageOf } from '../startup-error';
import { welcomeLines } from '../welcome';

/** Where the sandbox keeps its ops key, as the person who started it reads it. */
const OPS_KEY_PLACE = 'docker compose run --rm --entrypoint cat demo /data/secrets.json';

export interface ShowDemoOptions {
  installation: Installation;
  /** The gateway, as it is reached from here. */
  baseUrl: string;
  dataDir: string;
  say: Say;
}

/**
 * Creates the demo data of a sandbox and prints what to do next; in production prints the addresses
 * only.
 */
export async function showDemo(options: ShowDemoOptions, signal: AbortSignal): Promise<void> {
  const { installation, baseUrl, dataDir, say } = options;
  const { config, secrets } = installation;
  const outside = config.PUBLIC_URL ?? localUrl('127.0.0.1', config.PORT);
  const production = config.FIADO_MODE === 'production';
  const opsKey = secrets.OPS_API_KEY;
  const demo = production ? undefined : await seedDemo({ baseUrl, opsKey, dataDir }, signal);
  const signInLink = production ? undefined : await signInLinkOf(options, opsKey, signal);

  const lines = welcomeLines({
    baseUrl: outside,
    consoleUrl: consoleUrl(config),
    signInLink,
    demoKey: demo?.wholesaler?.apiKey,
    opsKeyPlace: config.OPS_API_KEY ? 'yours, from OPS_API_KEY' : OPS_KEY_PLACE,
    dataDir,
    smsPlace: 'docker compose logs notifier',
  });
  for (const line of lines) say(line);
}

/** Without the link the rest of the sandbox is worth as much: somebody has changed the demo's admin. */
async function signInLinkOf(
  { baseUrl, say }: ShowDemoOptions,
  opsKey: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    return await inviteDemoAdmin({ baseUrl, opsKey }, signal);
  } catch (error) {
    say(`no sign-in link for the console: ${messageOf(error)}`);
    return undefined;
  }
}
