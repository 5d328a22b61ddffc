import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';

const ROOT = resolve(__dirname, '..');
const SOURCES = ['-C', 'fiado-src', '--require', './test/support/register-sources.cjs'];
/** Nothing listens there. */
const NO_ENGINE = 'tcp://127.0.0.1:1';

it('without a Docker engine, the tests in containers end with one sentence and exit code 1', async () => {
  const run = promisify(execFile)(process.execPath, [...SOURCES, 'scripts/test-on/main.ts'], {
    cwd: ROOT,
    env: { PATH: process.env.PATH, DOCKER_HOST: NO_ENGINE },
  });

  await expect(run).rejects.toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/^No Docker engine answers: [^\n]+\n$/),
  });
});
