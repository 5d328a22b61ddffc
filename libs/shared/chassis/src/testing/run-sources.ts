import { resolve } from 'node:path';

/** Options of a plain Node process that runs the sources of the workspaces, so that its test needs no build. */
export const RUN_SOURCES = [
  '-C',
  'fiado-src',
  '--require',
  resolve(__dirname, '../../../../../test/support/register-sources.cjs'),
];
