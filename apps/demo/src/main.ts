import '@fiado/chassis/process-setup';
import { parseArgs } from 'node:util';
import { loadEnvFileOrExit } from '@fiado/chassis/config';
import { runningBaseUrl } from '@fiado/chassis/running-address';
import { readKeys } from './keys';
import { createNarrator, textOf } from './narrator';
import { tellStory } from './story';

const DEFAULT_BASE_URL = 'http://127.0.0.1:3000';

const HELP = `Tells the whole story of Fiado against a running sandbox, step by step.

  npm run demo -- [options]

  --base-url URL   where the gateway is   (default: that \`npm start\`, else PUBLIC_URL)
  --data-dir DIR   the data folder of the running \`npm start\`   (default .data, or DATA_DIR)
  --help           this text
`;

/** Runs the demo; exits with 1 if a step did not succeed. */
async function main(): Promise<void> {
  loadEnvFileOrExit();
  const { values } = parseArgs({
    options: {
      'base-url': { type: 'string' },
      'data-dir': { type: 'string', default: process.env.DATA_DIR || '.data' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(HELP);
    return;
  }
  const dataDir = values['data-dir'];
  const keys = await readKeys(dataDir, process.env.OPS_API_KEY || undefined);
  const baseUrl =
    values['base-url'] ??
    (await runningBaseUrl(dataDir)) ??
    (process.env.PUBLIC_URL || DEFAULT_BASE_URL);
  await tellStory(createNarrator(baseUrl, process.stdout.isTTY), keys).catch((error: unknown) => {
    throw new Error(textOf(error, baseUrl), { cause: error });
  });
}

main().catch((error: unknown) => {
  process.stderr.write(
    `\nThe demo stopped: ${error instanceof Error ? error.message : String(error)}\n`,
  );
  process.exit(1);
});
