import { parseArgs } from 'node:util';
import { readKeys } from './keys';
import { createNarrator } from './narrator';
import { tellStory } from './story';

const HELP = `Tells the whole story of Fiado against a running sandbox, step by step.

  npm run demo -- [options]

  --base-url URL   where the gateway is   (default http://127.0.0.1:3000, or PUBLIC_URL)
  --data-dir DIR   the data folder of the running \`npm start\`   (default .data, or DATA_DIR)
  --help           this text
`;

/** Runs the story; the exit code says whether it ended as it should. */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      'base-url': { type: 'string', default: process.env.PUBLIC_URL ?? 'http://127.0.0.1:3000' },
      'data-dir': { type: 'string', default: process.env.DATA_DIR ?? '.data' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(HELP);
    return;
  }
  const keys = await readKeys(values['data-dir'], process.env.OPS_API_KEY);
  await tellStory(createNarrator(values['base-url'], process.stdout.isTTY), keys);
}

main().catch((error: unknown) => {
  process.stderr.write(
    `\nThe demo stopped: ${error instanceof Error ? error.message : String(error)}\n`,
  );
  process.exit(1);
});
