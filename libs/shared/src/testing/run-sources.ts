import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const ROOT = resolve(__dirname, '../../../..');
const fromRoot = createRequire(join(ROOT, 'package.json'));

/** How a plain Node process runs the sources of the workspaces, so that its test needs no build. */
export const RUN_SOURCES = {
  args: ['-C', 'fiado-src', '--import', pathToFileURL(fromRoot.resolve('tsx')).href],
  env: { TSX_TSCONFIG_PATH: join(ROOT, 'tsconfig.base.json') },
};
